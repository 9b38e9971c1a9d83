// The parts that are the same for every library: beginning, words for what was refused, and a loop over bytes.
#include "calls.h"
#include <stdio.h>
#include <stdlib.h>

static char failure[512];

const char *direct_failure(void) { return failure; }

int direct_fail(const char *action, const char *reason) {
  snprintf(failure, sizeof failure, "%s: %s", action, reason ? reason : "no reason given");
  return 1;
}

direct_database *direct_begin(
    const direct_settings *settings, size_t size, int (*find)(void *library),
    int (*prepare)(direct_database *, const direct_settings *), void (*end)(direct_database *)) {
  void *library = dlopen(settings->library, RTLD_NOW | RTLD_LOCAL);
  if (!library) direct_fail(settings->library, dlerror());
  if (!library || find(library)) return NULL;
  direct_database *database = calloc(1, size);
  if (database && prepare(database, settings)) {
    end(database);
    return NULL;
  }
  return database;
}

uint64_t direct_touch(const void *bytes, size_t count) {
  const char *next = bytes;
  uint64_t sum = 0;
  for (; count >= sizeof sum; next += sizeof sum, count -= sizeof sum) {
    uint64_t word;
    memcpy(&word, next, sizeof word);
    sum += word;
  }
  for (; count > 0; next++, count--) sum += (unsigned char)*next;
  return sum;
}
