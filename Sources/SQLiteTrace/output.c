// Lines are written when the buffer is full, a second after the last write, and at the end. After an error nothing more is
// written: the program is not disturbed, and the trace ends within a line.
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { max_line = 1024, max_files = 1000 };

static int64_t microseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

int output_open(Output *output, const char *path) {
    memset(output, 0, offsetof(Output, buffer));
    output->start = microseconds();
    char name[4096];
    for (int number = 1; number <= max_files; number++) {
        int length = number == 1 ? snprintf(name, sizeof name, "%s", path)
                                 : snprintf(name, sizeof name, "%s.%d", path, number);
        if (length < 0 || (size_t)length >= sizeof name) return ENAMETOOLONG;
        output->descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (output->descriptor >= 0) return 0;
        if (errno != EEXIST) break;
    }
    output->has_failed = true;
    return errno;
}

static void write_all(Output *output) {
    size_t offset = 0;
    int saved = errno;
    while (!output->has_failed && offset < output->used) {
        ssize_t count = write(output->descriptor, output->buffer + offset, output->used - offset);
        if (count >= 0) offset += (size_t)count;
        else if (errno != EINTR) output->has_failed = true;
    }
    errno = saved;
    output->used = 0;
    output->last_write = microseconds();
}

static void append(Output *output, const char *format, va_list members) {
    int count = vsnprintf(
        output->buffer + output->used, sizeof output->buffer - output->used, format, members);
    if (count > 0) output->used += (size_t)count;
}

void output_line(Output *output, const char *format, ...) {
    if (output->has_failed) return;
    if (output->used + max_line > sizeof output->buffer) write_all(output);
    va_list members;
    va_start(members, format);
    append(output, format, members);
    va_end(members);
    output->buffer[output->used++] = '\n';
}

void output_record(Output *output, const char *operation, const char *format, ...) {
    if (output->has_failed) return;
    if (output->used + max_line > sizeof output->buffer) write_all(output);
    // The operations of a transaction have the time of its beginning: no clock is read for each.
    output->used += (size_t)snprintf(
        output->buffer + output->used, max_line, "{\"op\":\"%s\",\"at\":%lld", operation,
        (long long)output->time);
    va_list members;
    va_start(members, format);
    append(output, format, members);
    va_end(members);
    output->buffer[output->used++] = '}';
    output->buffer[output->used++] = '\n';
    output->records++;
}

void output_age(Output *output) {
    output->time = microseconds() - output->start;
    if (output->start + output->time - output->last_write > 1000000) write_all(output);
}

void output_close(Output *output) {
    output_line(
        output, "{\"end\":{\"commits\":%llu,\"records\":%llu}}",
        (unsigned long long)output->commits, (unsigned long long)output->records);
    write_all(output);
    close(output->descriptor);
}
