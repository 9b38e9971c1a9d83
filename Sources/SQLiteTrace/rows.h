// What a row takes in the file: its values as SQLite stores them.
#ifndef ROWS_H
#define ROWS_H
#include <stdbool.h>
#include <stdint.h>

#include "extension.h"

#pragma GCC visibility push(hidden)

/// The affinities of columns, by the letters of their first names.
typedef enum {
    affinity_blob = 'B',
    affinity_text = 'T',
    affinity_numeric = 'N',
    affinity_integer = 'I',
    affinity_real = 'R'
} Affinity;

/// A value in the form in which it is stored.
typedef struct {
    /// `SQLITE_NULL`, `SQLITE_INTEGER` ….
    int type;
    int64_t integer;
    double real;
    const void *bytes;
    /// The length in the file, of which a text in UTF-16 has more than `bytes`.
    int64_t count;
    int64_t stored_count;
} StoredValue;

/// The lengths of a record that is put together value by value.
typedef struct {
    int64_t types;
    int64_t body;
} RecordLength;

Affinity affinity_of(const char *declared_type);
StoredValue stored_value(sqlite3_value *value, Affinity affinity, bool is_utf16);
void record_add(RecordLength *record, const StoredValue *value);
void record_add_null(RecordLength *record);
void record_add_integer(RecordLength *record, int64_t integer);

/// Returns the length of the whole record, with its header.
int64_t record_length(RecordLength record);

/// Returns the length of a number of seven bits a byte.
int varint_length(uint64_t number);

/// Returns the size of a value with which a row of this key is as long, in a table of a rowid and a blob, as a cell of
/// `cell` bytes.
int64_t replayed_size(int64_t cell, int64_t key);

#pragma GCC visibility pop

#endif
