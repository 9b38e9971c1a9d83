// Makes LMDB files that differ in rows, deletes, named databases, duplicates, value sizes and held readers, and prints what
// LMDB itself reports of each: `lmdb_files FOLDER COUNT SEED`.
#include <fcntl.h>
#include <lmdb.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shared.h"

static int checked(int code, int line) {
  if (code && code != MDB_NOTFOUND && code != MDB_KEYEXIST) {
    fprintf(stderr, "line %d: %s\n", line, mdb_strerror(code));
    exit(1);
  }
  return code;
}
#define CHECK(call) checked(call, __LINE__)

static const unsigned kinds[] = {0, MDB_DUPSORT, MDB_INTEGERKEY, MDB_DUPSORT | MDB_DUPFIXED};

static void change(MDB_txn *txn, MDB_dbi table, unsigned flags, int rows) {
  static char bytes[40000];
  for (int row = 0; row < rows; row++) {
    uint64_t key = (uint64_t)below(flags & MDB_DUPSORT ? 12 : 400);
    char text[40];
    MDB_val name = {sizeof key, &key}, value = {0, bytes};
    if (!(flags & MDB_INTEGERKEY)) {
      name.mv_size = (size_t)snprintf(text, sizeof text, "key-%llu", (unsigned long long)key);
      name.mv_data = text;
    }
    if (below(4) == 0) {
      CHECK(mdb_del(txn, table, &name, NULL));
      continue;
    }
    memset(bytes, 'a' + below(26), 64);
    uint64_t random = next_random();
    memcpy(bytes, &random, sizeof random);
    if (flags & MDB_DUPFIXED) value.mv_size = 8;
    else if (flags & MDB_DUPSORT) value.mv_size = (size_t)(8 + below(300));
    else value.mv_size = (size_t)(below(12) == 0 ? below(20000) : below(500));
    CHECK(mdb_put(txn, table, &name, &value, 0));
  }
}

static void print_stat(int file, const char *name, const MDB_stat *stat) {
  printf("%d tree %s %zu %zu %zu %zu %u\n", file, name, stat->ms_branch_pages, stat->ms_leaf_pages, stat->ms_overflow_pages,
         stat->ms_entries, stat->ms_depth);
}

static void print_free(int file, MDB_txn *txn, uint64_t oldest) {
  MDB_cursor *cursor;
  MDB_val key, data;
  size_t all = 0, held = 0;
  CHECK(mdb_cursor_open(txn, 0, &cursor));
  while (mdb_cursor_get(cursor, &key, &data, MDB_NEXT) == 0) {
    size_t pages = *(size_t *)data.mv_data;
    all += pages;
    if (*(size_t *)key.mv_data >= oldest) held += pages;
  }
  mdb_cursor_close(cursor);
  printf("%d free %zu %zu\n", file, all, held);
}

static void make(int file, const char *folder) {
  char data[1100], lock[1100], to[1100];
  snprintf(data, sizeof data, "%s/work", folder);
  snprintf(lock, sizeof lock, "%s/work-lock", folder);
  unlink(data), unlink(lock);
  MDB_env *env;
  CHECK(mdb_env_create(&env));
  CHECK(mdb_env_set_maxdbs(env, 8));
  CHECK(mdb_env_set_maxreaders(env, (unsigned)(20 + file)));
  CHECK(mdb_env_set_mapsize(env, (size_t)(4 + file % 5) << 20));
  CHECK(mdb_env_open(env, data, MDB_NOSUBDIR | MDB_NOSYNC | MDB_NOTLS | (file % 6 == 5 ? MDB_WRITEMAP : 0), 0644));
  int tables = file % 5;
  MDB_dbi table[5];
  unsigned flags[5];
  char name[5][16];
  MDB_txn *txn, *readers[3] = {NULL, NULL, NULL};
  CHECK(mdb_txn_begin(env, NULL, 0, &txn));
  for (int i = 0; i < tables; i++) {
    flags[i] = kinds[(file / 5 + i) % 4];
    snprintf(name[i], sizeof name[i], "table%d", i);
    CHECK(mdb_dbi_open(txn, name[i], MDB_CREATE | flags[i], &table[i]));
  }
  CHECK(mdb_txn_commit(txn));
  int rounds = file % 13, reader_count = file % 4;
  uint64_t oldest = 0;
  for (int round = 0; round < rounds; round++) {
    CHECK(mdb_txn_begin(env, NULL, 0, &txn));
    if (tables == 0) {
      MDB_dbi main_table;
      CHECK(mdb_dbi_open(txn, NULL, 0, &main_table));
      change(txn, main_table, 0, 20 + below(60));
    }
    for (int i = 0; i < tables; i++) {
      change(txn, table[i], flags[i], 20 + below(120));
      if (below(12) == 0) CHECK(mdb_drop(txn, table[i], 0));
    }
    CHECK(mdb_txn_commit(txn));
    if (round >= 2 && round - 2 < reader_count) {
      CHECK(mdb_txn_begin(env, NULL, MDB_RDONLY, &readers[round - 2]));
      if (!oldest) oldest = mdb_txn_id(readers[round - 2]);
    }
  }
  MDB_envinfo info;
  MDB_stat stat;
  CHECK(mdb_env_info(env, &info));
  CHECK(mdb_txn_begin(env, NULL, MDB_RDONLY, &txn));
  printf("%d psize %d\n", file, (CHECK(mdb_env_stat(env, &stat)), (int)stat.ms_psize));
  printf("%d last_pgno %zu\n%d last_txnid %zu\n%d mapsize %zu\n", file, info.me_last_pgno, file, info.me_last_txnid, file,
         info.me_mapsize);
  CHECK(mdb_stat(txn, 0, &stat));
  print_stat(file, "gc", &stat);
  MDB_dbi main_table;
  CHECK(mdb_dbi_open(txn, NULL, 0, &main_table));
  CHECK(mdb_stat(txn, main_table, &stat));
  print_stat(file, "main", &stat);
  for (int i = 0; i < tables; i++) {
    CHECK(mdb_stat(txn, table[i], &stat));
    print_stat(file, name[i], &stat);
  }
  uint64_t newest = info.me_last_txnid;
  print_free(file, txn, oldest && oldest < newest ? oldest : newest);
  mdb_txn_abort(txn);
  printf("%d oldest %llu\n", file, (unsigned long long)oldest);
  snprintf(to, sizeof to, "%s/compacted", folder);
  unlink(to);
  CHECK(mdb_env_copy2(env, to, MDB_CP_COMPACT));
  struct stat facts;
  if (lstat(to, &facts)) exit(1);
  printf("%d compacted %lld\n", file, (long long)facts.st_size);
  unlink(to);
  CHECK(mdb_env_sync(env, 1));
  snprintf(to, sizeof to, "%s/%d.db", folder, file);
  copy(data, to);
  snprintf(to, sizeof to, "%s/%d.db-lock", folder, file);
  if (file % 7 != 6) copy(lock, to);
  for (int i = 0; i < 3; i++) {
    if (readers[i]) mdb_txn_abort(readers[i]);
  }
  mdb_env_close(env);
  unlink(data), unlink(lock);
}

int main(int count, char **arguments) {
  if (count != 4) return 2;
  for (int file = 0; file < atoi(arguments[2]); file++) {
    state = strtoull(arguments[3], NULL, 10) * 1000 + (uint64_t)file;
    make(file, arguments[1]);
  }
  return 0;
}
