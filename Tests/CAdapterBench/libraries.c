// The libraries by the names of their engines.
#include "direct.h"
#include <string.h>

const direct_library *direct_lmdb(void);
const direct_library *direct_sqlite(void);
const direct_library *direct_mdbx(void);
const direct_library *direct_realm(void);
const direct_library *direct_rocksdb(void);
const direct_library *direct_wiredtiger(void);
const direct_library *direct_duckdb(void);

static const struct {
  const char *engine;
  const direct_library *(*library)(void);
} libraries[] = {
  {"lmdb", direct_lmdb}, {"sqlite", direct_sqlite}, {"mdbx", direct_mdbx}, {"realm-core", direct_realm},
  {"rocksdb", direct_rocksdb}, {"wiredtiger", direct_wiredtiger}, {"duckdb", direct_duckdb}};

const direct_library *direct_named(const char *engine) {
  for (size_t index = 0; index < sizeof libraries / sizeof *libraries; index++)
    if (strcmp(libraries[index].engine, engine) == 0) return libraries[index].library();
  return NULL;
}
