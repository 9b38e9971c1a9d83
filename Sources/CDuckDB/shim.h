// What is used of DuckDB's C interface, declared anew: without DuckDB's own header nothing need be installed to build. Names
// and values are DuckDB's. The compiler cannot check any of this against the library. DuckDB promises that its stable
// functions stay as they are from 1.2.0 on, and the adapter takes only libraries of that version or later.
#pragma once
#include <stdint.h>

typedef uint64_t idx_t;
typedef struct duckdb_database_object *duckdb_database;
typedef struct duckdb_connection_object *duckdb_connection;
typedef struct duckdb_prepared_statement_object *duckdb_prepared_statement;
typedef struct duckdb_config_object *duckdb_config;
typedef struct duckdb_data_chunk_object *duckdb_data_chunk;
typedef struct duckdb_vector_object *duckdb_vector;

typedef int duckdb_state;
#define DuckDBSuccess 0

/// A result. Its members are read by functions only; DuckDB fixes the size, since callers allocate it.
typedef struct duckdb_result {
  uint64_t unused[5];
  void *internal_data;
} duckdb_result;

/// A value of bytes in a vector: up to 12 bytes are in it, more are at `address`.
typedef struct duckdb_string_t {
  uint32_t length;
  char prefix[4];
  const char *address;
} duckdb_string_t;

typedef const char *(*duckdb_library_version_function)(void);
typedef void (*duckdb_free_function)(void *memory);

typedef duckdb_state (*duckdb_create_config_function)(duckdb_config *config);
typedef duckdb_state (*duckdb_set_config_function)(duckdb_config config, const char *name, const char *value);
typedef void (*duckdb_destroy_config_function)(duckdb_config *config);
typedef duckdb_state (*duckdb_open_ext_function)(
    const char *path, duckdb_database *database, duckdb_config config, char **error);
typedef void (*duckdb_close_function)(duckdb_database *database);
typedef duckdb_state (*duckdb_connect_function)(duckdb_database database, duckdb_connection *connection);
typedef void (*duckdb_disconnect_function)(duckdb_connection *connection);

typedef duckdb_state (*duckdb_query_function)(
    duckdb_connection connection, const char *query, duckdb_result *result);
typedef void (*duckdb_destroy_result_function)(duckdb_result *result);
typedef const char *(*duckdb_result_error_function)(duckdb_result *result);
typedef idx_t (*duckdb_rows_changed_function)(duckdb_result *result);
/// The result is passed by value, and the rows that are fetched are counted in what it points to.
typedef duckdb_data_chunk (*duckdb_fetch_chunk_function)(duckdb_result result);

typedef duckdb_state (*duckdb_prepare_function)(
    duckdb_connection connection, const char *query, duckdb_prepared_statement *statement);
typedef void (*duckdb_destroy_prepare_function)(duckdb_prepared_statement *statement);
typedef const char *(*duckdb_prepare_error_function)(duckdb_prepared_statement statement);
typedef duckdb_state (*duckdb_bind_int64_function)(
    duckdb_prepared_statement statement, idx_t parameter, int64_t value);
typedef duckdb_state (*duckdb_bind_blob_function)(
    duckdb_prepared_statement statement, idx_t parameter, const void *bytes, idx_t count);
typedef duckdb_state (*duckdb_execute_prepared_function)(
    duckdb_prepared_statement statement, duckdb_result *result);

typedef void (*duckdb_destroy_data_chunk_function)(duckdb_data_chunk *chunk);
typedef idx_t (*duckdb_data_chunk_get_size_function)(duckdb_data_chunk chunk);
typedef duckdb_vector (*duckdb_data_chunk_get_vector_function)(duckdb_data_chunk chunk, idx_t column);
typedef void *(*duckdb_vector_get_data_function)(duckdb_vector vector);
