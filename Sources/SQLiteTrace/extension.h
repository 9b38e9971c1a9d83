// SQLite's functions as an extension has them: through the table that SQLite gives it. Nothing is linked.
#ifndef EXTENSION_H
#define EXTENSION_H
#include <sqlite3ext.h>

#pragma GCC visibility push(hidden)

extern const sqlite3_api_routines *sqlite3_api;

/// The functions of the preupdate hook, which that table lacks.
typedef struct {
    void *(*hook)(
        sqlite3 *,
        void (*)(void *, sqlite3 *, int, const char *, const char *, sqlite3_int64, sqlite3_int64),
        void *);
    int (*old_value)(sqlite3 *, int, sqlite3_value **);
    int (*new_value)(sqlite3 *, int, sqlite3_value **);
    int (*count)(sqlite3 *);
    /// Null before SQLite 3.36.
    int (*blob_write)(sqlite3 *);
} Preupdate;

/// Finds them in the library that the table belongs to; null where it was built without them.
const Preupdate *preupdate_functions(void);

#pragma GCC visibility pop

#endif
