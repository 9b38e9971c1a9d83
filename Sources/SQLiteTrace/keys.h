// Numbers that stand for keys: hashes under a secret that is drawn for each trace and never stored.
#ifndef KEYS_H
#define KEYS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

typedef struct {
    uint64_t low;
    uint64_t high;
} Secret;

/// Draws a secret; false where the system has no random numbers.
bool secret_draw(Secret *secret);

/// Returns SipHash-2-4 of the bytes, chained to an earlier hash.
uint64_t secret_hash(const Secret *secret, uint64_t earlier, const void *bytes, size_t count);

/// Returns a number with the order and the rough magnitude of a rowid, as TraceEmitter's `keepsIntegerOrder` does.
int64_t ordered_key(const Secret *secret, int64_t rowid);

#pragma GCC visibility pop

#endif
