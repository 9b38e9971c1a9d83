// A recording: the database of a file, and the trace that its changes become.
#ifndef RECORDER_H
#define RECORDER_H
#include <stdbool.h>

#include "output.h"
#include "schema.h"

#pragma GCC visibility push(hidden)

typedef struct Recorder {
    /// The database's file.
    char *database;
    char *trace;
    Output output;
    Secret secret;
    bool is_open;
    /// Whether the header has been written.
    bool has_begun;
    /// False from a statement that may change the schema until the next change of a row.
    bool is_schema_known;
    bool is_utf16;
    bool names_tables;
    Table *tables;
    int table_count;
    /// Tables of the trace so far.
    int numbers;
    /// The connection whose transaction is recorded; null between transactions.
    sqlite3 *writer;
    int operations;
    int64_t bytes;
    struct Recorder *next;
} Recorder;

/// Creates the trace's file; returns 0 or the system's error.
int recorder_open(Recorder *recorder);

/// Records a change of a row, before it is made.
void recorder_change(
    Recorder *recorder, sqlite3 *connection, int operation, const char *table, int64_t old_rowid,
    int64_t new_rowid);

/// Ends the transaction of the connection.
void recorder_end_transaction(Recorder *recorder, sqlite3 *connection, bool is_committed);

/// Records that a statement will drop this table or index, which is emptied in the trace.
void recorder_drop(Recorder *recorder, sqlite3 *connection, const char *name, bool is_index);

/// Follows the new name of a table.
void recorder_rename(Recorder *recorder, const char *from, const char *to);

/// Reads the schema again at the next change.
void recorder_schema_changes(Recorder *recorder);

/// Ends the trace.
void recorder_close(Recorder *recorder);

#pragma GCC visibility pop

#endif
