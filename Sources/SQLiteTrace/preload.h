// The library loaded before a program that loads no extensions (LD_PRELOAD).
#ifndef PRELOAD_H
#define PRELOAD_H
#include <stdbool.h>

#pragma GCC visibility push(hidden)

/// Whether connections are recorded because their opening was seen here.
bool is_preloaded(void);

#pragma GCC visibility pop

#endif
