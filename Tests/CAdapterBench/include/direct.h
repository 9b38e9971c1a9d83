// What a program in C does where there is no adapter: the same commits and reads as the harness asks of an engine, as
// loops of calls of the library's C interface. One table of functions for each library, opened at run time as the adapters
// do it, so that both call the same code in the same way.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// An open database, whichever library's.
typedef struct direct_database direct_database;

/// How a database is opened.
typedef struct direct_settings {
  /// The library, by the name or path that the system's loader takes.
  const char *library;
  /// The database's file.
  const char *path;
  /// Whether a commit waits for the disk.
  int durable;
  /// Whether one instance stays open between transactions (Realm Core), and with it the version that it saw last.
  int kept;
} direct_settings;

/// What is done with a library. Answers 0, or something else where the library refused: `direct_failure` says what.
typedef struct direct_library {
  direct_database *(*open)(const direct_settings *settings);
  /// Rows 0 ..< rows in one transaction.
  int (*load)(direct_database *database, size_t rows, const void *value, size_t bytes);
  /// Commits of so many puts each. The value begins with the number of the commit, so that it is always another.
  int (*commit)(
      direct_database *database, const int64_t *keys, size_t puts, size_t commits, void *value, size_t bytes);
  /// Reads rows, so many in each read transaction, every byte of each; adds what they come to to `sum`.
  int (*read)(direct_database *database, const int64_t *keys, size_t reads, size_t in_snapshot, uint64_t *sum);
  void (*close)(direct_database *database);
  /// Whether it has the setting `kept`.
  int keeps;
} direct_library;

/// The library of the engine of that name; NULL where there are no calls in C for it.
const direct_library *direct_named(const char *engine);

/// What went wrong last, in words.
const char *direct_failure(void);

/// Touches every byte. Called for each row by both sides, so that neither has the better loop.
uint64_t direct_touch(const void *bytes, size_t count);
