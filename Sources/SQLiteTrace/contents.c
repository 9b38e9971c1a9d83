// The rows of tables and indexes as rows of the trace: every B-tree of the program is a table there.
#include "contents.h"

#include <stdlib.h>
#include <string.h>

enum { rows_of_load = 1000, rowid_length = 8 };

static void put(Recorder *recorder, int table, int64_t key, int64_t size) {
    output_record(
        &recorder->output, "put", ",\"table\":%d,\"key\":%lld,\"size\":%lld", table, (long long)key,
        (long long)size);
    recorder->operations++;
    recorder->bytes += rowid_length + size;
}

static void delete(Recorder *recorder, int table, int64_t key) {
    output_record(
        &recorder->output, "delete", ",\"table\":%d,\"key\":%lld", table, (long long)key);
    recorder->operations++;
    recorder->bytes += rowid_length;
}

StoredValue *contents_values(
    const Recorder *recorder, const Table *table, sqlite3_value **raw) {
    StoredValue *values = malloc((size_t)table->column_count * sizeof *values);
    for (int i = 0; values != NULL && i < table->column_count; i++) {
        values[i] = raw[i] == NULL
            ? (StoredValue){.type = SQLITE_NULL}
            : stored_value(raw[i], table->columns[i].affinity, recorder->is_utf16);
    }
    return values;
}

/// The record of the table's own B-tree.
static int64_t table_record(const Table *table, const Row *row) {
    RecordLength record = {0, 0};
    for (int i = 0; i < table->column_count; i++) {
        if (!table->columns[i].is_stored) continue;
        if (table->columns[i].is_rowid) record_add_null(&record);
        else record_add(&record, &row->values[i]);
    }
    return record_length(record);
}

static StoredValue tree_value(const Table *table, const Row *row, int column) {
    if (column >= 0 && !table->columns[column].is_rowid) return row->values[column];
    return (StoredValue){.type = SQLITE_INTEGER, .integer = row->rowid};
}

static Entry tree_entry(
    const Recorder *recorder, const Table *table, const Tree *tree, const Row *row) {
    Entry entry;
    entry_begin(&entry, tree);
    for (int i = 0; i < tree->key_count; i++) {
        StoredValue value = tree_value(table, row, tree->columns[i]);
        entry_add(&entry, &recorder->secret, &value, tree->is_descending[i]);
    }
    return entry;
}

static int64_t tree_cell(const Table *table, const Tree *tree, const Row *row) {
    RecordLength record = {0, 0};
    for (int i = 0; !tree->is_table && i < tree->column_count; i++) {
        StoredValue value = tree_value(table, row, tree->columns[i]);
        record_add(&record, &value);
    }
    int64_t length = tree->is_table ? table_record(table, row) : record_length(record);
    return varint_length((uint64_t)length) + length;
}

static void put_in_tree(Recorder *recorder, const Table *table, Tree *tree, const Row *row) {
    Entry entry = tree_entry(recorder, table, tree, row);
    int64_t key = tree_put(tree, &entry);
    put(recorder, tree->number, key, replayed_size(tree_cell(table, tree, row), key));
}

static void put_in_table(Recorder *recorder, const Table *table, const Row *row) {
    int64_t record = table_record(table, row);
    int64_t key = ordered_key(&recorder->secret, row->rowid);
    int64_t cell =
        varint_length((uint64_t)record) + varint_length((uint64_t)row->rowid) + record;
    put(recorder, table->number, key, replayed_size(cell, key));
}

bool tree_is_recorded(const Tree *tree) { return tree->number >= 0 && tree->column_count > 0; }

void contents_put(Recorder *recorder, Table *table, const Row *row) {
    if (table->has_rowid) put_in_table(recorder, table, row);
    for (int i = 0; i < table->tree_count; i++) {
        Tree *tree = &table->trees[i];
        if (tree_is_recorded(tree)) put_in_tree(recorder, table, tree, row);
    }
}

static void delete_from_tree(Recorder *recorder, const Table *table, Tree *tree, const Row *row) {
    Entry entry = tree_entry(recorder, table, tree, row);
    delete(recorder, tree->number, tree_delete(tree, &entry));
}

void contents_delete(Recorder *recorder, Table *table, const Row *row) {
    for (int i = 0; i < table->tree_count; i++) {
        Tree *tree = &table->trees[i];
        if (tree_is_recorded(tree)) delete_from_tree(recorder, table, tree, row);
    }
    if (table->has_rowid) {
        delete(recorder, table->number, ordered_key(&recorder->secret, row->rowid));
    }
}

void contents_update(Recorder *recorder, Table *table, const Row *before, const Row *after) {
    if (table->has_rowid) {
        if (before->rowid != after->rowid) {
            delete(recorder, table->number, ordered_key(&recorder->secret, before->rowid));
        }
        put_in_table(recorder, table, after);
    }
    for (int i = 0; i < table->tree_count; i++) {
        Tree *tree = &table->trees[i];
        if (!tree_is_recorded(tree)) continue;
        bool is_same = tree_entry(recorder, table, tree, before).hash
            == tree_entry(recorder, table, tree, after).hash;
        if (is_same && !tree->is_table) continue;
        if (!is_same) delete_from_tree(recorder, table, tree, before);
        put_in_tree(recorder, table, tree, after);
    }
}

// MARK: Tables

int64_t query_number(sqlite3 *connection, const char *sql) {
    sqlite3_stmt *statement = NULL;
    int64_t number = 0;
    if (sql != NULL) sqlite3_prepare_v2(connection, sql, -1, &statement, NULL);
    if (sqlite3_step(statement) == SQLITE_ROW) number = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return number;
}

/// Declares a table of the trace; returns its number.
static int declare(Recorder *recorder, const char *kind, const char *name, int64_t rows) {
    char label[200];
    if (recorder->names_tables) sqlite3_snprintf(sizeof label, label, "%s", name);
    else sqlite3_snprintf(sizeof label, label, "%s-%d", kind, recorder->numbers + 1);
    for (char *byte = label; *byte != 0; byte++) {
        if ((unsigned char)*byte < ' ' || *byte == '"' || *byte == '\\') *byte = '_';
    }
    output_line(
        &recorder->output, "{\"tables\":[{\"name\":\"%s\",\"rows\":%lld}]}", label,
        (long long)rows);
    return recorder->numbers++;
}

static void put_last_row(Recorder *recorder, const Tree *tree) {
    bool is_loading = recorder->writer == NULL;
    if (is_loading) output_record(&recorder->output, "begin-write", "%s", "");
    put(recorder, tree->number, tree_last_key(tree), 0);
    if (is_loading) output_record(&recorder->output, "commit", "%s", "");
}

/// What is done with each row of a table: rows that were there before are put, those of a dropped table deleted.
typedef void (*RowAction)(Recorder *, Table *, Tree *, const Row *);

static void put_found(Recorder *recorder, Table *table, Tree *tree, const Row *row) {
    if (tree != NULL) put_in_tree(recorder, table, tree, row);
    else put_in_table(recorder, table, row);
}

static void delete_found(Recorder *recorder, Table *table, Tree *tree, const Row *row) {
    if (tree != NULL) delete_from_tree(recorder, table, tree, row);
    else delete(recorder, table->number, ordered_key(&recorder->secret, row->rowid));
}

/// Reads all rows, in the order of the tree or else of the rowid. While tables are loaded, commits every 1,000 rows.
static void for_each_row(
    Recorder *recorder, sqlite3 *connection, Table *table, Tree *tree, RowAction action) {
    sqlite3_stmt *statement = NULL;
    char *sql = table_selection(table, tree, connection);
    if (sql != NULL) sqlite3_prepare_v2(connection, sql, -1, &statement, NULL);
    sqlite3_free(sql);
    sqlite3_value **raw = calloc((size_t)table->column_count, sizeof *raw);
    bool is_loading = recorder->writer == NULL;
    int found = 0;
    while (raw != NULL && sqlite3_step(statement) == SQLITE_ROW
           && sqlite3_column_count(statement) == table->column_count + 1) {
        if (is_loading && found++ % rows_of_load == 0) {
            if (found > 1) output_record(&recorder->output, "commit", "%s", "");
            output_record(&recorder->output, "begin-write", "%s", "");
        }
        for (int i = 0; i < table->column_count; i++) {
            raw[i] = sqlite3_column_value(statement, i + 1);
        }
        Row row = {sqlite3_column_int64(statement, 0), contents_values(recorder, table, raw)};
        if (row.values != NULL) action(recorder, table, tree, &row);
        free(row.values);
    }
    if (is_loading && found > 0) output_record(&recorder->output, "commit", "%s", "");
    sqlite3_finalize(statement);
    free(raw);
}

/// Reads a table's definition, and records the rows of what was not known before.
static bool refresh(Recorder *recorder, sqlite3 *connection, Table *table) {
    bool is_known = table->number >= 0 || table->tree_count > 0;
    if (!table_read(table, connection)) return false;
    char *sql = sqlite3_mprintf("SELECT count(*) FROM main.\"%w\" NOT INDEXED", table->name);
    int64_t rows = recorder->writer == NULL ? query_number(connection, sql) : 0;
    sqlite3_free(sql);
    if (table->has_rowid && !is_known) {
        table->number = declare(recorder, "table", table->name, rows);
        for_each_row(recorder, connection, table, NULL, put_found);
    }
    for (int i = 0; i < table->tree_count; i++) {
        Tree *tree = &table->trees[i];
        if (tree->number >= 0 || tree->column_count == 0) continue;
        tree->number = declare(recorder, tree->is_table ? "table" : "index", tree->name, rows);
        put_last_row(recorder, tree);
        for_each_row(recorder, connection, table, tree, put_found);
    }
    return true;
}

Table *known_table(Recorder *recorder, const char *name) {
    for (int i = 0; i < recorder->table_count; i++) {
        if (strcmp(recorder->tables[i].name, name) == 0) return &recorder->tables[i];
    }
    return NULL;
}

Table *current_table(Recorder *recorder, sqlite3 *connection, const char *name) {
    Table *table = known_table(recorder, name);
    if (table != NULL && table->is_current) return table;
    if (table == NULL) {
        size_t size = (size_t)(recorder->table_count + 1) * sizeof *recorder->tables;
        Table *tables = realloc(recorder->tables, size);
        if (tables == NULL) return NULL;
        recorder->tables = tables;
        table = &tables[recorder->table_count++];
        memset(table, 0, sizeof *table);
        table->name = sqlite3_mprintf("%s", name);
        table->number = -1;
    }
    return table->name != NULL && refresh(recorder, connection, table) ? table : NULL;
}

void contents_empty(Recorder *recorder, sqlite3 *connection, Table *table, Tree *tree) {
    for_each_row(recorder, connection, table, tree, delete_found);
}
