// Makes SQLite databases that differ in page size, rows, deletes, indexes, overflow pages, auto_vacuum and the state of the
// write-ahead log, and prints what SQLite itself reports of each: `sqlite_files FOLDER COUNT SEED`.
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shared.h"

static void run(sqlite3 *db, const char *sql) {
  char *message = NULL;
  if (sqlite3_exec(db, sql, NULL, NULL, &message)) {
    fprintf(stderr, "%s: %s\n", sql, message);
    exit(1);
  }
}

static long long number(sqlite3 *db, const char *sql) {
  sqlite3_stmt *statement;
  if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL)) return -1;
  long long value = sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : -1;
  sqlite3_finalize(statement);
  return value;
}

static void remove_all(const char *path) {
  const char *ends[] = {"", "-wal", "-shm", "-journal"};
  char name[1100];
  for (int i = 0; i < 4; i++) {
    snprintf(name, sizeof name, "%s%s", path, ends[i]);
    unlink(name);
  }
}

static void insert_rows(sqlite3 *db, int table, int rows, int max_bytes) {
  char sql[200];
  snprintf(sql, sizeof sql, "INSERT INTO t%d(a, b, c) VALUES(?, ?, ?)", table);
  sqlite3_stmt *statement;
  if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL)) {
    fprintf(stderr, "%s\n", sqlite3_errmsg(db));
    exit(1);
  }
  char *bytes = malloc((size_t)max_bytes + 1);
  for (int row = 0; row < rows; row++) {
    int length = below(10) == 0 ? below(max_bytes + 1) : below(max_bytes / 8 + 1);
    memset(bytes, 'a' + below(26), (size_t)length);
    sqlite3_bind_int64(statement, 1, (long long)(next_random() >> 20));
    char text[32];
    snprintf(text, sizeof text, "%llx", (unsigned long long)next_random());
    sqlite3_bind_text(statement, 2, text, -1, SQLITE_TRANSIENT);
    sqlite3_bind_blob(statement, 3, bytes, length, SQLITE_TRANSIENT);
    sqlite3_step(statement);
    sqlite3_reset(statement);
  }
  free(bytes);
  sqlite3_finalize(statement);
}

/// The frames in the log at the last commit.
static int frames;

static int after_commit(void *context, sqlite3 *db, const char *name, int count) {
  (void)context, (void)db, (void)name;
  frames = count;
  return SQLITE_OK;
}

static void print_checkpoint(sqlite3 *db, int file) {
  int log = 0, done = 0;
  sqlite3_wal_checkpoint_v2(db, NULL, SQLITE_CHECKPOINT_PASSIVE, &log, &done);
  printf("%d checkpointed %d\n", file, done);
}

static void change(sqlite3 *db, int tables, int round) {
  char sql[200];
  for (int table = 0; table < tables; table++) {
    if (round % 2 == 1) {
      snprintf(sql, sizeof sql, "DELETE FROM t%d WHERE a %% %d < %d", table, 7, 1 + below(6));
      run(db, sql);
    }
    insert_rows(db, table, 5 + below(120), 60 + below(6000));
  }
}

static void print_reported(sqlite3 *db, int file, const char *folder) {
  const char *pragmas[] = {"page_size", "page_count", "freelist_count", "auto_vacuum"};
  char sql[1200];
  for (int i = 0; i < 4; i++) {
    snprintf(sql, sizeof sql, "PRAGMA %s", pragmas[i]);
    printf("%d %s %lld\n", file, pragmas[i], number(db, sql));
  }
  sqlite3_stmt *statement;
  const char *trees = "SELECT name, count(*), sum(pgsize), sum(unused) FROM dbstat GROUP BY name";
  if (sqlite3_prepare_v2(db, trees, -1, &statement, NULL) == SQLITE_OK) {
    while (sqlite3_step(statement) == SQLITE_ROW) {
      printf("%d tree %s %lld %lld %lld\n", file, (const char *)sqlite3_column_text(statement, 0),
             sqlite3_column_int64(statement, 1), sqlite3_column_int64(statement, 2), sqlite3_column_int64(statement, 3));
    }
    sqlite3_finalize(statement);
  }
  if (sqlite3_prepare_v2(db, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 't%'", -1, &statement,
                         NULL) == SQLITE_OK) {
    while (sqlite3_step(statement) == SQLITE_ROW) {
      const char *name = (const char *)sqlite3_column_text(statement, 0);
      snprintf(sql, sizeof sql, "SELECT count(*) FROM %s", name);
      printf("%d rows %s %lld\n", file, name, number(db, sql));
    }
    sqlite3_finalize(statement);
  }
  char vacuumed[1100];
  snprintf(vacuumed, sizeof vacuumed, "%s/vacuumed", folder);
  unlink(vacuumed);
  snprintf(sql, sizeof sql, "VACUUM INTO '%s'", vacuumed);
  run(db, sql);
  struct stat facts;
  stat(vacuumed, &facts);
  printf("%d vacuumed %lld\n", file, (long long)facts.st_size);
  unlink(vacuumed);
}

static void keep(const char *work, const char *folder, int file) {
  const char *ends[] = {"", "-wal", "-shm"};
  char from[1100], to[1100];
  for (int i = 0; i < 3; i++) {
    snprintf(from, sizeof from, "%s%s", work, ends[i]);
    snprintf(to, sizeof to, "%s/%d.db%s", folder, file, ends[i]);
    copy(from, to);
  }
}

static sqlite3 *open_database(const char *path) {
  sqlite3 *db;
  if (sqlite3_open(path, &db)) exit(1);
  run(db, "PRAGMA synchronous = OFF");
  return db;
}

static void make(int file, const char *folder) {
  char work[1100], sql[400];
  snprintf(work, sizeof work, "%s/work", folder);
  remove_all(work);
  sqlite3 *db = open_database(work);
  int page_size = 512 << (file % 8), vacuum = file / 8 % 3, wal = file / 2 % 2;
  snprintf(sql, sizeof sql, "PRAGMA page_size = %d; PRAGMA auto_vacuum = %d; PRAGMA encoding = '%s'", page_size, vacuum,
           file % 11 == 3 ? "UTF-16" : "UTF-8");
  run(db, sql);
  run(db, wal ? "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0" : "PRAGMA journal_mode = MEMORY");
  if (wal) sqlite3_wal_hook(db, after_commit, NULL);
  int tables = 1 + file % 3;
  for (int table = 0; table < tables; table++) {
    const char *kind = table == 2 ? "a INTEGER, b TEXT, c BLOB, PRIMARY KEY(b, a)) WITHOUT ROWID" : "a INTEGER, b TEXT, c BLOB)";
    snprintf(sql, sizeof sql, "CREATE TABLE t%d(%s; CREATE INDEX i%d ON t%d(%s)", table, kind, table, table,
             file % 2 ? "b" : "c");
    run(db, sql);
  }
  int rounds = file % 5;
  for (int round = 0; round < rounds; round++) {
    run(db, "BEGIN");
    change(db, tables, round);
    run(db, "COMMIT");
  }
  if (vacuum == 2 && file % 2) run(db, "PRAGMA incremental_vacuum(3)");
  if (file % 7 == 4) run(db, "DROP TABLE t0");
  int state_of_log = wal ? file / 4 % 5 : 0;
  sqlite3 *other = NULL;
  if (state_of_log == 1) print_checkpoint(db, file);
  if (state_of_log == 2) {
    run(db, "PRAGMA wal_checkpoint(RESTART); CREATE TABLE t9(a INTEGER, b TEXT, c BLOB)");
    insert_rows(db, 9, 3, 50);
  }
  if (state_of_log == 3) {
    run(db, "PRAGMA wal_checkpoint(TRUNCATE)");
    frames = 0;
  }
  if (state_of_log == 4) {
    // A reader of an older version lets a checkpoint copy a part of the frames only.
    other = open_database(work);
    run(other, "BEGIN");
    number(other, "SELECT count(*) FROM sqlite_schema");
    run(db, "CREATE TABLE t8(a INTEGER, b TEXT, c BLOB)");
    insert_rows(db, 8, 20, 400);
    print_checkpoint(db, file);
  }
  print_reported(db, file, folder);
  if (wal) {
    printf("%d wal 1\n", file);
    if (file % 3 == 2 && state_of_log != 3) {
      // Frames of a transaction that is not committed: its pages do not fit the cache.
      run(db, "CREATE TABLE IF NOT EXISTS t7(a INTEGER, b TEXT, c BLOB)");
      print_reported(db, file, folder);
      run(db, "PRAGMA cache_size = 2; PRAGMA cache_spill = 1; BEGIN");
      insert_rows(db, 7, 60, 40000);
      printf("%d uncommitted 1\n", file);
    }
    printf("%d frames %d\n", file, frames);
  }
  keep(work, folder, file);
  if (!sqlite3_get_autocommit(db)) run(db, "ROLLBACK");
  if (other) sqlite3_close(other);
  sqlite3_close(db);
  remove_all(work);
}

int main(int count, char **arguments) {
  if (count != 4) return 2;
  int files = atoi(arguments[2]);
  for (int file = 0; file < files; file++) {
    state = strtoull(arguments[3], NULL, 10) * 1000 + (uint64_t)file;
    make(file, arguments[1]);
  }
  return 0;
}
