// The tables of the program, and the tables of the trace that stand for them and for their indexes.
#ifndef SCHEMA_H
#define SCHEMA_H
#include <stdbool.h>

#include "trees.h"

#pragma GCC visibility push(hidden)

typedef struct {
    Affinity affinity;
    bool is_stored;
    /// Whether it is an INTEGER PRIMARY KEY, which is the rowid.
    bool is_rowid;
} Column;

typedef struct {
    char *name;
    /// The number of its table in the trace; of a table WITHOUT ROWID, that of its first tree.
    int number;
    bool has_rowid;
    const char *rowid_name;
    int column_count;
    Column *columns;
    int tree_count;
    Tree *trees;
    /// False when a statement may have changed the schema.
    bool is_current;
} Table;

/// Reads the table's columns and indexes. Trees that are known already remain, others have `is_current` false and the
/// number -1. False where there is no such table.
bool table_read(Table *table, sqlite3 *connection);

/// Returns the SQL that selects the rowid (or NULL) and all columns, in the order of the tree or else of the rowid. To be
/// freed with `sqlite3_free`.
char *table_selection(const Table *table, const Tree *tree, sqlite3 *connection);

void table_free(Table *table);

#pragma GCC visibility pop

#endif
