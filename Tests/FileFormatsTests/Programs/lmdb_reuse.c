// Rewrites all rows of an LMDB database in each of many commits, and copies the file after each of the last ones:
// `lmdb_reuse FOLDER SEED WRITEMAP`. The copies are `0.db` of version N, `1.db` of N + 1, and so on.
#include <lmdb.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shared.h"

#define CHECK(call)                                                                      \
  do {                                                                                   \
    int code = (call);                                                                   \
    if (code) return fprintf(stderr, "line %d: %s\n", __LINE__, mdb_strerror(code)), 1; \
  } while (0)

int main(int count, char **arguments) {
  if (count != 4) return 2;
  state = strtoull(arguments[2], NULL, 10);
  char data[1100], lock[1100], to[1100], bytes[4000];
  snprintf(data, sizeof data, "%s/work", arguments[1]);
  snprintf(lock, sizeof lock, "%s/work-lock", arguments[1]);
  unlink(data), unlink(lock);
  MDB_env *env;
  CHECK(mdb_env_create(&env));
  CHECK(mdb_env_set_mapsize(env, 8 << 20));
  CHECK(mdb_env_open(env, data, MDB_NOSUBDIR | MDB_NOSYNC | (atoi(arguments[3]) ? MDB_WRITEMAP : 0), 0644));
  int warming = 12, copies = 4;
  for (int commit = 0; commit < warming + copies; commit++) {
    MDB_txn *txn;
    MDB_dbi table;
    CHECK(mdb_txn_begin(env, NULL, 0, &txn));
    CHECK(mdb_dbi_open(txn, NULL, 0, &table));
    for (uint64_t row = 0; row < 200; row++) {
      MDB_val key = {sizeof row, &row}, value = {(size_t)(row % 20 ? 300 : 3000), bytes};
      memset(bytes, 'a' + below(26), sizeof bytes);
      CHECK(mdb_put(txn, table, &key, &value, 0));
    }
    CHECK(mdb_txn_commit(txn));
    if (commit < warming) continue;
    snprintf(to, sizeof to, "%s/%d.db", arguments[1], commit - warming);
    copy(data, to);
  }
  mdb_env_close(env);
  return 0;
}
