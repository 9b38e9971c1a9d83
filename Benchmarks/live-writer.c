// Commits to a file of SQLite or LMDB and prints how many commits it made: `live-writer ENGINE FILE SECONDS PER_SECOND ROWS`.
// PER_SECOND 0 is full speed. Each commit replaces ten rows of 100 to 2000 bytes of as many as ROWS says.
#include <lmdb.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static uint64_t state = 1;
static uint64_t next_random(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return state >> 33;
}

static double start, seconds, rate;
static long commits, rows;

// Waits for the next commit's time, and returns whether there is one.
static int goes_on(void) {
  if (rate > 0) {
    double left = start + (double)commits / rate - now();
    if (left > 0) {
      struct timespec time = {(time_t)left, (long)((left - (double)(time_t)left) * 1e9)};
      nanosleep(&time, NULL);
    }
  }
  return now() - start < seconds;
}

#define CHECK(call) do { int code = (call); if (code) fprintf(stderr, "%s: %d\n", #call, code), exit(1); } while (0)

static void sqlite(const char *path) {
  sqlite3 *database;
  sqlite3_stmt *insert;
  CHECK(sqlite3_open(path, &database));
  CHECK(sqlite3_exec(database, "pragma journal_mode=wal; pragma synchronous=normal; create table if not exists t(id integer primary key, data)",
                     NULL, NULL, NULL));
  CHECK(sqlite3_prepare_v2(database, "insert or replace into t values(?, zeroblob(?))", -1, &insert, NULL));
  for (start = now(); goes_on(); commits++) {
    CHECK(sqlite3_exec(database, "begin immediate", NULL, NULL, NULL));
    for (int i = 0; i < 10; i++) {
      sqlite3_bind_int64(insert, 1, (long)(next_random() % (uint64_t)rows));
      sqlite3_bind_int64(insert, 2, 100 + (long)(next_random() % 1900));
      if (sqlite3_step(insert) != SQLITE_DONE) exit(1);
      sqlite3_reset(insert);
    }
    CHECK(sqlite3_exec(database, "commit", NULL, NULL, NULL));
  }
  sqlite3_finalize(insert);
  sqlite3_close(database);
}

static void lmdb(const char *path) {
  static char bytes[2000];
  MDB_env *env;
  MDB_dbi table;
  MDB_txn *txn;
  CHECK(mdb_env_create(&env));
  CHECK(mdb_env_set_mapsize(env, 100 << 20));
  CHECK(mdb_env_open(env, path, MDB_NOSUBDIR | MDB_NOSYNC, 0644));
  CHECK(mdb_txn_begin(env, NULL, 0, &txn));
  CHECK(mdb_dbi_open(txn, NULL, 0, &table));
  CHECK(mdb_txn_commit(txn));
  for (start = now(); goes_on(); commits++) {
    CHECK(mdb_txn_begin(env, NULL, 0, &txn));
    for (int i = 0; i < 10; i++) {
      uint64_t id = next_random() % (uint64_t)rows;
      MDB_val key = {sizeof id, &id}, value = {100 + next_random() % 1900, bytes};
      CHECK(mdb_put(txn, table, &key, &value, 0));
    }
    CHECK(mdb_txn_commit(txn));
  }
  mdb_env_close(env);
}

int main(int count, char **arguments) {
  if (count != 6) return 2;
  seconds = atof(arguments[3]), rate = atof(arguments[4]), rows = atol(arguments[5]);
  if (strcmp(arguments[1], "sqlite") == 0) sqlite(arguments[2]);
  else lmdb(arguments[2]);
  printf("%ld\n", commits);
}
