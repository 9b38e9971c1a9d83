// libmdbx, with the settings of the adapter: the same geometry, one named table with integer keys, and without durability
// a sync for each MiB.
#include "../../Sources/CMDBX/shim.h"
#include "calls.h"
#include <stdlib.h>

#define FUNCTIONS(USE)                                                                                             \
  USE(mdbx_strerror) USE(mdbx_env_create) USE(mdbx_env_set_option) USE(mdbx_env_set_geometry) USE(mdbx_env_open)   \
  USE(mdbx_env_close_ex) USE(mdbx_txn_begin_ex) USE(mdbx_txn_commit) USE(mdbx_txn_abort) USE(mdbx_dbi_open)        \
  USE(mdbx_get) USE(mdbx_put)

#define MEMBER(name) name##_function name;
static struct {
  FUNCTIONS(MEMBER)
} call;

struct direct_database {
  MDBX_env *env;
  MDBX_dbi table;
};

static int find(void *handle) {
  FUNCTIONS(DIRECT_FIND)
  return 0;
}

static int fail(const char *action, int code) { return direct_fail(action, call.mdbx_strerror(code)); }

static int begin_write(direct_database *database, MDBX_txn **txn) {
  int code = call.mdbx_txn_begin_ex(database->env, NULL, 0, txn, NULL);
  return code ? fail("mdbx_txn_begin_ex", code) : 0;
}

static int prepare(direct_database *database, const direct_settings *settings) {
  int code = call.mdbx_env_create(&database->env);
  if (code) return fail("mdbx_env_create", code);
  code = call.mdbx_env_set_geometry(database->env, 0, -1, (intptr_t)64 << 30, 256 << 10, 0, -1);
  if (code) return fail("mdbx_env_set_geometry", code);
  call.mdbx_env_set_option(database->env, MDBX_opt_max_readers, 1022);
  call.mdbx_env_set_option(database->env, MDBX_opt_max_db, 65);
  uint32_t flags = MDBX_NOSUBDIR | MDBX_NOSTICKYTHREADS | (settings->durable ? 0 : MDBX_SAFE_NOSYNC);
  if ((code = call.mdbx_env_open(database->env, settings->path, flags, 0644))) return fail("mdbx_env_open", code);
  if (!settings->durable && (code = call.mdbx_env_set_option(database->env, MDBX_opt_sync_bytes, 1 << 20)))
    return fail("mdbx_env_set_option", code);
  MDBX_txn *txn;
  if (begin_write(database, &txn)) return 1;
  if ((code = call.mdbx_dbi_open(txn, "rows", MDBX_CREATE | MDBX_INTEGERKEY, &database->table))) {
    call.mdbx_txn_abort(txn);
    return fail("mdbx_dbi_open", code);
  }
  return (code = call.mdbx_txn_commit(txn)) ? fail("mdbx_txn_commit", code) : 0;
}

static void end(direct_database *database) {
  if (database->env) call.mdbx_env_close_ex(database->env, false);
  free(database);
}

static direct_database *begin(const direct_settings *settings) {
  return direct_begin(settings, sizeof(direct_database), find, prepare, end);
}

static int load(direct_database *database, size_t rows, const void *value, size_t bytes) {
  MDBX_txn *txn;
  if (begin_write(database, &txn)) return 1;
  int code;
  for (size_t row = 0; row < rows; row++) {
    uint64_t word = direct_word((int64_t)row);
    MDBX_val key = {&word, sizeof word};
    MDBX_val data = {(void *)value, bytes};
    if ((code = call.mdbx_put(txn, database->table, &key, &data, 0))) {
      call.mdbx_txn_abort(txn);
      return fail("mdbx_put", code);
    }
  }
  return (code = call.mdbx_txn_commit(txn)) ? fail("mdbx_txn_commit", code) : 0;
}

static int commit(
    direct_database *database, const int64_t *keys, size_t puts, size_t commits, void *value, size_t bytes) {
  for (size_t number = 0; number < commits; number++) {
    direct_stamp(value, bytes, number);
    MDBX_txn *txn;
    if (begin_write(database, &txn)) return 1;
    int code;
    for (size_t put = 0; put < puts; put++) {
      uint64_t word = direct_word(*keys++);
      MDBX_val key = {&word, sizeof word};
      MDBX_val data = {value, bytes};
      if ((code = call.mdbx_put(txn, database->table, &key, &data, 0))) {
        call.mdbx_txn_abort(txn);
        return fail("mdbx_put", code);
      }
    }
    if ((code = call.mdbx_txn_commit(txn))) return fail("mdbx_txn_commit", code);
  }
  return 0;
}

static int read_rows(
    direct_database *database, const int64_t *keys, size_t reads, size_t in_snapshot, uint64_t *sum) {
  for (size_t done = 0; done < reads;) {
    MDBX_txn *txn;
    int code = call.mdbx_txn_begin_ex(database->env, NULL, MDBX_TXN_RDONLY, &txn, NULL);
    if (code) return fail("mdbx_txn_begin_ex", code);
    for (size_t row = 0; row < in_snapshot && done < reads; row++, done++) {
      uint64_t word = direct_word(keys[done]);
      MDBX_val key = {&word, sizeof word};
      MDBX_val data;
      if ((code = call.mdbx_get(txn, database->table, &key, &data))) {
        call.mdbx_txn_abort(txn);
        return fail("mdbx_get", code);
      }
      *sum += direct_touch(data.iov_base, data.iov_len);
    }
    call.mdbx_txn_abort(txn);
  }
  return 0;
}

const direct_library *direct_mdbx(void) {
  static const direct_library library = {begin, load, commit, read_rows, end, 0};
  return &library;
}
