// SQLite's header, and a name for the type of each function that is used: the library is opened at run time, and so the
// compiler checks a function pointer against the header's declaration. Nothing here refers to the functions themselves.
#pragma once
#include <sqlite3.h>

#define CSQLITE_TYPE_OF(name) typedef __typeof__(&name) name##_function

CSQLITE_TYPE_OF(sqlite3_libversion);
CSQLITE_TYPE_OF(sqlite3_libversion_number);
CSQLITE_TYPE_OF(sqlite3_errstr);
CSQLITE_TYPE_OF(sqlite3_errmsg);
CSQLITE_TYPE_OF(sqlite3_system_errno);
CSQLITE_TYPE_OF(sqlite3_extended_result_codes);
CSQLITE_TYPE_OF(sqlite3_open_v2);
CSQLITE_TYPE_OF(sqlite3_close);
CSQLITE_TYPE_OF(sqlite3_db_readonly);
CSQLITE_TYPE_OF(sqlite3_busy_timeout);
CSQLITE_TYPE_OF(sqlite3_exec);
CSQLITE_TYPE_OF(sqlite3_wal_checkpoint_v2);
CSQLITE_TYPE_OF(sqlite3_wal_hook);
CSQLITE_TYPE_OF(sqlite3_get_autocommit);
CSQLITE_TYPE_OF(sqlite3_changes);
CSQLITE_TYPE_OF(sqlite3_prepare_v3);
CSQLITE_TYPE_OF(sqlite3_finalize);
CSQLITE_TYPE_OF(sqlite3_step);
CSQLITE_TYPE_OF(sqlite3_reset);
CSQLITE_TYPE_OF(sqlite3_sql);
CSQLITE_TYPE_OF(sqlite3_db_handle);
CSQLITE_TYPE_OF(sqlite3_bind_int64);
CSQLITE_TYPE_OF(sqlite3_bind_blob64);
CSQLITE_TYPE_OF(sqlite3_bind_zeroblob);
CSQLITE_TYPE_OF(sqlite3_bind_text);
CSQLITE_TYPE_OF(sqlite3_column_int64);
CSQLITE_TYPE_OF(sqlite3_column_text);
CSQLITE_TYPE_OF(sqlite3_column_blob);
CSQLITE_TYPE_OF(sqlite3_column_bytes);

#undef CSQLITE_TYPE_OF
