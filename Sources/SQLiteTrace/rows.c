// The record format of SQLite (sqlite.org/fileformat2.html#record_format): a header of types, and the values behind it.
#include "rows.h"

#include <ctype.h>
#include <string.h>

int varint_length(uint64_t number) {
    int length = 1;
    while (length < 9 && number >> (7 * length) != 0) length++;
    return length;
}

static bool has_part(const char *text, const char *part) {
    size_t length = strlen(part);
    for (; *text != 0; text++) {
        if (sqlite3_strnicmp(text, part, (int)length) == 0) return true;
    }
    return false;
}

Affinity affinity_of(const char *type) {
    if (type == NULL || *type == 0) return affinity_blob;
    if (has_part(type, "INT")) return affinity_integer;
    if (has_part(type, "CHAR") || has_part(type, "CLOB") || has_part(type, "TEXT")) {
        return affinity_text;
    }
    if (has_part(type, "BLOB") || sqlite3_stricmp(type, "ANY") == 0) return affinity_blob;
    if (has_part(type, "REAL") || has_part(type, "FLOA") || has_part(type, "DOUB")) {
        return affinity_real;
    }
    return affinity_numeric;
}

StoredValue stored_value(sqlite3_value *value, Affinity affinity, bool is_utf16) {
    StoredValue stored = {.type = sqlite3_value_type(value)};
    bool is_numeric = affinity != affinity_blob && affinity != affinity_text;
    // The values of an UPDATE arrive before the column's affinity has been applied.
    if (is_numeric && stored.type == SQLITE_TEXT) stored.type = sqlite3_value_numeric_type(value);
    if (affinity == affinity_text
        && (stored.type == SQLITE_INTEGER || stored.type == SQLITE_FLOAT)) {
        stored.type = SQLITE_TEXT;
    }
    switch (stored.type) {
    case SQLITE_INTEGER: stored.integer = sqlite3_value_int64(value); break;
    case SQLITE_FLOAT:
        stored.real = sqlite3_value_double(value);
        // A number without fraction is stored as an integer.
        if (is_numeric && stored.real > -9.2e18 && stored.real < 9.2e18
            && (double)(int64_t)stored.real == stored.real) {
            stored.type = SQLITE_INTEGER;
            stored.integer = (int64_t)stored.real;
        }
        break;
    case SQLITE_TEXT:
        stored.bytes = sqlite3_value_text(value);
        stored.count = sqlite3_value_bytes(value);
        stored.stored_count = stored.count;
        if (is_utf16) {
            // Two bytes a character, and four for those that UTF-8 has four bytes for.
            stored.stored_count = 0;
            const unsigned char *byte = stored.bytes;
            for (int64_t i = 0; i < stored.count; i++) {
                if ((byte[i] & 0xC0) != 0x80) stored.stored_count += byte[i] >= 0xF0 ? 4 : 2;
            }
        }
        break;
    case SQLITE_BLOB:
        stored.count = sqlite3_value_bytes(value);
        stored.bytes = sqlite3_value_blob(value);
        stored.stored_count = stored.count;
        break;
    default: break;
    }
    return stored;
}

static int integer_length(int64_t integer) {
    uint64_t size = integer < 0 ? ~(uint64_t)integer : (uint64_t)integer;
    if (integer == 0 || integer == 1) return 0;
    if (size < (uint64_t)1 << 7) return 1;
    if (size < (uint64_t)1 << 15) return 2;
    if (size < (uint64_t)1 << 23) return 3;
    if (size < (uint64_t)1 << 31) return 4;
    return size < (uint64_t)1 << 47 ? 6 : 8;
}

void record_add_null(RecordLength *record) { record->types += 1; }

void record_add_integer(RecordLength *record, int64_t integer) {
    record->types += 1;
    record->body += integer_length(integer);
}

void record_add(RecordLength *record, const StoredValue *value) {
    switch (value->type) {
    case SQLITE_INTEGER: record_add_integer(record, value->integer); break;
    case SQLITE_FLOAT:
        record->types += 1;
        record->body += 8;
        break;
    case SQLITE_TEXT:
    case SQLITE_BLOB:
        record->types += varint_length(13 + 2 * (uint64_t)value->stored_count);
        record->body += value->stored_count;
        break;
    default: record_add_null(record); break;
    }
}

int64_t record_length(RecordLength record) {
    // The header's length counts itself.
    int own = varint_length((uint64_t)record.types + 1);
    if (varint_length((uint64_t)(record.types + own)) > own) own++;
    return own + record.types + record.body;
}

int64_t replayed_size(int64_t cell, int64_t key) {
    for (int64_t size = cell; size > 0; size--) {
        // The type of the key, which is NULL, and of the value; and the header's length.
        int64_t payload = 2 + varint_length(12 + 2 * (uint64_t)size) + size;
        if (varint_length((uint64_t)payload) + varint_length((uint64_t)key) + payload <= cell) {
            return size;
        }
    }
    return 0;
}
