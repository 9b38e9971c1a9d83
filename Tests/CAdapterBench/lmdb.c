// LMDB, with the settings of the adapter: one named database with integer keys, readers tied to objects, the same map.
#include "../../Sources/CLMDB/shim.h"
#include "calls.h"
#include <stdlib.h>

#define FUNCTIONS(USE)                                                                                              \
  USE(mdb_strerror) USE(mdb_env_create) USE(mdb_env_set_mapsize) USE(mdb_env_set_maxreaders) USE(mdb_env_set_maxdbs) \
  USE(mdb_env_open) USE(mdb_env_close) USE(mdb_txn_begin) USE(mdb_txn_commit) USE(mdb_txn_abort) USE(mdb_dbi_open)   \
  USE(mdb_get) USE(mdb_put)

#define MEMBER(name) __typeof__(&name) name;
static struct {
  FUNCTIONS(MEMBER)
} call;

struct direct_database {
  MDB_env *env;
  MDB_dbi table;
};

static int find(void *handle) {
  FUNCTIONS(DIRECT_FIND)
  return 0;
}

static int fail(const char *action, int code) { return direct_fail(action, call.mdb_strerror(code)); }

static int prepare(direct_database *database, const direct_settings *settings) {
  int code = call.mdb_env_create(&database->env);
  if (code) return fail("mdb_env_create", code);
  call.mdb_env_set_mapsize(database->env, (size_t)64 << 30);
  call.mdb_env_set_maxreaders(database->env, 1022);
  call.mdb_env_set_maxdbs(database->env, 65);
  unsigned flags = MDB_NOSUBDIR | MDB_NOTLS | (settings->durable ? 0 : MDB_NOSYNC);
  if ((code = call.mdb_env_open(database->env, settings->path, flags, 0644))) return fail("mdb_env_open", code);
  MDB_txn *txn;
  if ((code = call.mdb_txn_begin(database->env, NULL, 0, &txn))) return fail("mdb_txn_begin", code);
  if ((code = call.mdb_dbi_open(txn, "rows", MDB_CREATE | MDB_INTEGERKEY, &database->table))) {
    call.mdb_txn_abort(txn);
    return fail("mdb_dbi_open", code);
  }
  if ((code = call.mdb_txn_commit(txn))) return fail("mdb_txn_commit", code);
  return 0;
}

static void end(direct_database *database) {
  if (database->env) call.mdb_env_close(database->env);
  free(database);
}

static direct_database *begin(const direct_settings *settings) {
  return direct_begin(settings, sizeof(direct_database), find, prepare, end);
}

static int load(direct_database *database, size_t rows, const void *value, size_t bytes) {
  MDB_txn *txn;
  int code = call.mdb_txn_begin(database->env, NULL, 0, &txn);
  if (code) return fail("mdb_txn_begin", code);
  for (size_t row = 0; row < rows; row++) {
    uint64_t word = direct_word((int64_t)row);
    MDB_val key = {sizeof word, &word};
    MDB_val data = {bytes, (void *)value};
    if ((code = call.mdb_put(txn, database->table, &key, &data, 0))) {
      call.mdb_txn_abort(txn);
      return fail("mdb_put", code);
    }
  }
  return (code = call.mdb_txn_commit(txn)) ? fail("mdb_txn_commit", code) : 0;
}

static int commit(
    direct_database *database, const int64_t *keys, size_t puts, size_t commits, void *value, size_t bytes) {
  for (size_t number = 0; number < commits; number++) {
    direct_stamp(value, bytes, number);
    MDB_txn *txn;
    int code = call.mdb_txn_begin(database->env, NULL, 0, &txn);
    if (code) return fail("mdb_txn_begin", code);
    for (size_t put = 0; put < puts; put++) {
      uint64_t word = direct_word(*keys++);
      MDB_val key = {sizeof word, &word};
      MDB_val data = {bytes, value};
      if ((code = call.mdb_put(txn, database->table, &key, &data, 0))) {
        call.mdb_txn_abort(txn);
        return fail("mdb_put", code);
      }
    }
    if ((code = call.mdb_txn_commit(txn))) return fail("mdb_txn_commit", code);
  }
  return 0;
}

static int read_rows(
    direct_database *database, const int64_t *keys, size_t reads, size_t in_snapshot, uint64_t *sum) {
  for (size_t done = 0; done < reads;) {
    MDB_txn *txn;
    int code = call.mdb_txn_begin(database->env, NULL, MDB_RDONLY, &txn);
    if (code) return fail("mdb_txn_begin", code);
    for (size_t row = 0; row < in_snapshot && done < reads; row++, done++) {
      uint64_t word = direct_word(keys[done]);
      MDB_val key = {sizeof word, &word};
      MDB_val data;
      if ((code = call.mdb_get(txn, database->table, &key, &data))) {
        call.mdb_txn_abort(txn);
        return fail("mdb_get", code);
      }
      *sum += direct_touch(data.mv_data, data.mv_size);
    }
    call.mdb_txn_abort(txn);
  }
  return 0;
}

const direct_library *direct_lmdb(void) {
  static const direct_library library = {begin, load, commit, read_rows, end, 0};
  return &library;
}
