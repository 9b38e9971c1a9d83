// Makes libmdbx files that differ in page size, rows, deletes, named databases, value sizes and held readers, and prints what
// libmdbx itself reports of each: `mdbx_files FOLDER COUNT SEED LIBRARY`. The declarations are the project's own.
#include "shim.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shared.h"

#define FUNCTIONS(USE)                                                                                             \
  USE(mdbx_strerror) USE(mdbx_env_create) USE(mdbx_env_set_option) USE(mdbx_env_set_geometry) USE(mdbx_env_open)   \
  USE(mdbx_env_close_ex) USE(mdbx_env_info_ex) USE(mdbx_env_copy2fd) USE(mdbx_txn_begin_ex) USE(mdbx_txn_commit)   \
  USE(mdbx_txn_abort) USE(mdbx_txn_id) USE(mdbx_dbi_open) USE(mdbx_dbi_stat) USE(mdbx_put) USE(mdbx_del)           \
  USE(mdbx_cursor_open) USE(mdbx_cursor_close) USE(mdbx_cursor_get)

#define MEMBER(name) name##_function name;
static struct {
  FUNCTIONS(MEMBER)
} call;

static int checked(int code, int line) {
  if (code > 0 || (code < -1 && code != MDBX_NOTFOUND)) {
    fprintf(stderr, "line %d: %s\n", line, call.mdbx_strerror(code));
    exit(1);
  }
  return code;
}
#define CHECK(action) checked(call.action, __LINE__)

#define DUPSORT 0x04
#define DUPFIXED 0x10
static const unsigned kinds[] = {0, DUPSORT, MDBX_INTEGERKEY, DUPSORT | DUPFIXED};

static void change(MDBX_txn *txn, MDBX_dbi table, unsigned flags, int rows) {
  static char bytes[40000];
  for (int row = 0; row < rows; row++) {
    uint64_t key = (uint64_t)below(flags & DUPSORT ? 12 : 400);
    char text[40];
    MDBX_val name = {&key, sizeof key}, value = {bytes, 0};
    if (!(flags & MDBX_INTEGERKEY)) {
      name.iov_len = (size_t)snprintf(text, sizeof text, "key-%llu", (unsigned long long)key);
      name.iov_base = text;
    }
    if (below(4) == 0) {
      CHECK(mdbx_del(txn, table, &name, NULL));
      continue;
    }
    memset(bytes, 'a' + below(26), 64);
    uint64_t random = next_random();
    memcpy(bytes, &random, sizeof random);
    if (flags & DUPFIXED) value.iov_len = 8;
    else if (flags & DUPSORT) value.iov_len = (size_t)(8 + below(60));
    else value.iov_len = (size_t)(below(12) == 0 ? below(20000) : below(500));
    CHECK(mdbx_put(txn, table, &name, &value, 0));
  }
}

static void print_stat(int file, const char *name, const MDBX_stat *stat) {
  printf("%d tree %s %llu %llu %llu %llu %u\n", file, name, (unsigned long long)stat->ms_branch_pages,
         (unsigned long long)stat->ms_leaf_pages, (unsigned long long)stat->ms_overflow_pages,
         (unsigned long long)stat->ms_entries, stat->ms_depth);
}

static void print_free(int file, MDBX_txn *txn, uint64_t oldest) {
  MDBX_cursor *cursor;
  MDBX_val key, data;
  size_t all = 0, held = 0;
  CHECK(mdbx_cursor_open(txn, 0, &cursor));
  while (call.mdbx_cursor_get(cursor, &key, &data, MDBX_NEXT) == 0) {
    uint32_t pages = *(uint32_t *)data.iov_base;
    uint64_t version;
    memcpy(&version, key.iov_base, sizeof version);
    all += pages;
    if (version > oldest) held += pages;
  }
  call.mdbx_cursor_close(cursor);
  printf("%d free %zu %zu\n", file, all, held);
}

static void make(int file, const char *folder) {
  char data[1100], lock[1100], to[1100];
  snprintf(data, sizeof data, "%s/work", folder);
  snprintf(lock, sizeof lock, "%s/work-lck", folder);
  unlink(data), unlink(lock);
  MDBX_env *env;
  CHECK(mdbx_env_create(&env));
  CHECK(mdbx_env_set_option(env, MDBX_opt_max_db, 8));
  CHECK(mdbx_env_set_geometry(env, 0, -1, 8 << 20, (1 + file % 3) << 16, 0, (intptr_t)1024 << (file % 6)));
  CHECK(mdbx_env_open(env, data, MDBX_NOSUBDIR | MDBX_NOSTICKYTHREADS | (file % 5 == 4 ? MDBX_SAFE_NOSYNC : 0), 0644));
  int tables = file % 5;
  MDBX_dbi table[5], main_table;
  unsigned flags[5];
  char name[5][16];
  MDBX_txn *txn, *readers[3] = {NULL, NULL, NULL};
  CHECK(mdbx_txn_begin_ex(env, NULL, 0, &txn, NULL));
  CHECK(mdbx_dbi_open(txn, NULL, 0, &main_table));
  for (int i = 0; i < tables; i++) {
    flags[i] = kinds[(file / 5 + i) % 4];
    snprintf(name[i], sizeof name[i], "table%d", i);
    CHECK(mdbx_dbi_open(txn, name[i], MDBX_CREATE | flags[i], &table[i]));
  }
  CHECK(mdbx_txn_commit(txn));
  int rounds = file % 13, reader_count = file % 4;
  uint64_t oldest = 0;
  for (int round = 0; round < rounds; round++) {
    CHECK(mdbx_txn_begin_ex(env, NULL, 0, &txn, NULL));
    if (tables == 0) change(txn, main_table, 0, 20 + below(60));
    for (int i = 0; i < tables; i++) change(txn, table[i], flags[i], 20 + below(120));
    CHECK(mdbx_txn_commit(txn));
    if (round >= 2 && round - 2 < reader_count) {
      CHECK(mdbx_txn_begin_ex(env, NULL, MDBX_TXN_RDONLY, &readers[round - 2], NULL));
      if (!oldest) oldest = call.mdbx_txn_id(readers[round - 2]);
    }
  }
  union {
    MDBX_envinfo info;
    char bytes[sizeof(MDBX_envinfo_14)];
  } facts;
  MDBX_stat stat;
  CHECK(mdbx_txn_begin_ex(env, NULL, MDBX_TXN_RDONLY, &txn, NULL));
  CHECK(mdbx_env_info_ex(env, txn, &facts.info, sizeof facts.info));
  CHECK(mdbx_dbi_stat(txn, 1, &stat, sizeof stat));
  printf("%d psize %u\n%d last_pgno %llu\n%d last_txnid %llu\n%d upper %llu\n%d now %llu\n%d grow %llu\n", file,
         stat.ms_psize, file, (unsigned long long)facts.info.mi_last_pgno, file,
         (unsigned long long)facts.info.mi_recent_txnid, file, (unsigned long long)facts.info.mi_geo.upper, file,
         (unsigned long long)facts.info.mi_geo.current, file, (unsigned long long)facts.info.mi_geo.grow);
  print_stat(file, "main", &stat);
  CHECK(mdbx_dbi_stat(txn, 0, &stat, sizeof stat));
  print_stat(file, "gc", &stat);
  for (int i = 0; i < tables; i++) {
    CHECK(mdbx_dbi_stat(txn, table[i], &stat, sizeof stat));
    print_stat(file, name[i], &stat);
  }
  uint64_t steady = 0;
  for (int i = 0; i < 3; i++) {
    if (facts.info.mi_meta_sign[i] > 1 && facts.info.mi_meta_txnid[i] > steady) steady = facts.info.mi_meta_txnid[i];
  }
  print_free(file, txn, oldest && oldest < steady ? oldest : steady);
  call.mdbx_txn_abort(txn);
  printf("%d oldest %llu\n%d steady %llu\n", file, (unsigned long long)oldest, file, (unsigned long long)steady);
  snprintf(to, sizeof to, "%s/%d.db", folder, file);
  copy(data, to);
  snprintf(to, sizeof to, "%s/%d.db-lck", folder, file);
  if (file % 7 != 6) copy(lock, to);
  snprintf(to, sizeof to, "%s/compacted", folder);
  int descriptor = open(to, O_RDWR | O_CREAT | O_TRUNC, 0644);
  CHECK(mdbx_env_copy2fd(env, descriptor, MDBX_CP_COMPACT));
  struct stat size;
  fstat(descriptor, &size);
  printf("%d compacted %lld\n", file, (long long)size.st_size);
  close(descriptor);
  unlink(to);
  for (int i = 0; i < 3; i++) {
    if (readers[i]) call.mdbx_txn_abort(readers[i]);
  }
  call.mdbx_env_close_ex(env, true);
  unlink(data), unlink(lock);
}

int main(int count, char **arguments) {
  if (count != 5) return 2;
  void *library = dlopen(arguments[4], RTLD_NOW | RTLD_GLOBAL);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
#define FIND(name)                                                                                                 \
  *(void **)&call.name = dlsym(library, #name);                                                                    \
  if (!call.name) fprintf(stderr, "no %s\n", #name);
  FUNCTIONS(FIND)
  for (int file = 0; file < atoi(arguments[2]); file++) {
    state = strtoull(arguments[3], NULL, 10) * 1000 + (uint64_t)file;
    make(file, arguments[1]);
  }
  return 0;
}
