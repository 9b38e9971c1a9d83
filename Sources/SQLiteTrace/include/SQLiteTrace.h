// The recorder of SQLite's databases: an extension that SQLite loads, or a library that is loaded before a program.
#ifndef SQLITE_TRACE_H
#define SQLITE_TRACE_H

struct sqlite3;
struct sqlite3_api_routines;

/// Records the database of this connection from now on. SQLite calls it when the extension is loaded.
__attribute__((visibility("default"))) int sqlite3_extension_init(
    struct sqlite3 *connection, char **error, const struct sqlite3_api_routines *api);

#endif
