// The entries that were appended are kept, up to four million of each tree, in 16 to 32 bytes each: a deletion must find the
// number that the insertion had.
#include "trees.h"

#include <stdlib.h>
#include <string.h>

enum { max_appended = 1 << 22, hash_bits_of_index = 28, hash_bits_of_table = 34 };
enum { slot_empty = 0, slot_deleted = 1 };

void entry_begin(Entry *entry, const Tree *tree) {
    entry->hash = (uint64_t)tree->number;
    entry->prefix_length = 0;
}

static void add_prefix(
    Entry *entry, const unsigned char *bytes, int64_t count, bool is_descending) {
    for (int64_t i = 0; i < count && entry->prefix_length < max_prefix; i++) {
        entry->prefix[entry->prefix_length++] = is_descending ? (unsigned char)~bytes[i] : bytes[i];
    }
}

/// Appends a number so that the order of bytes is that of numbers: its integer part, and 16 bits of its fraction.
static void add_number(Entry *entry, const StoredValue *value, bool is_descending) {
    int64_t whole = value->integer;
    double fraction = 0;
    if (value->type == SQLITE_FLOAT) {
        double real = value->real;
        whole = real >= 9.2e18 ? INT64_MAX : real > -9.2e18 ? (int64_t)real : INT64_MIN;
        if ((double)whole > real) whole--;
        fraction = real - (double)whole;
    }
    uint64_t ordered = (uint64_t)whole ^ (uint64_t)1 << 63;
    unsigned part = fraction > 0 && fraction < 1 ? (unsigned)(fraction * 65536) : 0;
    unsigned char bytes[10];
    for (int i = 0; i < 8; i++) bytes[i] = (unsigned char)(ordered >> (56 - 8 * i));
    bytes[8] = (unsigned char)(part >> 8);
    bytes[9] = (unsigned char)part;
    add_prefix(entry, bytes, sizeof bytes, is_descending);
}

void entry_add(Entry *entry, const Secret *secret, const StoredValue *value, bool is_descending) {
    static const unsigned char end = 0;
    unsigned char rank = value->type == SQLITE_NULL ? 0
        : value->type == SQLITE_TEXT                ? 2
        : value->type == SQLITE_BLOB                ? 3
                                                    : 1;
    add_prefix(entry, &rank, 1, is_descending);
    uint64_t chained = entry->hash ^ (uint64_t)value->type << 56;
    switch (value->type) {
    case SQLITE_INTEGER:
        add_number(entry, value, is_descending);
        entry->hash = secret_hash(secret, chained, &value->integer, sizeof value->integer);
        break;
    case SQLITE_FLOAT:
        add_number(entry, value, is_descending);
        entry->hash = secret_hash(secret, chained, &value->real, sizeof value->real);
        break;
    case SQLITE_NULL: entry->hash = secret_hash(secret, chained, "", 0); break;
    default:
        add_prefix(entry, value->bytes, value->count, is_descending);
        add_prefix(entry, &end, 1, is_descending);
        entry->hash = secret_hash(
            secret, chained, value->count > 0 ? value->bytes : "", (size_t)value->count);
    }
}

static bool is_behind(const Entry *entry, const Entry *last) {
    int shorter = entry->prefix_length < last->prefix_length ? entry->prefix_length
                                                             : last->prefix_length;
    int order = memcmp(entry->prefix, last->prefix, (size_t)shorter);
    return order > 0 || (order == 0 && entry->prefix_length > last->prefix_length);
}

static uint32_t slot_of(const EntryNumbers *numbers, uint64_t hash) {
    uint32_t slot = (uint32_t)(hash >> 32) & (numbers->capacity - 1);
    while (numbers->hashes[slot] != slot_empty && numbers->hashes[slot] != hash) {
        slot = (slot + 1) & (numbers->capacity - 1);
    }
    return slot;
}

/// Makes space for another entry; false where there is no memory.
static bool grow(EntryNumbers *numbers) {
    if (numbers->capacity > 0 && numbers->used < numbers->capacity / 4 * 3) return true;
    EntryNumbers larger = {.capacity = 64};
    while (larger.capacity / 2 <= numbers->count) larger.capacity *= 2;
    larger.hashes = calloc(larger.capacity, sizeof *larger.hashes);
    larger.numbers = calloc(larger.capacity, sizeof *larger.numbers);
    if (larger.hashes == NULL || larger.numbers == NULL) {
        free(larger.hashes);
        free(larger.numbers);
        return false;
    }
    for (uint32_t i = 0; i < numbers->capacity; i++) {
        if (numbers->hashes[i] <= slot_deleted) continue;
        uint32_t slot = slot_of(&larger, numbers->hashes[i]);
        larger.hashes[slot] = numbers->hashes[i];
        larger.numbers[slot] = numbers->numbers[i];
    }
    larger.used = larger.count = numbers->count;
    free(numbers->hashes);
    free(numbers->numbers);
    *numbers = larger;
    return true;
}

static uint64_t hashed_key(const Tree *tree, uint64_t hash) {
    int bits = tree->is_table ? hash_bits_of_table : hash_bits_of_index;
    return hash >> (64 - bits);
}

static int64_t appended_key(const Tree *tree, uint32_t number) {
    int bits = tree->is_table ? hash_bits_of_table : hash_bits_of_index;
    return ((int64_t)1 << bits) + number;
}

int64_t tree_last_key(const Tree *tree) { return appended_key(tree, UINT32_MAX); }

int64_t tree_put(Tree *tree, const Entry *entry) {
    EntryNumbers *numbers = &tree->numbers;
    uint64_t hash = entry->hash <= slot_deleted ? entry->hash + 2 : entry->hash;
    if (numbers->capacity > 0) {
        uint32_t slot = slot_of(numbers, hash);
        if (numbers->hashes[slot] == hash) return appended_key(tree, numbers->numbers[slot]);
    }
    if (!is_behind(entry, &tree->last)) return (int64_t)hashed_key(tree, hash);
    tree->last = *entry;
    if (numbers->count >= max_appended || !grow(numbers)) return (int64_t)hashed_key(tree, hash);
    uint32_t slot = slot_of(numbers, hash);
    numbers->hashes[slot] = hash;
    numbers->numbers[slot] = ++tree->appended;
    numbers->used++;
    numbers->count++;
    return appended_key(tree, tree->appended);
}

int64_t tree_delete(Tree *tree, const Entry *entry) {
    EntryNumbers *numbers = &tree->numbers;
    uint64_t hash = entry->hash <= slot_deleted ? entry->hash + 2 : entry->hash;
    if (numbers->capacity > 0) {
        uint32_t slot = slot_of(numbers, hash);
        if (numbers->hashes[slot] == hash) {
            numbers->hashes[slot] = slot_deleted;
            numbers->count--;
            return appended_key(tree, numbers->numbers[slot]);
        }
    }
    return (int64_t)hashed_key(tree, hash);
}

void tree_free(Tree *tree) {
    sqlite3_free(tree->name);
    free(tree->columns);
    free(tree->is_descending);
    free(tree->numbers.hashes);
    free(tree->numbers.numbers);
    memset(tree, 0, sizeof *tree);
}
