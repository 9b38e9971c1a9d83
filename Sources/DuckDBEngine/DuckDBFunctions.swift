// The functions of DuckDB that the adapter uses.
import CDuckDB
import SystemIO

/// DuckDB's functions, under their names without the prefix.
struct DuckDBFunctions {
  let libraryVersion: duckdb_library_version_function
  let free: duckdb_free_function
  let createConfig: duckdb_create_config_function
  let setConfig: duckdb_set_config_function
  let destroyConfig: duckdb_destroy_config_function
  let open: duckdb_open_ext_function
  let close: duckdb_close_function
  let connect: duckdb_connect_function
  let disconnect: duckdb_disconnect_function
  let query: duckdb_query_function
  let destroyResult: duckdb_destroy_result_function
  let resultError: duckdb_result_error_function
  let rowsChanged: duckdb_rows_changed_function
  let fetchChunk: duckdb_fetch_chunk_function
  let prepare: duckdb_prepare_function
  let destroyPrepare: duckdb_destroy_prepare_function
  let prepareError: duckdb_prepare_error_function
  let bindInt64: duckdb_bind_int64_function
  let bindBlob: duckdb_bind_blob_function
  let executePrepared: duckdb_execute_prepared_function
  let destroyChunk: duckdb_destroy_data_chunk_function
  let chunkSize: duckdb_data_chunk_get_size_function
  let chunkVector: duckdb_data_chunk_get_vector_function
  let vectorData: duckdb_vector_get_data_function

  init(_ library: SharedLibrary) throws(LibraryAbsence) {
    libraryVersion = try library.function("duckdb_library_version")
    free = try library.function("duckdb_free")
    createConfig = try library.function("duckdb_create_config")
    setConfig = try library.function("duckdb_set_config")
    destroyConfig = try library.function("duckdb_destroy_config")
    open = try library.function("duckdb_open_ext")
    close = try library.function("duckdb_close")
    connect = try library.function("duckdb_connect")
    disconnect = try library.function("duckdb_disconnect")
    query = try library.function("duckdb_query")
    destroyResult = try library.function("duckdb_destroy_result")
    resultError = try library.function("duckdb_result_error")
    rowsChanged = try library.function("duckdb_rows_changed")
    fetchChunk = try library.function("duckdb_fetch_chunk")
    prepare = try library.function("duckdb_prepare")
    destroyPrepare = try library.function("duckdb_destroy_prepare")
    prepareError = try library.function("duckdb_prepare_error")
    bindInt64 = try library.function("duckdb_bind_int64")
    bindBlob = try library.function("duckdb_bind_blob")
    executePrepared = try library.function("duckdb_execute_prepared")
    destroyChunk = try library.function("duckdb_destroy_data_chunk")
    chunkSize = try library.function("duckdb_data_chunk_get_size")
    chunkVector = try library.function("duckdb_data_chunk_get_vector")
    vectorData = try library.function("duckdb_vector_get_data")
  }
}
