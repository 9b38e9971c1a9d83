// SipHash-2-4 (Aumasson and Bernstein 2012), and rowids replaced by others of the same order.
#include "keys.h"

#include <string.h>
#if defined(__APPLE__)
#include <sys/random.h>
#else
#include <unistd.h>
#endif

bool secret_draw(Secret *secret) { return getentropy(secret, sizeof *secret) == 0; }

typedef struct {
    uint64_t v0, v1, v2, v3;
} State;

static uint64_t rotated(uint64_t word, int bits) { return word << bits | word >> (64 - bits); }

static void mix(State *s) {
    s->v0 += s->v1; s->v1 = rotated(s->v1, 13); s->v1 ^= s->v0; s->v0 = rotated(s->v0, 32);
    s->v2 += s->v3; s->v3 = rotated(s->v3, 16); s->v3 ^= s->v2;
    s->v0 += s->v3; s->v3 = rotated(s->v3, 21); s->v3 ^= s->v0;
    s->v2 += s->v1; s->v1 = rotated(s->v1, 17); s->v1 ^= s->v2; s->v2 = rotated(s->v2, 32);
}

static void feed(State *s, uint64_t word) {
    s->v3 ^= word;
    mix(s);
    mix(s);
    s->v0 ^= word;
}

uint64_t secret_hash(const Secret *secret, uint64_t earlier, const void *bytes, size_t count) {
    State s = {
        secret->low ^ 0x736f6d6570736575, secret->high ^ 0x646f72616e646f6d,
        secret->low ^ 0x6c7967656e657261, secret->high ^ 0x7465646279746573};
    feed(&s, earlier);
    const unsigned char *next = bytes;
    size_t rest = count;
    for (; rest >= 8; rest -= 8, next += 8) {
        uint64_t word;
        memcpy(&word, next, 8);
        feed(&s, word);
    }
    uint64_t last = (uint64_t)count << 56;
    if (rest > 0) {
        uint64_t tail = 0;
        memcpy(&tail, next, rest);
        last |= tail;
    }
    feed(&s, last);
    s.v2 ^= 0xff;
    for (int round = 0; round < 4; round++) mix(&s);
    return s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
}

enum { stream_split = 1, stream_offset, stream_interval, stream_large };

static uint64_t hash(const Secret *secret, uint64_t stream, uint64_t number) {
    return secret_hash(secret, stream, &number, sizeof number);
}

/// Returns a number up to and including `limit` that is random and always the same.
static uint64_t number_up_to(
    const Secret *secret, uint64_t limit, uint64_t position, uint64_t stream) {
    unsigned __int128 product = (unsigned __int128)(limit + 1) * hash(secret, stream, position);
    return (uint64_t)(product >> 64);
}

/// Returns the first number of the keys from `size`, a power of two, on.
static uint64_t interval_start(const Secret *secret, uint64_t size) {
    return 2 * size + number_up_to(secret, size - 1, size, stream_interval);
}

int64_t ordered_key(const Secret *secret, int64_t rowid) {
    if (rowid < 0) return ~ordered_key(secret, ~rowid);
    uint64_t key = (uint64_t)rowid;
    if (key >= (uint64_t)1 << 61) {
        return (int64_t)((uint64_t)3 << 61 | hash(secret, stream_large, key) >> 3);
    }
    if (key == 0) return (int64_t)(hash(secret, stream_offset, 0) & 1);
    uint64_t size = (uint64_t)1 << (63 - __builtin_clzll(key));
    uint64_t start = size;
    uint64_t target = interval_start(secret, size);
    uint64_t target_size = interval_start(secret, 2 * size) - target;
    while (size > 1) {
        size /= 2;
        uint64_t share = number_up_to(secret, target_size - 2 * size, start + size, stream_split);
        if (key < start + size) {
            target_size = size + share;
        } else {
            target += size + share;
            target_size -= size + share;
            start += size;
        }
    }
    return (int64_t)(target + number_up_to(secret, target_size - 1, key, stream_offset));
}
