// The lines of a trace: a buffer and a file.
#ifndef OUTPUT_H
#define OUTPUT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

typedef struct {
    int descriptor;
    bool has_failed;
    int64_t start;
    int64_t time;
    int64_t last_write;
    uint64_t records;
    uint64_t commits;
    size_t used;
    char buffer[1 << 16];
} Output;

/// Creates the file, or where it exists one with a number behind its name. Returns 0 or the system's error.
int output_open(Output *output, const char *path);

/// Appends a line that is no operation's.
void output_line(Output *output, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// Appends an operation; the format has its further members, each after a comma.
void output_record(Output *output, const char *operation, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/// Writes what is old: called at the end of each transaction.
void output_age(Output *output);

/// Writes everything and closes the file.
void output_close(Output *output);

#pragma GCC visibility pop

#endif
