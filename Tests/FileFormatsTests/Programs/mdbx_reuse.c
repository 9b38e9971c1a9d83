// Rewrites all rows of a libmdbx database in each of many commits, and copies the file after each of the last ones:
// `mdbx_reuse FOLDER SEED WRITEMAP LIBRARY`. The copies are `0.db` of version N, `1.db` of N + 1, and so on.
#include "shim.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shared.h"

#define FUNCTIONS(USE)                                                                                       \
  USE(mdbx_strerror) USE(mdbx_env_create) USE(mdbx_env_set_geometry) USE(mdbx_env_open) USE(mdbx_env_close_ex) \
  USE(mdbx_txn_begin_ex) USE(mdbx_txn_commit) USE(mdbx_dbi_open) USE(mdbx_put)

#define WRITEMAP 0x80000

#define MEMBER(name) name##_function name;
static struct {
  FUNCTIONS(MEMBER)
} call;

#define CHECK(action)                                                                               \
  do {                                                                                              \
    int code = call.action;                                                                         \
    if (code) return fprintf(stderr, "line %d: %s\n", __LINE__, call.mdbx_strerror(code)), 1; \
  } while (0)

int main(int count, char **arguments) {
  if (count != 5) return 2;
  void *library = dlopen(arguments[4], RTLD_NOW | RTLD_GLOBAL);
  if (!library) return fprintf(stderr, "%s\n", dlerror()), 1;
#define FIND(name) \
  if (!(*(void **)&call.name = dlsym(library, #name))) return fprintf(stderr, "no %s\n", #name), 1;
  FUNCTIONS(FIND)
  state = strtoull(arguments[2], NULL, 10);
  char data[1100], lock[1100], to[1100], bytes[4000];
  snprintf(data, sizeof data, "%s/work", arguments[1]);
  snprintf(lock, sizeof lock, "%s/work-lck", arguments[1]);
  unlink(data), unlink(lock);
  MDBX_env *env;
  CHECK(mdbx_env_create(&env));
  CHECK(mdbx_env_set_geometry(env, 0, -1, 8 << 20, 1 << 16, 0, 4096));
  CHECK(mdbx_env_open(env, data, MDBX_NOSUBDIR | MDBX_NOSTICKYTHREADS | (atoi(arguments[3]) ? WRITEMAP : 0), 0644));
  int warming = 12, copies = 4;
  for (int commit = 0; commit < warming + copies; commit++) {
    MDBX_txn *txn;
    MDBX_dbi table;
    CHECK(mdbx_txn_begin_ex(env, NULL, 0, &txn, NULL));
    CHECK(mdbx_dbi_open(txn, NULL, 0, &table));
    for (uint64_t row = 0; row < 200; row++) {
      MDBX_val key = {&row, sizeof row}, value = {bytes, (size_t)(row % 20 ? 300 : 3000)};
      memset(bytes, 'a' + below(26), sizeof bytes);
      CHECK(mdbx_put(txn, table, &key, &value, 0));
    }
    CHECK(mdbx_txn_commit(txn));
    if (commit < warming) continue;
    snprintf(to, sizeof to, "%s/%d.db", arguments[1], commit - warming);
    copy(data, to);
  }
  call.mdbx_env_close_ex(env, true);
  return 0;
}
