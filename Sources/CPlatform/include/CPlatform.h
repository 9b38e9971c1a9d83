// What Swift cannot import well from the C library: functions hidden behind _GNU_SOURCE, macros, variadics, and the
// one signal handler of the process (a handler may run no Swift code: the runtime is not async-signal-safe).
#pragma once
#include <stdint.h>
#include <sys/types.h>

/// The kernel's id of the calling thread.
int32_t cplatform_thread_id(void);
/// Restricts the calling thread to one processor; 0, or the errno.
int cplatform_pin_to_cpu(int cpu);
/// Names the calling thread as tools such as top and gdb show it; longer names are cut to 15 bytes.
void cplatform_name_thread(const char *name);
/// From now on each SIGINT and SIGTERM writes one byte, its number, into a pipe. Returns the pipe's reading end
/// (non-blocking, closed on exec), or -1 with errno set.
int cplatform_interrupts_begin(void);
/// Gives both signals back to what handled them before, and closes the pipe.
void cplatform_interrupts_end(void);
/// Has the disk begin to write this range of an open file, without waiting for it; nothing where the platform has no
/// such call. No promise that anything is durable.
void cplatform_begin_writeback(int descriptor, off_t offset, off_t count);
/// The kind of file system that holds `path`: its number and, where the platform tells, its name (else empty).
/// 0, or the errno.
int cplatform_file_system(const char *path, uint32_t *number, char name[32]);
