// Asks SQLite for a table's columns and indexes, by the pragmas that SQLite's own session extension asks within the same hook.
#include "schema.h"

#include <stdlib.h>
#include <string.h>

static sqlite3_stmt *prepared(sqlite3 *connection, char *sql) {
    sqlite3_stmt *statement = NULL;
    if (sql != NULL) sqlite3_prepare_v2(connection, sql, -1, &statement, NULL);
    sqlite3_free(sql);
    return statement;
}

static const char *text(sqlite3_stmt *statement, int column) {
    const char *text = (const char *)sqlite3_column_text(statement, column);
    return text == NULL ? "" : text;
}

static bool has_column(sqlite3 *connection, const char *table, const char *name) {
    sqlite3_stmt *statement =
        prepared(connection, sqlite3_mprintf("PRAGMA main.table_xinfo(%Q)", table));
    bool found = false;
    while (sqlite3_step(statement) == SQLITE_ROW) {
        if (sqlite3_stricmp(text(statement, 1), name) == 0) found = true;
    }
    sqlite3_finalize(statement);
    return found;
}

/// Sets the name by which the rowid can be selected; there is none WITHOUT ROWID.
static void find_rowid(Table *table, sqlite3 *connection) {
    static const char *const names[] = {"rowid", "_rowid_", "oid"};
    for (int i = 0; i < 3; i++) {
        if (has_column(connection, table->name, names[i])) continue;
        sqlite3_stmt *statement = prepared(
            connection, sqlite3_mprintf("SELECT %s FROM main.\"%w\"", names[i], table->name));
        table->has_rowid = statement != NULL;
        table->rowid_name = table->has_rowid ? names[i] : NULL;
        sqlite3_finalize(statement);
        return;
    }
}

/// Makes space for another element; false where there is no memory, and the array is as it was.
static bool grow(void *array, int count, size_t size) {
    void *larger = realloc(*(void **)array, (size_t)(count + 1) * size);
    if (larger != NULL) *(void **)array = larger;
    return larger != NULL;
}

/// Reads the columns; `primary` gets the columns of the primary key in their order, and its count is returned, or -1.
static int read_columns(Table *table, sqlite3 *connection, int **primary) {
    sqlite3_stmt *statement =
        prepared(connection, sqlite3_mprintf("PRAGMA main.table_xinfo(%Q)", table->name));
    free(table->columns);
    table->columns = NULL;
    table->column_count = 0;
    int keys = 0, alias = -1;
    bool has_memory = true;
    while (has_memory && sqlite3_step(statement) == SQLITE_ROW) {
        int index = table->column_count, key = sqlite3_column_int(statement, 5);
        has_memory = grow(&table->columns, index, sizeof *table->columns)
            && grow(primary, index, sizeof **primary);
        if (!has_memory) break;
        table->column_count++;
        table->columns[index] = (Column){
            .affinity = affinity_of(text(statement, 2)),
            .is_stored = sqlite3_column_int(statement, 6) != 2};
        if (key > 0 && key <= index + 1) (*primary)[key - 1] = index;
        if (key > 0) keys++;
        if (key > 0 && sqlite3_stricmp(text(statement, 2), "INTEGER") == 0) alias = index;
    }
    sqlite3_finalize(statement);
    if (keys == 1 && alias >= 0 && table->has_rowid) table->columns[alias].is_rowid = true;
    return has_memory && table->column_count > 0 ? keys : -1;
}

/// Returns the tree of this name, which is new where there was none; null without memory.
static Tree *tree_named(Table *table, const char *name) {
    for (int i = 0; i < table->tree_count; i++) {
        if (sqlite3_stricmp(table->trees[i].name, name) == 0) return &table->trees[i];
    }
    if (!grow(&table->trees, table->tree_count, sizeof *table->trees)) return NULL;
    Tree *tree = &table->trees[table->tree_count++];
    memset(tree, 0, sizeof *tree);
    tree->name = sqlite3_mprintf("%s", name);
    tree->number = -1;
    return tree;
}

static bool add_column(Tree *tree, int column, bool is_descending) {
    int count = tree->column_count;
    if (!grow(&tree->columns, count, sizeof *tree->columns)
        || !grow(&tree->is_descending, count, sizeof *tree->is_descending)) return false;
    tree->columns[count] = column;
    tree->is_descending[count] = is_descending;
    tree->column_count++;
    return true;
}

static void read_index(Table *table, sqlite3 *connection, const char *name) {
    Tree *tree = tree_named(table, name);
    if (tree == NULL || tree->column_count > 0) return;
    sqlite3_stmt *statement =
        prepared(connection, sqlite3_mprintf("PRAGMA main.index_xinfo(%Q)", name));
    // An index of expressions, whose values are not known, has no columns here.
    bool is_complete = true;
    while (sqlite3_step(statement) == SQLITE_ROW) {
        int column = sqlite3_column_int(statement, 1);
        if (column < -1 || column >= table->column_count) is_complete = false;
        if (!add_column(tree, column, sqlite3_column_int(statement, 3) != 0)) is_complete = false;
    }
    sqlite3_finalize(statement);
    if (!is_complete) tree->column_count = 0;
    tree->key_count = tree->column_count;
}

static void read_indexes(Table *table, sqlite3 *connection) {
    sqlite3_stmt *statement =
        prepared(connection, sqlite3_mprintf("PRAGMA main.index_list(%Q)", table->name));
    while (sqlite3_step(statement) == SQLITE_ROW) {
        bool is_primary = strcmp(text(statement, 3), "pk") == 0;
        // An INTEGER PRIMARY KEY DESC has an index after all, and is no rowid.
        if (is_primary && table->has_rowid) {
            for (int i = 0; i < table->column_count; i++) table->columns[i].is_rowid = false;
        }
        bool is_partial = sqlite3_column_int(statement, 4) != 0;
        if (is_partial || (is_primary && !table->has_rowid)) continue;
        read_index(table, connection, text(statement, 1));
    }
    sqlite3_finalize(statement);
}

bool table_read(Table *table, sqlite3 *connection) {
    int *primary = NULL;
    find_rowid(table, connection);
    int keys = read_columns(table, connection, &primary);
    if (keys >= 0 && !table->has_rowid) {
        Tree *tree = tree_named(table, table->name);
        if (tree == NULL) keys = -1;
        else if (tree->column_count == 0) {
            tree->is_table = true;
            for (int i = 0; i < keys; i++) add_column(tree, primary[i], false);
            tree->key_count = tree->column_count;
        }
    }
    if (keys >= 0) read_indexes(table, connection);
    free(primary);
    table->is_current = keys >= 0;
    return keys >= 0;
}

/// Returns the names of the tree's columns, each behind a comma, as SQL has them.
static char *order_of(const Table *table, const Tree *tree, sqlite3 *connection) {
    char *order = sqlite3_mprintf("");
    for (int i = 0; i < tree->column_count; i++) {
        const char *direction = tree->is_descending[i] ? " DESC" : "";
        if (tree->columns[i] < 0) {
            order = sqlite3_mprintf("%z, %s%s", order, table->rowid_name, direction);
            continue;
        }
        sqlite3_stmt *statement = prepared(
            connection, sqlite3_mprintf("PRAGMA main.table_xinfo(%Q)", table->name));
        while (sqlite3_step(statement) == SQLITE_ROW) {
            if (sqlite3_column_int(statement, 0) != tree->columns[i]) continue;
            order = sqlite3_mprintf("%z, \"%w\"%s", order, text(statement, 1), direction);
        }
        sqlite3_finalize(statement);
    }
    return order;
}

char *table_selection(const Table *table, const Tree *tree, sqlite3 *connection) {
    const char *rowid = table->has_rowid ? table->rowid_name : "NULL";
    if (tree == NULL || tree->is_table) {
        return sqlite3_mprintf("SELECT %s, * FROM main.\"%w\" NOT INDEXED", rowid, table->name);
    }
    // Not by the index: within the hook it may have entries of a row that is not in the table yet.
    char *order = order_of(table, tree, connection);
    char *sql = sqlite3_mprintf(
        "SELECT %s, * FROM main.\"%w\" NOT INDEXED ORDER BY %s", rowid, table->name, order + 2);
    sqlite3_free(order);
    return sql;
}

void table_free(Table *table) {
    for (int i = 0; i < table->tree_count; i++) tree_free(&table->trees[i]);
    free(table->trees);
    free(table->columns);
    sqlite3_free(table->name);
    memset(table, 0, sizeof *table);
}
