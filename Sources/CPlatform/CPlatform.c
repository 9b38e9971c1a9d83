#define _GNU_SOURCE
#include "CPlatform.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>

int32_t cplatform_thread_id(void) { return (int32_t)syscall(SYS_gettid); }

int cplatform_pin_to_cpu(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  return sched_setaffinity(0, sizeof set, &set) == 0 ? 0 : errno;
}
#else
int32_t cplatform_thread_id(void) {
  uint64_t id = 0;
  pthread_threadid_np(NULL, &id);
  return (int32_t)id;
}

int cplatform_pin_to_cpu(int cpu) {
  (void)cpu;
  return ENOTSUP;
}
#endif
