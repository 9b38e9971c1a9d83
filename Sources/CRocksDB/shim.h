// What is used of RocksDB's C interface, declared anew for version 7.8: without RocksDB's own headers nothing need be
// installed to build. Names and values are RocksDB's. The compiler cannot check any of this against the library, so
// RocksDBLibrary takes only a library that reports the version for which this is declared. No structure is shared with the
// library: all its objects are opaque.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct rocksdb_t rocksdb_t;
typedef struct rocksdb_column_family_handle_t rocksdb_column_family_handle_t;
typedef struct rocksdb_options_t rocksdb_options_t;
typedef struct rocksdb_universal_compaction_options_t rocksdb_universal_compaction_options_t;
typedef struct rocksdb_readoptions_t rocksdb_readoptions_t;
typedef struct rocksdb_writeoptions_t rocksdb_writeoptions_t;
typedef struct rocksdb_flushoptions_t rocksdb_flushoptions_t;
typedef struct rocksdb_compactoptions_t rocksdb_compactoptions_t;
typedef struct rocksdb_writebatch_t rocksdb_writebatch_t;
typedef struct rocksdb_snapshot_t rocksdb_snapshot_t;
typedef struct rocksdb_iterator_t rocksdb_iterator_t;
typedef struct rocksdb_pinnableslice_t rocksdb_pinnableslice_t;
typedef struct rocksdb_checkpoint_t rocksdb_checkpoint_t;

/// A text as the C++ library returns it (libstdc++'s layout). A text of at most 15 bytes is in `local`; the address is not
/// used, since it is that of the original.
typedef struct rocksdb_cplusplus_text {
  const char *address;
  size_t count;
  char local[16];
} rocksdb_cplusplus_text;
/// `rocksdb::GetRocksVersionAsString`: no function of the C interface returns the version.
typedef rocksdb_cplusplus_text (*rocksdb_version_function)(bool with_patch);

// A failed function sets `*error` to a text that is freed with `rocksdb_free`.
typedef void (*rocksdb_free_function)(void *memory);

typedef rocksdb_options_t *(*rocksdb_options_create_function)(void);
typedef void (*rocksdb_options_destroy_function)(rocksdb_options_t *options);
typedef void (*rocksdb_get_options_from_string_function)(
    const rocksdb_options_t *base, const char *text, rocksdb_options_t *options, char **error);
typedef void (*rocksdb_options_set_text_function)(rocksdb_options_t *options, const char *value);
typedef void (*rocksdb_options_enable_statistics_function)(rocksdb_options_t *options);
typedef char *(*rocksdb_options_statistics_get_string_function)(rocksdb_options_t *options);

typedef rocksdb_t *(*rocksdb_open_column_families_function)(
    const rocksdb_options_t *options, const char *path, int count, const char *const *names,
    const rocksdb_options_t *const *family_options, rocksdb_column_family_handle_t **families, char **error);
typedef char **(*rocksdb_list_column_families_function)(
    const rocksdb_options_t *options, const char *path, size_t *count, char **error);
typedef void (*rocksdb_list_column_families_destroy_function)(char **names, size_t count);
typedef void (*rocksdb_column_family_handle_destroy_function)(rocksdb_column_family_handle_t *family);
typedef void (*rocksdb_close_function)(rocksdb_t *db);

typedef rocksdb_writeoptions_t *(*rocksdb_writeoptions_create_function)(void);
typedef void (*rocksdb_writeoptions_destroy_function)(rocksdb_writeoptions_t *options);
typedef void (*rocksdb_writeoptions_set_sync_function)(rocksdb_writeoptions_t *options, unsigned char value);
typedef rocksdb_writebatch_t *(*rocksdb_writebatch_create_function)(void);
typedef void (*rocksdb_writebatch_destroy_function)(rocksdb_writebatch_t *batch);
typedef void (*rocksdb_writebatch_clear_function)(rocksdb_writebatch_t *batch);
typedef void (*rocksdb_writebatch_put_cf_function)(
    rocksdb_writebatch_t *batch, rocksdb_column_family_handle_t *family, const char *key, size_t key_bytes,
    const char *value, size_t value_bytes);
typedef void (*rocksdb_writebatch_delete_cf_function)(
    rocksdb_writebatch_t *batch, rocksdb_column_family_handle_t *family, const char *key, size_t key_bytes);
typedef const char *(*rocksdb_writebatch_data_function)(rocksdb_writebatch_t *batch, size_t *bytes);
typedef void (*rocksdb_write_function)(
    rocksdb_t *db, const rocksdb_writeoptions_t *options, rocksdb_writebatch_t *batch, char **error);

typedef rocksdb_readoptions_t *(*rocksdb_readoptions_create_function)(void);
typedef void (*rocksdb_readoptions_destroy_function)(rocksdb_readoptions_t *options);
typedef void (*rocksdb_readoptions_set_snapshot_function)(
    rocksdb_readoptions_t *options, const rocksdb_snapshot_t *snapshot);
typedef void (*rocksdb_readoptions_set_fill_cache_function)(rocksdb_readoptions_t *options, unsigned char value);
typedef rocksdb_pinnableslice_t *(*rocksdb_get_pinned_cf_function)(
    rocksdb_t *db, const rocksdb_readoptions_t *options, rocksdb_column_family_handle_t *family, const char *key,
    size_t key_bytes, char **error);
typedef const char *(*rocksdb_pinnableslice_value_function)(const rocksdb_pinnableslice_t *slice, size_t *bytes);
typedef void (*rocksdb_pinnableslice_destroy_function)(rocksdb_pinnableslice_t *slice);
typedef const rocksdb_snapshot_t *(*rocksdb_create_snapshot_function)(rocksdb_t *db);
typedef void (*rocksdb_release_snapshot_function)(rocksdb_t *db, const rocksdb_snapshot_t *snapshot);
typedef uint64_t (*rocksdb_get_latest_sequence_number_function)(rocksdb_t *db);

typedef rocksdb_iterator_t *(*rocksdb_create_iterator_cf_function)(
    rocksdb_t *db, const rocksdb_readoptions_t *options, rocksdb_column_family_handle_t *family);
typedef void (*rocksdb_iter_function)(rocksdb_iterator_t *iterator);
typedef unsigned char (*rocksdb_iter_valid_function)(const rocksdb_iterator_t *iterator);
typedef void (*rocksdb_iter_seek_function)(rocksdb_iterator_t *iterator, const char *key, size_t key_bytes);
typedef const char *(*rocksdb_iter_bytes_function)(const rocksdb_iterator_t *iterator, size_t *bytes);
typedef void (*rocksdb_iter_get_error_function)(const rocksdb_iterator_t *iterator, char **error);

typedef rocksdb_flushoptions_t *(*rocksdb_flushoptions_create_function)(void);
typedef void (*rocksdb_flushoptions_destroy_function)(rocksdb_flushoptions_t *options);
typedef void (*rocksdb_flush_cf_function)(
    rocksdb_t *db, const rocksdb_flushoptions_t *options, rocksdb_column_family_handle_t *family, char **error);
typedef rocksdb_compactoptions_t *(*rocksdb_compactoptions_create_function)(void);
typedef void (*rocksdb_compactoptions_destroy_function)(rocksdb_compactoptions_t *options);
typedef void (*rocksdb_compactoptions_set_bottommost_level_compaction_function)(
    rocksdb_compactoptions_t *options, unsigned char value);
typedef void (*rocksdb_compact_range_cf_opt_function)(
    rocksdb_t *db, rocksdb_column_family_handle_t *family, rocksdb_compactoptions_t *options, const char *first,
    size_t first_bytes, const char *last, size_t last_bytes);

typedef void (*rocksdb_disable_file_deletions_function)(rocksdb_t *db, char **error);
typedef void (*rocksdb_enable_file_deletions_function)(rocksdb_t *db, unsigned char force, char **error);

typedef int (*rocksdb_property_int_cf_function)(
    rocksdb_t *db, rocksdb_column_family_handle_t *family, const char *name, uint64_t *value);
typedef char *(*rocksdb_property_value_cf_function)(
    rocksdb_t *db, rocksdb_column_family_handle_t *family, const char *name);

typedef rocksdb_checkpoint_t *(*rocksdb_checkpoint_object_create_function)(rocksdb_t *db, char **error);
typedef void (*rocksdb_checkpoint_object_destroy_function)(rocksdb_checkpoint_t *checkpoint);
typedef void (*rocksdb_checkpoint_create_function)(
    rocksdb_checkpoint_t *checkpoint, const char *folder, uint64_t log_bytes_for_flush, char **error);

/// Compaction rewrites the last level too, except for files that the same compaction has just written.
#define ROCKSDB_BOTTOMMOST_FORCE_OPTIMIZED 3
