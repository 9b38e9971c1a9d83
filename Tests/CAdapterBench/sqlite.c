// SQLite, with the settings and the statements of the adapter: a write-ahead log, one connection that writes and one that
// reads. A read transaction reads once when it begins, since BEGIN alone chooses no version.
#include "../../Sources/CSQLite/shim.h"
#include "calls.h"
#include <stdlib.h>

#define FUNCTIONS(USE)                                                                                                 \
  USE(sqlite3_errmsg) USE(sqlite3_extended_result_codes) USE(sqlite3_open_v2) USE(sqlite3_close)                       \
  USE(sqlite3_busy_timeout) USE(sqlite3_exec) USE(sqlite3_prepare_v3) USE(sqlite3_finalize) USE(sqlite3_step)          \
  USE(sqlite3_reset) USE(sqlite3_bind_int64) USE(sqlite3_bind_blob64) USE(sqlite3_column_blob) USE(sqlite3_column_bytes)

#define MEMBER(name) __typeof__(&name) name;
static struct {
  FUNCTIONS(MEMBER)
} call;

enum { BEGIN_WRITE, PUT, COMMIT_WRITE, BEGIN_READ, PIN, GET, COMMIT_READ, STATEMENTS };

struct direct_database {
  sqlite3 *writer;
  sqlite3 *reader;
  sqlite3_stmt *statements[STATEMENTS];
};

static int find(void *handle) {
  FUNCTIONS(DIRECT_FIND)
  return 0;
}

static int fail(const char *action, sqlite3 *connection) {
  return direct_fail(action, connection ? call.sqlite3_errmsg(connection) : NULL);
}

static int run(sqlite3 *connection, const char *text) {
  return call.sqlite3_exec(connection, text, NULL, NULL, NULL) == SQLITE_OK ? 0 : fail(text, connection);
}

static int connect(const char *path, sqlite3 **connection) {
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  if (call.sqlite3_open_v2(path, connection, flags, NULL) != SQLITE_OK) return fail("sqlite3_open_v2", *connection);
  call.sqlite3_extended_result_codes(*connection, 1);
  return 0;
}

static int make(direct_database *database, int place, sqlite3 *connection, const char *text) {
  int code = call.sqlite3_prepare_v3(
      connection, text, -1, SQLITE_PREPARE_PERSISTENT, &database->statements[place], NULL);
  return code == SQLITE_OK ? 0 : fail(text, connection);
}

static int prepare(direct_database *database, const direct_settings *settings) {
  if (connect(settings->path, &database->writer)) return 1;
  sqlite3 *writer = database->writer;
  if (run(writer, "PRAGMA page_size = 4096") || run(writer, "PRAGMA auto_vacuum = NONE")) return 1;
  if (run(writer, "PRAGMA journal_mode = WAL")) return 1;
  if (run(writer, settings->durable ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = OFF")) return 1;
  if (run(writer, "CREATE TABLE IF NOT EXISTS \"rows\" (key INTEGER PRIMARY KEY, value BLOB NOT NULL)")) return 1;
  call.sqlite3_busy_timeout(writer, 10000);
  if (connect(settings->path, &database->reader)) return 1;
  sqlite3 *reader = database->reader;
  call.sqlite3_busy_timeout(reader, 10000);
  return make(database, BEGIN_WRITE, writer, "BEGIN IMMEDIATE")
      || make(database, PUT, writer, "INSERT OR REPLACE INTO \"rows\" (key, value) VALUES (?1, ?2)")
      || make(database, COMMIT_WRITE, writer, "COMMIT") || make(database, BEGIN_READ, reader, "BEGIN")
      || make(database, PIN, reader, "SELECT 1 FROM sqlite_schema LIMIT 1")
      || make(database, GET, reader, "SELECT value FROM \"rows\" WHERE key = ?1")
      || make(database, COMMIT_READ, reader, "COMMIT");
}

static void end(direct_database *database) {
  for (int place = 0; place < STATEMENTS; place++)
    if (database->statements[place]) call.sqlite3_finalize(database->statements[place]);
  if (database->reader) call.sqlite3_close(database->reader);
  if (database->writer) call.sqlite3_close(database->writer);
  free(database);
}

static direct_database *begin(const direct_settings *settings) {
  return direct_begin(settings, sizeof(direct_database), find, prepare, end);
}

/// Runs a statement and discards its rows, if any.
static int step(direct_database *database, int place, sqlite3 *connection, const char *action) {
  sqlite3_stmt *statement = database->statements[place];
  int code = call.sqlite3_step(statement);
  if (code != SQLITE_DONE && code != SQLITE_ROW) return fail(action, connection);
  call.sqlite3_reset(statement);
  return 0;
}

static int put(direct_database *database, int64_t key, const void *value, size_t bytes) {
  sqlite3_stmt *statement = database->statements[PUT];
  call.sqlite3_bind_int64(statement, 1, key);
  call.sqlite3_bind_blob64(statement, 2, value, bytes, NULL);
  return step(database, PUT, database->writer, "INSERT");
}

static int load(direct_database *database, size_t rows, const void *value, size_t bytes) {
  if (step(database, BEGIN_WRITE, database->writer, "BEGIN IMMEDIATE")) return 1;
  for (size_t row = 0; row < rows; row++)
    if (put(database, (int64_t)row, value, bytes)) return 1;
  return step(database, COMMIT_WRITE, database->writer, "COMMIT");
}

static int commit(
    direct_database *database, const int64_t *keys, size_t puts, size_t commits, void *value, size_t bytes) {
  for (size_t number = 0; number < commits; number++) {
    direct_stamp(value, bytes, number);
    if (step(database, BEGIN_WRITE, database->writer, "BEGIN IMMEDIATE")) return 1;
    for (size_t count = 0; count < puts; count++)
      if (put(database, *keys++, value, bytes)) return 1;
    if (step(database, COMMIT_WRITE, database->writer, "COMMIT")) return 1;
  }
  return 0;
}

static int read_rows(
    direct_database *database, const int64_t *keys, size_t reads, size_t in_snapshot, uint64_t *sum) {
  sqlite3_stmt *statement = database->statements[GET];
  for (size_t done = 0; done < reads;) {
    if (step(database, BEGIN_READ, database->reader, "BEGIN")) return 1;
    if (step(database, PIN, database->reader, "SELECT 1")) return 1;
    for (size_t row = 0; row < in_snapshot && done < reads; row++, done++) {
      call.sqlite3_bind_int64(statement, 1, keys[done]);
      if (call.sqlite3_step(statement) != SQLITE_ROW) return fail("SELECT value", database->reader);
      const void *value = call.sqlite3_column_blob(statement, 0);
      *sum += direct_touch(value, (size_t)call.sqlite3_column_bytes(statement, 0));
      call.sqlite3_reset(statement);
    }
    if (step(database, COMMIT_READ, database->reader, "COMMIT")) return 1;
  }
  return 0;
}

const direct_library *direct_sqlite(void) {
  static const direct_library library = {begin, load, commit, read_rows, end, 0};
  return &library;
}
