// RocksDB, with the settings of the adapter: column families, a log in a folder of its own, statistics, and memtables that
// the program flushes at the adapter's number of bytes, after which it waits until no flush runs.
#include "../../Sources/CRocksDB/shim.h"
#include "calls.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef rocksdb_options_set_text_function rocksdb_options_set_wal_dir_function;
typedef rocksdb_options_set_text_function rocksdb_options_set_db_log_dir_function;

#define FUNCTIONS(USE)                                                                                                \
  USE(rocksdb_free) USE(rocksdb_options_create) USE(rocksdb_options_destroy) USE(rocksdb_get_options_from_string)     \
  USE(rocksdb_options_set_wal_dir) USE(rocksdb_options_set_db_log_dir) USE(rocksdb_options_enable_statistics)         \
  USE(rocksdb_open_column_families) USE(rocksdb_column_family_handle_destroy) USE(rocksdb_close)                      \
  USE(rocksdb_writeoptions_create) USE(rocksdb_writeoptions_set_sync) USE(rocksdb_writeoptions_destroy)               \
  USE(rocksdb_writebatch_create) USE(rocksdb_writebatch_clear) USE(rocksdb_writebatch_destroy)                        \
  USE(rocksdb_writebatch_put_cf) USE(rocksdb_write) USE(rocksdb_readoptions_create) USE(rocksdb_readoptions_destroy)  \
  USE(rocksdb_readoptions_set_snapshot) USE(rocksdb_get_pinned_cf) USE(rocksdb_pinnableslice_value)                   \
  USE(rocksdb_pinnableslice_destroy) USE(rocksdb_create_snapshot) USE(rocksdb_release_snapshot)                       \
  USE(rocksdb_flushoptions_create) USE(rocksdb_flushoptions_destroy) USE(rocksdb_flush_cf)                            \
  USE(rocksdb_property_int_cf)

#define MEMBER(name) name##_function name;
static struct {
  FUNCTIONS(MEMBER)
} call;

enum { FAMILIES = 2, WRITE_BUFFER = 256 << 10, KEY_BYTES = 16 };

struct direct_database {
  rocksdb_options_t *options;
  rocksdb_t *db;
  rocksdb_column_family_handle_t *families[FAMILIES];
  rocksdb_writeoptions_t *write_options;
  rocksdb_readoptions_t *read_options;
  rocksdb_flushoptions_t *flush_options;
  rocksdb_writebatch_t *batch;
  size_t unflushed;
};

static int find(void *handle) {
  FUNCTIONS(DIRECT_FIND)
  return 0;
}

/// Keeps what went wrong and frees the library's text; 0 where nothing did.
static int failed(const char *action, char *error) {
  if (!error) return 0;
  direct_fail(action, error);
  call.rocksdb_free(error);
  return 1;
}

/// The path with steps that lead nowhere, as long as the adapter's: RocksDB's file of options holds it.
static void pad(char path[4096], const char *folder, const char *suffix) {
  enum { PADDED = 640 };
  size_t missing = PADDED - strlen(folder) - strlen(suffix);
  const char *name = strrchr(folder, '/');
  size_t at = (size_t)(name - folder);
  memcpy(path, folder, at);
  for (; missing > 1; missing -= 2, at += 2) memcpy(path + at, "/.", 2);
  if (missing) path[at++] = '/';
  snprintf(path + at, 4096 - at, "%s%s", name, suffix);
}

static int prepare(direct_database *database, const direct_settings *settings) {
  char *error = NULL;
  rocksdb_options_t *base = call.rocksdb_options_create();
  database->options = call.rocksdb_options_create();
  call.rocksdb_get_options_from_string(
      base,
      "create_if_missing=true;allow_fallocate=false;create_missing_column_families=true;compression=kNoCompression;"
      "disable_auto_compactions=true;write_buffer_size=1073741824;arena_block_size=32768;target_file_size_base=262144;"
      "max_bytes_for_level_base=1048576;soft_pending_compaction_bytes_limit=268435456;"
      "hard_pending_compaction_bytes_limit=1073741824;stats_dump_period_sec=0;stats_persist_period_sec=0;db_host_id=compaction-lab;"
      "keep_log_file_num=1;info_log_level=FATAL_LEVEL",
      database->options, &error);
  call.rocksdb_options_destroy(base);
  if (failed("rocksdb_get_options_from_string", error)) return 1;
  char path[4096];
  pad(path, settings->path, "-wal");
  call.rocksdb_options_set_wal_dir(database->options, path);
  pad(path, settings->path, "-messages");
  call.rocksdb_options_set_db_log_dir(database->options, path);
  call.rocksdb_options_enable_statistics(database->options);
  const char *names[FAMILIES] = {"rows", "default"};
  const rocksdb_options_t *options[FAMILIES] = {database->options, database->options};
  database->db = call.rocksdb_open_column_families(
      database->options, settings->path, FAMILIES, names, options, database->families, &error);
  if (failed("rocksdb_open_column_families", error)) return 1;
  database->write_options = call.rocksdb_writeoptions_create();
  call.rocksdb_writeoptions_set_sync(database->write_options, settings->durable != 0);
  database->read_options = call.rocksdb_readoptions_create();
  database->flush_options = call.rocksdb_flushoptions_create();
  database->batch = call.rocksdb_writebatch_create();
  return 0;
}

static void end(direct_database *database) {
  if (database->db) {
    char *error = NULL;
    call.rocksdb_flush_cf(database->db, database->flush_options, database->families[0], &error);
    if (error) call.rocksdb_free(error);
    call.rocksdb_writebatch_destroy(database->batch);
    call.rocksdb_writeoptions_destroy(database->write_options);
    call.rocksdb_readoptions_destroy(database->read_options);
    call.rocksdb_flushoptions_destroy(database->flush_options);
    for (int family = 0; family < FAMILIES; family++)
      call.rocksdb_column_family_handle_destroy(database->families[family]);
    call.rocksdb_close(database->db);
  }
  if (database->options) call.rocksdb_options_destroy(database->options);
  free(database);
}

static direct_database *begin(const direct_settings *settings) {
  return direct_begin(settings, sizeof(direct_database), find, prepare, end);
}

static void put(direct_database *database, int64_t key, const void *value, size_t bytes) {
  uint64_t word = __builtin_bswap64(direct_word(key));
  call.rocksdb_writebatch_put_cf(
      database->batch, database->families[0], (const char *)&word, sizeof word, value, bytes);
  database->unflushed += KEY_BYTES + bytes;
}

static int flush(direct_database *database) {
  char *error = NULL;
  database->unflushed = 0;
  call.rocksdb_flush_cf(database->db, database->flush_options, database->families[0], &error);
  if (failed("rocksdb_flush_cf", error)) return 1;
  for (uint64_t running = 1; running;) {
    call.rocksdb_property_int_cf(database->db, database->families[0], "rocksdb.num-running-flushes", &running);
    if (running) usleep(100);
  }
  return 0;
}

static int write_batch(direct_database *database) {
  char *error = NULL;
  call.rocksdb_write(database->db, database->write_options, database->batch, &error);
  call.rocksdb_writebatch_clear(database->batch);
  if (failed("rocksdb_write", error)) return 1;
  return database->unflushed >= WRITE_BUFFER ? flush(database) : 0;
}

static int load(direct_database *database, size_t rows, const void *value, size_t bytes) {
  for (size_t row = 0; row < rows; row++) put(database, (int64_t)row, value, bytes);
  return write_batch(database);
}

static int commit(
    direct_database *database, const int64_t *keys, size_t puts, size_t commits, void *value, size_t bytes) {
  for (size_t number = 0; number < commits; number++) {
    direct_stamp(value, bytes, number);
    for (size_t row = 0; row < puts; row++) put(database, *keys++, value, bytes);
    if (write_batch(database)) return 1;
  }
  return 0;
}

static int read_rows(
    direct_database *database, const int64_t *keys, size_t reads, size_t in_snapshot, uint64_t *sum) {
  for (size_t done = 0; done < reads;) {
    const rocksdb_snapshot_t *snapshot = call.rocksdb_create_snapshot(database->db);
    call.rocksdb_readoptions_set_snapshot(database->read_options, snapshot);
    for (size_t row = 0; row < in_snapshot && done < reads; row++, done++) {
      uint64_t word = __builtin_bswap64(direct_word(keys[done]));
      char *error = NULL;
      rocksdb_pinnableslice_t *slice = call.rocksdb_get_pinned_cf(
          database->db, database->read_options, database->families[0], (const char *)&word, sizeof word, &error);
      if (failed("rocksdb_get_pinned_cf", error) || !slice) {
        call.rocksdb_release_snapshot(database->db, snapshot);
        return slice ? 1 : direct_fail("rocksdb_get_pinned_cf", "a row is missing");
      }
      size_t bytes = 0;
      const char *value = call.rocksdb_pinnableslice_value(slice, &bytes);
      *sum += direct_touch(value, bytes);
      call.rocksdb_pinnableslice_destroy(slice);
    }
    call.rocksdb_release_snapshot(database->db, snapshot);
  }
  return 0;
}

const direct_library *direct_rocksdb(void) {
  static const direct_library library = {begin, load, commit, read_rows, end, 0};
  return &library;
}
