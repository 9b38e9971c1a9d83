// DuckDB, with the settings of the adapter: an instance in memory to which the file is attached, one thread, small blocks and
// row groups, a checkpoint after 256 KiB of log. A row is replaced by a deletion and an insertion, as the adapter does it.
#include "../../Sources/CDuckDB/shim.h"
#include "calls.h"
#include <stdio.h>
#include <stdlib.h>

#define FUNCTIONS(USE)                                                                                             \
  USE(duckdb_free) USE(duckdb_create_config) USE(duckdb_set_config) USE(duckdb_destroy_config)                     \
  USE(duckdb_close) USE(duckdb_connect) USE(duckdb_disconnect) USE(duckdb_query) USE(duckdb_destroy_result)        \
  USE(duckdb_result_error) USE(duckdb_fetch_chunk) USE(duckdb_prepare) USE(duckdb_destroy_prepare)                 \
  USE(duckdb_prepare_error) USE(duckdb_bind_int64) USE(duckdb_bind_blob) USE(duckdb_execute_prepared)              \
  USE(duckdb_destroy_data_chunk) USE(duckdb_data_chunk_get_size) USE(duckdb_data_chunk_get_vector)                 \
  USE(duckdb_vector_get_data) USE(duckdb_open_ext)

#define MEMBER(name) name##_function name;
static struct {
  FUNCTIONS(MEMBER)
} call;

/// A connection with its statements: of the writer a deletion and an insertion, of the reader a read.
typedef struct connection {
  duckdb_connection handle;
  duckdb_prepared_statement begin, commit, row, other;
} connection;

struct direct_database {
  duckdb_database instance;
  connection writer, reader;
};

static int find(void *handle) {
  FUNCTIONS(DIRECT_FIND)
  return 0;
}

static int fail(const char *action, duckdb_result *result) {
  direct_fail(action, call.duckdb_result_error(result));
  call.duckdb_destroy_result(result);
  return 1;
}

static int query(duckdb_connection connection, const char *text) {
  duckdb_result result;
  if (call.duckdb_query(connection, text, &result) != DuckDBSuccess) return fail(text, &result);
  call.duckdb_destroy_result(&result);
  return 0;
}

static int run(duckdb_prepared_statement statement) {
  duckdb_result result;
  if (call.duckdb_execute_prepared(statement, &result) != DuckDBSuccess) return fail("a statement", &result);
  call.duckdb_destroy_result(&result);
  return 0;
}

static int prepare_statement(connection *connection, const char *text, duckdb_prepared_statement *statement) {
  if (call.duckdb_prepare(connection->handle, text, statement) == DuckDBSuccess) return 0;
  return direct_fail(text, call.duckdb_prepare_error(*statement));
}

static int connect(direct_database *database, connection *connection) {
  if (call.duckdb_connect(database->instance, &connection->handle) != DuckDBSuccess)
    return direct_fail("duckdb_connect", NULL);
  return prepare_statement(connection, "BEGIN", &connection->begin)
      || prepare_statement(connection, "COMMIT", &connection->commit);
}

/// Makes the file until its identifier is of a length that does not depend on chance, as the adapter does: the log has it.
static int make_file(duckdb_connection connection, const char *path) {
  char text[4200];
  for (int attempt = 0; attempt < 100; attempt++) {
    snprintf(text, sizeof text, "ATTACH '%s' AS new (BLOCK_SIZE 16384)", path);
    if (query(connection, text) || query(connection, "DETACH new")) return 1;
    unsigned char identifier[16] = {0};
    FILE *file = fopen(path, "r");
    if (!file || fseek(file, 124, SEEK_SET) || fread(identifier, 1, sizeof identifier, file) != sizeof identifier)
      return direct_fail(path, "no identifier");
    fclose(file);
    int wide = 0;
    for (size_t index = 0; index < sizeof identifier; index++) wide += identifier[index] >= 128;
    if (wide == 8) return 0;
    remove(path);
  }
  return direct_fail(path, "no file of the usual length");
}

static int open_instance(direct_database *database, const direct_settings *settings) {
  char temporary[4200];
  snprintf(temporary, sizeof temporary, "%s.tmp", settings->path);
  const char *options[][2] = {
    {"threads", "1"}, {"async_threads", "0"}, {"checkpoint_threshold", "262144 bytes"}, {"max_vacuum_tasks", "0"},
    {"fsync_mode", settings->durable ? "STANDARD" : "NONE"}, {"immediate_transaction_mode", "true"},
    {"force_compression", "uncompressed"}, {"temp_directory", temporary}, {"autoload_known_extensions", "false"},
    {"autoinstall_known_extensions", "false"}};
  duckdb_config config;
  call.duckdb_create_config(&config);
  for (size_t index = 0; index < sizeof options / sizeof *options; index++)
    call.duckdb_set_config(config, options[index][0], options[index][1]);
  char *error = NULL;
  int is_refused = 0;
  if (call.duckdb_open_ext(":memory:", &database->instance, config, &error) != DuckDBSuccess)
    is_refused = direct_fail("duckdb_open_ext", error);
  call.duckdb_free(error);
  call.duckdb_destroy_config(&config);
  return is_refused;
}

static int prepare(direct_database *database, const direct_settings *settings) {
  connection *writer = &database->writer, *reader = &database->reader;
  if (open_instance(database, settings) || connect(database, writer) || make_file(writer->handle, settings->path))
    return 1;
  char text[4200];
  snprintf(text, sizeof text, "ATTACH '%s' AS data (ROW_GROUP_SIZE 2048)", settings->path);
  return query(writer->handle, text)
      || query(writer->handle, "CREATE TABLE data.main.rows (key BIGINT PRIMARY KEY, value BLOB NOT NULL)")
      || prepare_statement(writer, "DELETE FROM data.main.rows WHERE key = $1", &writer->other)
      || prepare_statement(writer, "INSERT INTO data.main.rows VALUES ($1, $2)", &writer->row)
      || connect(database, reader)
      || prepare_statement(reader, "SELECT value FROM data.main.rows WHERE key = $1", &reader->row);
}

static void disconnect(connection *connection) {
  call.duckdb_destroy_prepare(&connection->begin);
  call.duckdb_destroy_prepare(&connection->commit);
  call.duckdb_destroy_prepare(&connection->row);
  call.duckdb_destroy_prepare(&connection->other);
  if (connection->handle) call.duckdb_disconnect(&connection->handle);
}

static void end(direct_database *database) {
  disconnect(&database->reader);
  disconnect(&database->writer);
  if (database->instance) call.duckdb_close(&database->instance);
  free(database);
}

static direct_database *begin(const direct_settings *settings) {
  return direct_begin(settings, sizeof(direct_database), find, prepare, end);
}

static int put(connection *writer, int64_t key, const void *value, size_t bytes) {
  call.duckdb_bind_int64(writer->other, 1, key);
  if (run(writer->other)) return 1;
  call.duckdb_bind_int64(writer->row, 1, key);
  call.duckdb_bind_blob(writer->row, 2, value, bytes);
  return run(writer->row);
}

static int load(direct_database *database, size_t rows, const void *value, size_t bytes) {
  connection *writer = &database->writer;
  if (run(writer->begin)) return 1;
  for (size_t row = 0; row < rows; row++)
    if (put(writer, (int64_t)row, value, bytes)) return 1;
  return run(writer->commit);
}

static int commit(
    direct_database *database, const int64_t *keys, size_t puts, size_t commits, void *value, size_t bytes) {
  connection *writer = &database->writer;
  for (size_t number = 0; number < commits; number++) {
    direct_stamp(value, bytes, number);
    if (run(writer->begin)) return 1;
    for (size_t row = 0; row < puts; row++)
      if (put(writer, *keys++, value, bytes)) return 1;
    if (run(writer->commit)) return 1;
  }
  return 0;
}

static int read_row(connection *reader, int64_t key, uint64_t *sum) {
  duckdb_result result;
  call.duckdb_bind_int64(reader->row, 1, key);
  if (call.duckdb_execute_prepared(reader->row, &result) != DuckDBSuccess) return fail("a read", &result);
  duckdb_data_chunk chunk = call.duckdb_fetch_chunk(result);
  int is_missing = !chunk || call.duckdb_data_chunk_get_size(chunk) == 0;
  if (!is_missing) {
    const duckdb_string_t *value = call.duckdb_vector_get_data(call.duckdb_data_chunk_get_vector(chunk, 0));
    *sum += direct_touch(value->length <= 12 ? value->prefix : value->address, value->length);
  }
  if (chunk) call.duckdb_destroy_data_chunk(&chunk);
  call.duckdb_destroy_result(&result);
  return is_missing ? direct_fail("a read", "a row is missing") : 0;
}

static int read_rows(
    direct_database *database, const int64_t *keys, size_t reads, size_t in_snapshot, uint64_t *sum) {
  connection *reader = &database->reader;
  for (size_t done = 0; done < reads;) {
    if (run(reader->begin)) return 1;
    for (size_t row = 0; row < in_snapshot && done < reads; row++, done++)
      if (read_row(reader, keys[done], sum)) return 1;
    if (run(reader->commit)) return 1;
  }
  return 0;
}

const direct_library *direct_duckdb(void) {
  static const direct_library library = {begin, load, commit, read_rows, end, 0};
  return &library;
}
