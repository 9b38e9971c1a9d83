// The functions of RocksDB that the adapter uses.
import CRocksDB
import SystemIO

/// RocksDB's functions, under their names without the prefix.
struct RocksDBFunctions {
  let free: rocksdb_free_function
  let optionsCreate: rocksdb_options_create_function
  let optionsDestroy: rocksdb_options_destroy_function
  let optionsFromString: rocksdb_get_options_from_string_function
  let optionsSetWalDir: rocksdb_options_set_text_function
  let optionsSetLogDir: rocksdb_options_set_text_function
  let optionsEnableStatistics: rocksdb_options_enable_statistics_function
  let optionsStatistics: rocksdb_options_statistics_get_string_function
  let openFamilies: rocksdb_open_column_families_function
  let listFamilies: rocksdb_list_column_families_function
  let listFamiliesDestroy: rocksdb_list_column_families_destroy_function
  let familyDestroy: rocksdb_column_family_handle_destroy_function
  let close: rocksdb_close_function
  let writeOptionsCreate: rocksdb_writeoptions_create_function
  let writeOptionsDestroy: rocksdb_writeoptions_destroy_function
  let writeOptionsSetSync: rocksdb_writeoptions_set_sync_function
  let batchCreate: rocksdb_writebatch_create_function
  let batchDestroy: rocksdb_writebatch_destroy_function
  let batchClear: rocksdb_writebatch_clear_function
  let batchPut: rocksdb_writebatch_put_cf_function
  let batchDelete: rocksdb_writebatch_delete_cf_function
  let batchData: rocksdb_writebatch_data_function
  let write: rocksdb_write_function
  let readOptionsCreate: rocksdb_readoptions_create_function
  let readOptionsDestroy: rocksdb_readoptions_destroy_function
  let readOptionsSetSnapshot: rocksdb_readoptions_set_snapshot_function
  let readOptionsSetFillCache: rocksdb_readoptions_set_fill_cache_function
  let getPinned: rocksdb_get_pinned_cf_function
  let pinnedValue: rocksdb_pinnableslice_value_function
  let pinnedDestroy: rocksdb_pinnableslice_destroy_function
  let createSnapshot: rocksdb_create_snapshot_function
  let releaseSnapshot: rocksdb_release_snapshot_function
  let latestSequenceNumber: rocksdb_get_latest_sequence_number_function
  let createIterator: rocksdb_create_iterator_cf_function
  let iteratorDestroy: rocksdb_iter_function
  let iteratorSeekToFirst: rocksdb_iter_function
  let iteratorNext: rocksdb_iter_function
  let iteratorValid: rocksdb_iter_valid_function
  let iteratorSeek: rocksdb_iter_seek_function
  let iteratorKey: rocksdb_iter_bytes_function
  let iteratorValue: rocksdb_iter_bytes_function
  let iteratorError: rocksdb_iter_get_error_function
  let flushOptionsCreate: rocksdb_flushoptions_create_function
  let flushOptionsDestroy: rocksdb_flushoptions_destroy_function
  let flush: rocksdb_flush_cf_function
  let compactOptionsCreate: rocksdb_compactoptions_create_function
  let compactOptionsDestroy: rocksdb_compactoptions_destroy_function
  let compactOptionsSetBottommost: rocksdb_compactoptions_set_bottommost_level_compaction_function
  let compactRange: rocksdb_compact_range_cf_opt_function
  let disableFileDeletions: rocksdb_disable_file_deletions_function
  let enableFileDeletions: rocksdb_enable_file_deletions_function
  let propertyNumber: rocksdb_property_int_cf_function
  let propertyText: rocksdb_property_value_cf_function
  let checkpointObjectCreate: rocksdb_checkpoint_object_create_function
  let checkpointObjectDestroy: rocksdb_checkpoint_object_destroy_function
  let checkpointCreate: rocksdb_checkpoint_create_function

  init(_ library: SharedLibrary) throws(LibraryAbsence) {
    free = try library.function("rocksdb_free")
    optionsCreate = try library.function("rocksdb_options_create")
    optionsDestroy = try library.function("rocksdb_options_destroy")
    optionsFromString = try library.function("rocksdb_get_options_from_string")
    optionsSetWalDir = try library.function("rocksdb_options_set_wal_dir")
    optionsSetLogDir = try library.function("rocksdb_options_set_db_log_dir")
    optionsEnableStatistics = try library.function("rocksdb_options_enable_statistics")
    optionsStatistics = try library.function("rocksdb_options_statistics_get_string")
    openFamilies = try library.function("rocksdb_open_column_families")
    listFamilies = try library.function("rocksdb_list_column_families")
    listFamiliesDestroy = try library.function("rocksdb_list_column_families_destroy")
    familyDestroy = try library.function("rocksdb_column_family_handle_destroy")
    close = try library.function("rocksdb_close")
    writeOptionsCreate = try library.function("rocksdb_writeoptions_create")
    writeOptionsDestroy = try library.function("rocksdb_writeoptions_destroy")
    writeOptionsSetSync = try library.function("rocksdb_writeoptions_set_sync")
    batchCreate = try library.function("rocksdb_writebatch_create")
    batchDestroy = try library.function("rocksdb_writebatch_destroy")
    batchClear = try library.function("rocksdb_writebatch_clear")
    batchPut = try library.function("rocksdb_writebatch_put_cf")
    batchDelete = try library.function("rocksdb_writebatch_delete_cf")
    batchData = try library.function("rocksdb_writebatch_data")
    write = try library.function("rocksdb_write")
    readOptionsCreate = try library.function("rocksdb_readoptions_create")
    readOptionsDestroy = try library.function("rocksdb_readoptions_destroy")
    readOptionsSetSnapshot = try library.function("rocksdb_readoptions_set_snapshot")
    readOptionsSetFillCache = try library.function("rocksdb_readoptions_set_fill_cache")
    getPinned = try library.function("rocksdb_get_pinned_cf")
    pinnedValue = try library.function("rocksdb_pinnableslice_value")
    pinnedDestroy = try library.function("rocksdb_pinnableslice_destroy")
    createSnapshot = try library.function("rocksdb_create_snapshot")
    releaseSnapshot = try library.function("rocksdb_release_snapshot")
    latestSequenceNumber = try library.function("rocksdb_get_latest_sequence_number")
    createIterator = try library.function("rocksdb_create_iterator_cf")
    iteratorDestroy = try library.function("rocksdb_iter_destroy")
    iteratorSeekToFirst = try library.function("rocksdb_iter_seek_to_first")
    iteratorNext = try library.function("rocksdb_iter_next")
    iteratorValid = try library.function("rocksdb_iter_valid")
    iteratorSeek = try library.function("rocksdb_iter_seek")
    iteratorKey = try library.function("rocksdb_iter_key")
    iteratorValue = try library.function("rocksdb_iter_value")
    iteratorError = try library.function("rocksdb_iter_get_error")
    flushOptionsCreate = try library.function("rocksdb_flushoptions_create")
    flushOptionsDestroy = try library.function("rocksdb_flushoptions_destroy")
    flush = try library.function("rocksdb_flush_cf")
    compactOptionsCreate = try library.function("rocksdb_compactoptions_create")
    compactOptionsDestroy = try library.function("rocksdb_compactoptions_destroy")
    compactOptionsSetBottommost = try library.function(
      "rocksdb_compactoptions_set_bottommost_level_compaction")
    compactRange = try library.function("rocksdb_compact_range_cf_opt")
    disableFileDeletions = try library.function("rocksdb_disable_file_deletions")
    enableFileDeletions = try library.function("rocksdb_enable_file_deletions")
    propertyNumber = try library.function("rocksdb_property_int_cf")
    propertyText = try library.function("rocksdb_property_value_cf")
    checkpointObjectCreate = try library.function("rocksdb_checkpoint_object_create")
    checkpointObjectDestroy = try library.function("rocksdb_checkpoint_object_destroy")
    checkpointCreate = try library.function("rocksdb_checkpoint_create")
  }
}
