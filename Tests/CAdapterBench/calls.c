// The parts that need no library: words for what was refused, and a loop over bytes.
#include "calls.h"
#include <stdio.h>

static char failure[512];

const char *direct_failure(void) { return failure; }

int direct_fail(const char *action, const char *reason) {
  snprintf(failure, sizeof failure, "%s: %s", action, reason ? reason : "no reason given");
  return 1;
}

void *direct_open_library(const char *name) {
  void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!handle) direct_fail(name, dlerror());
  return handle;
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
