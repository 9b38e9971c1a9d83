// A recording from its header to its end: transactions, and the changes within them.
#include "recorder.h"

#include <stdlib.h>
#include <string.h>

#include "contents.h"

enum { sample_every_commits = 100 };

static void begin_transaction(Recorder *recorder, sqlite3 *connection) {
    if (recorder->writer == connection) return;
    // A connection that went without an end of its transaction.
    if (recorder->writer != NULL) recorder_end_transaction(recorder, recorder->writer, false);
    output_age(&recorder->output);
    output_record(&recorder->output, "begin-write", "%s", "");
    recorder->writer = connection;
    recorder->operations = 0;
    recorder->bytes = 0;
}

void recorder_end_transaction(Recorder *recorder, sqlite3 *connection, bool is_committed) {
    if (recorder->writer != connection) return;
    recorder->writer = NULL;
    output_age(&recorder->output);
    if (!is_committed) return output_record(&recorder->output, "roll-back", "%s", "");
    output_record(&recorder->output, "commit", "%s", "");
    output_record(
        &recorder->output, "enter", ",\"operations\":%d,\"bytes\":%lld", recorder->operations,
        (long long)recorder->bytes);
    recorder->output.commits++;
}

// MARK: Beginning and end

int recorder_open(Recorder *recorder) {
    if (recorder->is_open) return 0;
    recorder->is_open = true;
    int error = output_open(&recorder->output, recorder->trace);
    if (error == 0 && !secret_draw(&recorder->secret)) recorder->output.has_failed = true;
    return error;
}

/// Reads the definitions of all tables: those without rows have a page, too. The hook is not called for tables that are
/// SQLite's own, whose rows are recorded as they are when they are first seen.
static void read_tables(Recorder *recorder, sqlite3 *connection) {
    recorder->is_schema_known = true;
    sqlite3_stmt *statement = NULL;
    sqlite3_prepare_v2(
        connection,
        "SELECT name FROM main.sqlite_master WHERE type = 'table' AND rootpage > 0 "
        "ORDER BY rootpage",
        -1, &statement, NULL);
    while (sqlite3_step(statement) == SQLITE_ROW) {
        current_table(recorder, connection, (const char *)sqlite3_column_text(statement, 0));
    }
    sqlite3_finalize(statement);
}

/// Records what was in the database before its first change.
static void load(Recorder *recorder, sqlite3 *connection) {
    output_record(&recorder->output, "phase", ",\"name\":\"%s\"", "load");
    read_tables(recorder, connection);
    output_record(&recorder->output, "sample", "%s", "");
}

static void begin(Recorder *recorder, sqlite3 *connection) {
    recorder->has_begun = true;
    if (recorder_open(recorder) != 0) return;
    int64_t vacuum = query_number(connection, "PRAGMA main.auto_vacuum");
    int64_t seed = 0;
    sqlite3_randomness(4, &seed);
    recorder->is_utf16 =
        query_number(connection, "SELECT encoding <> 'UTF-8' FROM pragma_encoding") != 0;
    const char *policy = vacuum == 1 ? "automatic" : "never";
    output_line(
        &recorder->output,
        "{\"trace\":1,\"header\":{\"clock\":\"machine\",\"durable\":%s,"
        "\"origin\":{\"arm\":\"program\",\"engine\":\"sqlite\",\"engineVersion\":\"SQLite %s\","
        "\"policy\":\"%s\",\"policyRule\":\"%s\",\"program\":\"SQLiteTrace\","
        "\"scenario\":\"program\"},\"sampleEveryCommits\":%d,\"seed\":%lld,\"tables\":[]}}",
        query_number(connection, "PRAGMA main.synchronous") >= 2 ? "true" : "false",
        sqlite3_libversion(), policy, policy, sample_every_commits, (long long)seed);
    output_age(&recorder->output);
    output_record(&recorder->output, "launch", ",\"launch\":%d", 1);
    output_record(&recorder->output, "open", "%s", "");
    load(recorder, connection);
    output_record(&recorder->output, "phase", ",\"name\":\"%s\"", "program");
}

void recorder_close(Recorder *recorder) {
    if (!recorder->is_open || recorder->output.has_failed) return;
    if (recorder->has_begun) {
        if (recorder->writer != NULL) recorder_end_transaction(recorder, recorder->writer, false);
        output_age(&recorder->output);
        output_record(&recorder->output, "phase-end", ",\"first\":%d", 0);
        output_record(&recorder->output, "closing", "%s", "");
        output_record(&recorder->output, "close", "%s", "");
        output_close(&recorder->output);
    }
    recorder->is_open = false;
    for (int i = 0; i < recorder->table_count; i++) table_free(&recorder->tables[i]);
    free(recorder->tables);
    recorder->tables = NULL;
    recorder->table_count = 0;
}

// MARK: Changes

/// Returns the row that the hook has; its values are null without memory.
static Row hooked_row(
    const Recorder *recorder, const Table *table, sqlite3 *connection, int64_t rowid,
    int (*value)(sqlite3 *, int, sqlite3_value **)) {
    Row row = {rowid, NULL};
    sqlite3_value **raw = calloc((size_t)table->column_count, sizeof *raw);
    if (raw == NULL) return row;
    for (int i = 0; i < table->column_count; i++) {
        if (value(connection, i, &raw[i]) != SQLITE_OK) raw[i] = NULL;
    }
    row.values = contents_values(recorder, table, raw);
    free(raw);
    return row;
}

void recorder_change(
    Recorder *recorder, sqlite3 *connection, int operation, const char *name, int64_t old_rowid,
    int64_t new_rowid) {
    if (!recorder->has_begun) begin(recorder, connection);
    if (recorder->output.has_failed) return;
    begin_transaction(recorder, connection);
    if (!recorder->is_schema_known) read_tables(recorder, connection);
    const Preupdate *preupdate = preupdate_functions();
    Table *table = known_table(recorder, name);
    if (table != NULL && preupdate->count(connection) != table->column_count) {
        table->is_current = false;
    }
    table = current_table(recorder, connection, name);
    if (table == NULL) return;
    Row before = {old_rowid, NULL}, after = {new_rowid, NULL};
    if (operation != SQLITE_INSERT) {
        before = hooked_row(recorder, table, connection, old_rowid, preupdate->old_value);
    }
    if (operation != SQLITE_DELETE) {
        after = hooked_row(recorder, table, connection, new_rowid, preupdate->new_value);
    }
    bool writes_blob = operation == SQLITE_DELETE && preupdate->blob_write != NULL
        && preupdate->blob_write(connection) >= 0;
    // Written in place, a blob is as long as before.
    bool has_memory = (operation == SQLITE_INSERT || before.values != NULL)
        && (operation == SQLITE_DELETE || after.values != NULL);
    if (!has_memory) recorder->output.has_failed = true;
    else if (writes_blob) contents_update(recorder, table, &before, &before);
    else if (operation == SQLITE_INSERT) contents_put(recorder, table, &after);
    else if (operation == SQLITE_DELETE) contents_delete(recorder, table, &before);
    else contents_update(recorder, table, &before, &after);
    free(before.values);
    free(after.values);
}

void recorder_schema_changes(Recorder *recorder) {
    recorder->is_schema_known = false;
    for (int i = 0; i < recorder->table_count; i++) recorder->tables[i].is_current = false;
}

void recorder_rename(Recorder *recorder, const char *from, const char *to) {
    Table *table = known_table(recorder, from);
    char *name = sqlite3_mprintf("%s", to);
    if (table == NULL || name == NULL) return sqlite3_free(name);
    for (int i = 0; i < table->tree_count; i++) {
        Tree *tree = &table->trees[i];
        if (!tree->is_table) continue;
        sqlite3_free(tree->name);
        tree->name = sqlite3_mprintf("%s", to);
    }
    sqlite3_free(table->name);
    table->name = name;
}

void recorder_drop(Recorder *recorder, sqlite3 *connection, const char *name, bool is_index) {
    if (!recorder->has_begun) begin(recorder, connection);
    if (recorder->output.has_failed) return;
    for (int i = 0; i < recorder->table_count; i++) {
        Table *table = &recorder->tables[i];
        bool is_meant = !is_index && sqlite3_stricmp(table->name, name) == 0;
        if (is_meant && table->has_rowid) {
            begin_transaction(recorder, connection);
            contents_empty(recorder, connection, table, NULL);
        }
        for (int j = table->tree_count - 1; j >= 0; j--) {
            Tree *tree = &table->trees[j];
            if (!is_meant && !(is_index && sqlite3_stricmp(tree->name, name) == 0)) continue;
            if (tree_is_recorded(tree)) {
                begin_transaction(recorder, connection);
                contents_empty(recorder, connection, table, tree);
            }
            tree_free(tree);
            *tree = table->trees[--table->tree_count];
        }
        if (!is_meant) continue;
        table_free(table);
        recorder->tables[i--] = recorder->tables[--recorder->table_count];
    }
}
