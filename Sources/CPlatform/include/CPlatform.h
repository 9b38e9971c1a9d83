// What Swift cannot import well from the C library: functions hidden behind _GNU_SOURCE, macros, variadics.
#pragma once
#include <stdint.h>
#include <sys/types.h>

/// The kernel's id of the calling thread.
int32_t cplatform_thread_id(void);
/// Restricts the calling thread to one processor; 0, or the errno.
int cplatform_pin_to_cpu(int cpu);
