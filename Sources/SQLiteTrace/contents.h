// The rows of tables and indexes in the trace.
#ifndef CONTENTS_H
#define CONTENTS_H
#include "recorder.h"

#pragma GCC visibility push(hidden)

/// A row as the hook or a query has it.
typedef struct {
    int64_t rowid;
    StoredValue *values;
} Row;

/// Returns the stored values of a row, to be freed; null without memory.
StoredValue *contents_values(
    const Recorder *recorder, const Table *table, sqlite3_value **raw);

void contents_put(Recorder *recorder, Table *table, const Row *row);
void contents_delete(Recorder *recorder, Table *table, const Row *row);
void contents_update(Recorder *recorder, Table *table, const Row *before, const Row *after);

/// Deletes all rows of a table's own B-tree (the tree is null), or of another one.
void contents_empty(Recorder *recorder, sqlite3 *connection, Table *table, Tree *tree);

/// Whether the tree has a table in the trace. Indexes of expressions have none.
bool tree_is_recorded(const Tree *tree);

Table *known_table(Recorder *recorder, const char *name);

/// Returns the table as it is now; null where it is unknown to SQLite. What was not known before is declared, and its rows
/// are put.
Table *current_table(Recorder *recorder, sqlite3 *connection, const char *name);

/// Returns the number that a query finds first, or 0.
int64_t query_number(sqlite3 *connection, const char *sql);

#pragma GCC visibility pop

#endif
