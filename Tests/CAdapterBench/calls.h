// What the loops over all libraries share: finding a library's functions, and saying what was refused.
#pragma once
#include "direct.h"
#include <dlfcn.h>
#include <string.h>

/// Keeps what went wrong, and answers 1.
int direct_fail(const char *action, const char *reason);

/// Fills the members of the table `call` with the functions of the same names; answers 1 where one is missing.
#define DIRECT_FIND(name)                                     \
  do {                                                        \
    *(void **)&call.name = dlsym(handle, #name);              \
    if (!call.name) {                                         \
      direct_fail(#name, "the library has no such function"); \
      return 1;                                               \
    }                                                         \
  } while (0);

/// A database of `size` bytes, zeroed and prepared; NULL where its library cannot be opened or lacks what `find` looks
/// for, or where `prepare` fails: then `end` has what was begun.
direct_database *direct_begin(
    const direct_settings *settings, size_t size, int (*find)(void *library),
    int (*prepare)(direct_database *, const direct_settings *), void (*end)(direct_database *));

/// Writes the number of a commit to the beginning of the value.
static inline void direct_stamp(void *value, size_t bytes, uint64_t number) {
  memcpy(value, &number, bytes < sizeof number ? bytes : sizeof number);
}

/// Keys for a library that orders them as machine words without sign.
static inline uint64_t direct_word(int64_t key) { return (uint64_t)key ^ (UINT64_C(1) << 63); }
