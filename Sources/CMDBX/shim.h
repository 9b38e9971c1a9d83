// What is used of libmdbx, declared anew from its documentation (https://libmdbx.dqdkfa.ru, the reference of the C API of
// 0.13, and what 0.14 has otherwise): no package that brings the library brings a header. Names and values are libmdbx's.
// The compiler cannot check any of this against the library, so MDBXLibrary does what can be done at run time: it asks for
// the version, and hands each structure over with its size, which the library refuses where it has another.
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>
#include <sys/types.h>
#include <sys/uio.h>

typedef struct MDBX_env MDBX_env;
typedef struct MDBX_txn MDBX_txn;
typedef struct MDBX_cursor MDBX_cursor;
typedef uint32_t MDBX_dbi;
/// Address and length, in this order: LMDB's has them the other way round.
typedef struct iovec MDBX_val;

/// `mdbx_version`, an object of the library: its layout since 0.13. 0.12 and older begin with single bytes instead, so
/// that `major` of theirs reads as 256 × minor + major, which is no version that is taken.
typedef struct MDBX_version_info {
  uint16_t major, minor, patch, tweak;
  const char *semver_prerelease;
  struct {
    const char *datetime, *tree, *commit, *describe;
  } git;
  const char *sourcery;
} MDBX_version_info;

typedef struct MDBX_stat {
  uint32_t ms_psize, ms_depth;
  uint64_t ms_branch_pages, ms_leaf_pages, ms_overflow_pages, ms_entries, ms_mod_txnid;
} MDBX_stat;

typedef struct MDBX_envinfo {
  struct {
    uint64_t lower, upper, current, shrink, grow;
  } mi_geo;
  uint64_t mi_mapsize, mi_last_pgno, mi_recent_txnid, mi_latter_reader_txnid, mi_self_latter_reader_txnid;
  uint64_t mi_meta_txnid[3], mi_meta_sign[3];
  uint32_t mi_maxreaders, mi_numreaders, mi_dxb_pagesize, mi_sys_pagesize;
  struct {
    struct {
      uint64_t x, y;
    } current, meta[3];
  } mi_bootid;
  uint64_t mi_unsync_volume, mi_autosync_threshold;
  uint32_t mi_since_sync_seconds16dot16, mi_autosync_period_seconds16dot16;
  uint32_t mi_since_reader_check_seconds16dot16, mi_mode;
  struct {
    uint64_t newly, cow, clone, split, merge, spill, unspill, wops, prefault, mincore, msync, fsync;
  } mi_pgop_stat;
  struct {
    uint64_t x, y;
  } mi_dxbid;
} MDBX_envinfo;

_Static_assert(sizeof(MDBX_envinfo) == 352, "the layout of libmdbx 0.13");

/// `MDBX_envinfo` as 0.14 has it.
typedef struct MDBX_envinfo_14 {
  struct {
    uint64_t lower, upper, current, shrink, grow;
  } mi_geo;
  uint64_t mi_mapsize, mi_dxb_fsize, mi_dxb_fallocated, mi_last_pgno, mi_recent_txnid, mi_latter_reader_txnid;
  uint64_t mi_self_latter_reader_txnid, mi_meta_txnid[3], mi_meta_sign[3];
  uint32_t mi_maxreaders, mi_numreaders, mi_dxb_pagesize, mi_sys_pagesize, mi_sys_upcblk, mi_sys_ioblk;
  struct {
    struct {
      uint64_t x, y;
    } current, meta[3];
  } mi_bootid;
  uint64_t mi_unsync_volume, mi_autosync_threshold;
  uint32_t mi_since_sync_seconds16dot16, mi_autosync_period_seconds16dot16;
  uint32_t mi_since_reader_check_seconds16dot16, mi_mode;
  struct {
    uint64_t newly, cow, clone, split, merge, spill, unspill, wops, prefault, mincore, msync, fsync;
  } mi_pgop_stat;
  struct {
    uint64_t x, y;
  } mi_dxbid;
} MDBX_envinfo_14;

_Static_assert(sizeof(MDBX_envinfo_14) == 376, "the layout of libmdbx 0.14");

/// What came of a defragmentation (0.14).
typedef struct MDBX_defrag_result {
  intptr_t pages_shrinked;
  size_t pages_moved, pages_scheduled, pages_retained, pages_left, pages_whole, obstructed_pgno, obstructed_span;
  uint64_t obstructed_txnid;
  uintptr_t obstructor_tid;
  int32_t obstructor_pid;
  unsigned rough_estimation_cycle_progress_permille, cycles, stopping_reasons;
  size_t spent_time_dot16;
} MDBX_defrag_result;
_Static_assert(sizeof(MDBX_version_info) == 56, "the layout of 64-bit machines");
_Static_assert(sizeof(MDBX_stat) == 48, "the layout of libmdbx 0.13");
_Static_assert(sizeof(MDBX_val) == 16, "the layout of 64-bit machines");

typedef int32_t MDBX_pid;
typedef uintptr_t MDBX_thread;
/// One reader: `lag` in versions, and the bytes that its version uses and that are retained since.
typedef int (*MDBX_reader_list_body)(
    void *context, int number, int slot, MDBX_pid process, MDBX_thread thread, uint64_t version, uint64_t lag,
    size_t bytes_used, size_t bytes_retained);

// The results that the adapter tells apart; positive ones are the system's.
#define MDBX_SUCCESS 0
#define MDBX_RESULT_TRUE (-1)
#define MDBX_NOTFOUND (-30798)
#define MDBX_PAGE_NOTFOUND (-30797)
#define MDBX_CORRUPTED (-30796)
#define MDBX_PANIC (-30795)
#define MDBX_VERSION_MISMATCH (-30794)
#define MDBX_INVALID (-30793)
#define MDBX_MAP_FULL (-30792)
#define MDBX_READERS_FULL (-30790)
#define MDBX_TXN_FULL (-30788)
#define MDBX_UNABLE_EXTEND_MAPSIZE (-30785)
#define MDBX_INCOMPATIBLE (-30784)
#define MDBX_BUSY (-30778)
#define MDBX_WANNA_RECOVERY (-30419)
#define MDBX_LAGGARD_READER (-30409)
#define MDBX_TOO_LARGE (-30417)

// Flags, of environments, transactions, tables and copies.
#define MDBX_NOSUBDIR 0x4000
#define MDBX_SAFE_NOSYNC 0x10000
#define MDBX_NOSTICKYTHREADS 0x200000
#define MDBX_EXCLUSIVE 0x400000
#define MDBX_DB_ACCEDE 0x40000000
#define MDBX_TXN_RDONLY 0x20000
#define MDBX_INTEGERKEY 0x08
#define MDBX_CREATE 0x40000
#define MDBX_CP_COMPACT 1

// Options, positions of a cursor, and switches for the whole process.
#define MDBX_opt_max_db 0
#define MDBX_opt_max_readers 1
#define MDBX_opt_sync_bytes 2
#define MDBX_FIRST 0
#define MDBX_NEXT 8
#define MDBX_SET_RANGE 17
#define MDBX_LOG_FATAL 0
#define MDBX_DBG_LEGACY_OVERLAP 32

typedef const char *(*mdbx_strerror_function)(int code);
typedef int (*mdbx_setup_debug_function)(int log_level, int flags, void *logger);
typedef int (*mdbx_env_create_function)(MDBX_env **env);
typedef int (*mdbx_env_set_option_function)(MDBX_env *env, int option, uint64_t value);
typedef int (*mdbx_env_set_geometry_function)(
    MDBX_env *env, intptr_t lower, intptr_t now, intptr_t upper, intptr_t growth_step, intptr_t shrink_threshold,
    intptr_t page_size);
typedef int (*mdbx_env_open_function)(MDBX_env *env, const char *path, uint32_t flags, mode_t mode);
typedef int (*mdbx_env_close_ex_function)(MDBX_env *env, bool without_sync);
typedef int (*mdbx_env_info_ex_function)(const MDBX_env *env, const MDBX_txn *txn, void *info, size_t bytes);
typedef int (*mdbx_env_defrag_function)(
    MDBX_env *env, size_t at_least, size_t time_at_least, size_t enough, size_t time_limit, intptr_t backlash,
    intptr_t batch, void *progress, void *context, MDBX_defrag_result *result);
typedef int (*mdbx_env_copy2fd_function)(MDBX_env *env, int descriptor, uint32_t flags);
typedef int (*mdbx_reader_list_function)(const MDBX_env *env, MDBX_reader_list_body body, void *context);
typedef int (*mdbx_reader_check_function)(MDBX_env *env, int *dead);
typedef int (*mdbx_txn_begin_ex_function)(
    MDBX_env *env, MDBX_txn *parent, uint32_t flags, MDBX_txn **txn, void *context);
typedef int (*mdbx_txn_commit_function)(MDBX_txn *txn);
typedef int (*mdbx_txn_abort_function)(MDBX_txn *txn);
typedef int (*mdbx_txn_reset_function)(MDBX_txn *txn);
typedef int (*mdbx_txn_renew_function)(MDBX_txn *txn);
typedef uint64_t (*mdbx_txn_id_function)(const MDBX_txn *txn);
typedef int (*mdbx_dbi_open_function)(MDBX_txn *txn, const char *name, uint32_t flags, MDBX_dbi *dbi);
typedef int (*mdbx_dbi_stat_function)(const MDBX_txn *txn, MDBX_dbi dbi, MDBX_stat *stat, size_t bytes);
typedef int (*mdbx_get_function)(const MDBX_txn *txn, MDBX_dbi dbi, const MDBX_val *key, MDBX_val *data);
typedef int (*mdbx_put_function)(MDBX_txn *txn, MDBX_dbi dbi, const MDBX_val *key, MDBX_val *data, uint32_t flags);
typedef int (*mdbx_del_function)(MDBX_txn *txn, MDBX_dbi dbi, const MDBX_val *key, const MDBX_val *data);
typedef int (*mdbx_cursor_open_function)(MDBX_txn *txn, MDBX_dbi dbi, MDBX_cursor **cursor);
typedef void (*mdbx_cursor_close_function)(MDBX_cursor *cursor);
typedef int (*mdbx_cursor_get_function)(MDBX_cursor *cursor, MDBX_val *key, MDBX_val *data, int operation);
