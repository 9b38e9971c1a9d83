// WiredTiger, with the settings of the adapter: a table with keys of format `q`, a log in a folder of its own, a cache for all,
// statistics, and checkpoints at the adapter's number of bytes, after which logs that are not needed are removed and the pages
// that were changed are evicted. A file makes up for the length of WiredTiger's small text file, as in the adapter.
#include "../../Sources/CWiredTiger/shim.h"
#include "calls.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#define FUNCTIONS(USE) USE(wiredtiger_open) USE(wiredtiger_strerror)

#define MEMBER(name) name##_function name;
static struct {
  FUNCTIONS(MEMBER)
} call;

enum { CHECKPOINT_INTERVAL = 256 << 10, KEY_BYTES = 8 };

struct direct_database {
  wt_connection *connection;
  wt_session *writer;
  wt_cursor *written;
  wt_session *reader;
  wt_cursor *read;
  wt_session *checkpoints;
  wt_session *evictor;
  wt_cursor *evicted;
  size_t changed;
  /// The keys of changed rows since the last checkpoint.
  int64_t *keys;
  size_t count, capacity;
  char turtle[4096], padding[4096];
  long padded;
};

static int find(void *handle) {
  FUNCTIONS(DIRECT_FIND)
  return 0;
}

static int fail(const char *action, int code) { return direct_fail(action, call.wiredtiger_strerror(code)); }

/// Calls a function that answers an error number, and answers 1 from the caller where it is not 0.
#define TRY(action, number)                       \
  do {                                            \
    int code = (number);                          \
    if (code) return fail(action, code);          \
  } while (0)

static int open_session(
    direct_database *database, const char *options, wt_session **session, wt_cursor **cursor) {
  TRY("open_session", database->connection->open_session(database->connection, NULL, options, session));
  if (cursor) TRY("open_cursor", (*session)->open_cursor(*session, "table:rows", NULL, NULL, cursor));
  return 0;
}

/// Pads the file with the newest checkpoint of the metadata to a block.
static int pad(direct_database *database) {
  static const char zeros[4096];
  struct stat found;
  TRY("stat", stat(database->turtle, &found));
  long missing = 4095 - (found.st_size - 1) % 4096;
  if (missing == database->padded) return 0;
  database->padded = missing;
  FILE *file = fopen(database->padding, "w");
  TRY("padding", !file || fwrite(zeros, 1, (size_t)missing, file) != (size_t)missing || fclose(file));
  return 0;
}

static int prepare(direct_database *database, const direct_settings *settings) {
  char log[4096], home[4096];
  snprintf(log, sizeof log, "%s-wal", settings->path);
  mkdir(settings->path, 0755);
  mkdir(log, 0755);
  snprintf(database->turtle, sizeof database->turtle, "%s/WiredTiger.turtle", settings->path);
  snprintf(database->padding, sizeof database->padding, "%s/padding", settings->path);
  // Padded as the adapter does it, since the log has the path.
  size_t length = strlen(settings->path), missing = 255 - (length - 1) % 256;
  memset(home, '/', missing);
  strcpy(home + missing, settings->path);
  char options[1024];
  snprintf(
      options, sizeof options,
      "log=(enabled=true,path=\"../%s\",file_max=262144,prealloc=false,remove=false),"
      "transaction_sync=(enabled=true,method=%s),create=true,config_base=false,statistics=(fast),cache_size=1073741824,"
      "session_max=4000,file_extend=(data=0,log=0),file_manager=(close_idle_time=0),checkpoint_cleanup=(wait=100000)",
      strrchr(log, '/') + 1, settings->durable ? "fsync" : "none");
  TRY("wiredtiger_open", call.wiredtiger_open(home, NULL, options, &database->connection));
  if (open_session(database, NULL, &database->checkpoints, NULL)) return 1;
  TRY("create",
      database->checkpoints->create(
          database->checkpoints, "table:rows", "key_format=q,value_format=u,memory_page_max=104857600"));
  return open_session(database, NULL, &database->writer, &database->written)
      || open_session(database, NULL, &database->reader, &database->read)
      || open_session(database, "debug=(release_evict_page=true)", &database->evictor, &database->evicted);
}

static void end(direct_database *database) {
  if (database->connection) {
    database->connection->close(database->connection, NULL);
    pad(database);
  }
  free(database->keys);
  free(database);
}

static direct_database *begin(const direct_settings *settings) {
  return direct_begin(settings, sizeof(direct_database), find, prepare, end);
}

static int put(direct_database *database, int64_t key, const void *value, size_t bytes) {
  wt_cursor *cursor = database->written;
  wt_cursor_set_key(cursor, key);
  wt_cursor_set_value(cursor, value, bytes);
  TRY("insert", cursor->insert(cursor));
  database->changed += KEY_BYTES + bytes;
  if (database->count == database->capacity) {
    database->capacity = database->capacity ? 2 * database->capacity : 1024;
    database->keys = realloc(database->keys, database->capacity * sizeof *database->keys);
  }
  database->keys[database->count++] = key;
  return 0;
}

static int by_key(const void *one, const void *other) {
  int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;
  return (a > b) - (a < b);
}

/// No row is deleted here, so that each is found.
static int evict(direct_database *database) {
  qsort(database->keys, database->count, sizeof *database->keys, by_key);
  for (size_t index = 0; index < database->count; index++) {
    int order;
    wt_cursor_set_key(database->evicted, database->keys[index]);
    TRY("search_near", database->evicted->search_near(database->evicted, &order));
  }
  database->count = 0;
  TRY("reset", database->evicted->reset(database->evicted));
  return 0;
}

static int begin_commit(direct_database *database) {
  TRY("begin_transaction", database->writer->begin_transaction(database->writer, NULL));
  return 0;
}

static int end_commit(direct_database *database) {
  TRY("commit_transaction", database->writer->commit_transaction(database->writer, NULL));
  if (database->changed < CHECKPOINT_INTERVAL) return 0;
  database->changed = 0;
  TRY("checkpoint", database->checkpoints->checkpoint(database->checkpoints, NULL));
  TRY("truncate", database->checkpoints->truncate(database->checkpoints, "log:", NULL, NULL, NULL));
  if (evict(database)) return 1;
  TRY("log_flush", database->checkpoints->log_flush(database->checkpoints, "sync=off"));
  return pad(database);
}

static int load(direct_database *database, size_t rows, const void *value, size_t bytes) {
  if (begin_commit(database)) return 1;
  for (size_t row = 0; row < rows; row++)
    if (put(database, (int64_t)row, value, bytes)) return 1;
  return end_commit(database);
}

static int commit(
    direct_database *database, const int64_t *keys, size_t puts, size_t commits, void *value, size_t bytes) {
  for (size_t number = 0; number < commits; number++) {
    direct_stamp(value, bytes, number);
    if (begin_commit(database)) return 1;
    for (size_t row = 0; row < puts; row++)
      if (put(database, *keys++, value, bytes)) return 1;
    if (end_commit(database)) return 1;
  }
  return 0;
}

static int read_rows(
    direct_database *database, const int64_t *keys, size_t reads, size_t in_snapshot, uint64_t *sum) {
  wt_session *session = database->reader;
  wt_cursor *cursor = database->read;
  for (size_t done = 0; done < reads;) {
    TRY("begin_transaction", session->begin_transaction(session, NULL));
    for (size_t row = 0; row < in_snapshot && done < reads; row++, done++) {
      wt_item value;
      wt_cursor_set_key(cursor, keys[done]);
      TRY("search", cursor->search(cursor));
      TRY("get_value", wt_cursor_get_value(cursor, &value));
      *sum += direct_touch(value.data, value.size);
    }
    TRY("rollback_transaction", session->rollback_transaction(session, NULL));
  }
  return 0;
}

const direct_library *direct_wiredtiger(void) {
  static const direct_library library = {begin, load, commit, read_rows, end, 0};
  return &library;
}
