// The entries of an index, or of a table WITHOUT ROWID, as rows of a table of the trace: B-trees too, but with numbers as
// keys.
#ifndef TREES_H
#define TREES_H
#include <stdbool.h>
#include <stdint.h>

#include "keys.h"
#include "rows.h"

#pragma GCC visibility push(hidden)

enum { max_prefix = 64 };

/// An entry's identity, and its place in the order of the tree, as far as its first bytes decide it.
typedef struct {
    uint64_t hash;
    int prefix_length;
    unsigned char prefix[max_prefix];
} Entry;

/// The numbers of entries that were appended, by their hashes. Open addressing.
typedef struct {
    uint64_t *hashes;
    uint32_t *numbers;
    uint32_t capacity;
    uint32_t used;
    uint32_t count;
} EntryNumbers;

/// An index, or a table WITHOUT ROWID.
typedef struct {
    char *name;
    /// The number of its table in the trace.
    int number;
    bool is_table;
    int column_count;
    /// The columns in the order of the tree; -1 is the rowid.
    int *columns;
    bool *is_descending;
    /// How many of them make the entry's identity.
    int key_count;
    uint32_t appended;
    Entry last;
    EntryNumbers numbers;
    bool is_current;
} Tree;

void entry_begin(Entry *entry, const Tree *tree);
void entry_add(Entry *entry, const Secret *secret, const StoredValue *value, bool is_descending);

/// Returns the key of an entry that is put. Entries put at the end of the tree have ascending numbers, the others hashes:
/// in the replay the tree then fills as it did in the program.
int64_t tree_put(Tree *tree, const Entry *entry);

/// Returns the key of an entry that is deleted.
int64_t tree_delete(Tree *tree, const Entry *entry);

/// The key of a row behind all others, which each tree begins with. SQLite splits a table's last page in another way, if rows
/// are appended, than an index's, which has only this one way for all its pages.
int64_t tree_last_key(const Tree *tree);

void tree_free(Tree *tree);

#pragma GCC visibility pop

#endif
