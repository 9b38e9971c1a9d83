#define _GNU_SOURCE
#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

#ifdef __linux__
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/vfs.h>

// Asked of the kernel once for each thread: a snapshot notes the thread that began it.
static _Thread_local int32_t thread_id;

int32_t cplatform_thread_id(void) {
  if (thread_id == 0) thread_id = (int32_t)syscall(SYS_gettid);
  return thread_id;
}

void cplatform_end_with_parent(void) { (void)prctl(PR_SET_PDEATHSIG, SIGKILL); }

int cplatform_pin_to_cpu(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  return sched_setaffinity(0, sizeof set, &set) == 0 ? 0 : errno;
}
#else
#include <sys/mount.h>
#include <sys/param.h>

int32_t cplatform_thread_id(void) {
  uint64_t id = 0;
  pthread_threadid_np(NULL, &id);
  return (int32_t)id;
}

void cplatform_end_with_parent(void) {}

int cplatform_pin_to_cpu(int cpu) {
  (void)cpu;
  return ENOTSUP;
}
#endif

void cplatform_name_thread(const char *name) {
  char cut[16];
  strncpy(cut, name, sizeof cut - 1);
  cut[sizeof cut - 1] = 0;
#ifdef __linux__
  pthread_setname_np(pthread_self(), cut);
#else
  pthread_setname_np(cut);
#endif
}

void cplatform_begin_writeback(int descriptor, off_t offset, off_t count) {
#ifdef __linux__
  (void)sync_file_range(descriptor, offset, count, SYNC_FILE_RANGE_WRITE);
#else
  (void)descriptor, (void)offset, (void)count;
#endif
}

int cplatform_open_past_cache(int descriptor) {
#ifdef __linux__
  char path[32];
  snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  return open(path, O_WRONLY | O_DIRECT | O_CLOEXEC);
#else
  (void)descriptor;
  return -1;
#endif
}

int cplatform_file_system(const char *path, uint32_t *number, char name[32]) {
  struct statfs facts;
  if (statfs(path, &facts) != 0) return errno;
  *number = (uint32_t)facts.f_type;
  memset(name, 0, 32);
#ifndef __linux__
  strncpy(name, facts.f_fstypename, 31);
#endif
  return 0;
}

int cplatform_mount_memory(const char *path, int64_t bytes, int again) {
#ifdef __linux__
  char options[64];
  snprintf(options, sizeof options, "size=%lld", (long long)bytes);
  return mount("tmpfs", path, "tmpfs", again ? MS_REMOUNT : 0, options) == 0 ? 0 : errno;
#else
  (void)path, (void)bytes, (void)again;
  return ENOSYS;
#endif
}

#if defined(__APPLE__) && !defined(F_OFD_SETLK)
// Known to the kernel, and not declared by every SDK.
#define F_OFD_SETLK 90
#define F_OFD_SETLKW 91
#define F_OFD_GETLK 92
#endif

static struct flock range_of(int64_t start, int64_t length, short type) {
  struct flock range;
  memset(&range, 0, sizeof range); // The kernel wants the process id zero.
  range.l_type = type;
  range.l_whence = SEEK_SET;
  range.l_start = (off_t)start;
  range.l_len = (off_t)length;
  return range;
}

int cplatform_lock_range(int descriptor, int64_t start, int64_t length, int kind, int wait) {
  struct flock range = range_of(start, length, kind == 0 ? F_UNLCK : kind == 1 ? F_WRLCK : F_RDLCK);
  for (;;) {
    if (fcntl(descriptor, wait ? F_OFD_SETLKW : F_OFD_SETLK, &range) == 0) return 0;
    if (errno != EINTR) return errno == EACCES ? EAGAIN : errno;
  }
}

int cplatform_find_lock(int descriptor, int64_t start, int64_t length, int64_t *found) {
  struct flock range = range_of(start, length, F_WRLCK);
  while (fcntl(descriptor, F_OFD_GETLK, &range) != 0) {
    if (errno != EINTR) return -errno;
  }
  if (range.l_type == F_UNLCK) return 0;
  *found = (int64_t)range.l_start;
  return 1;
}

static volatile int interrupt_pipe[2] = {-1, -1};
static struct sigaction interrupt_before, terminate_before;

static void note_interrupt(int number) {
  int saved = errno;
  unsigned char byte = (unsigned char)number;
  ssize_t written = write(interrupt_pipe[1], &byte, 1);
  (void)written; // A full pipe already says that an interrupt waits.
  errno = saved;
}

int cplatform_interrupts_begin(void) {
  int ends[2];
  if (pipe(ends) != 0) return -1;
  for (int i = 0; i < 2; i++) {
    fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    fcntl(ends[i], F_SETFL, O_NONBLOCK);
    interrupt_pipe[i] = ends[i];
  }
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = note_interrupt;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &interrupt_before);
  sigaction(SIGTERM, &action, &terminate_before);
  return ends[0];
}

void cplatform_interrupts_end(void) {
  sigaction(SIGINT, &interrupt_before, NULL);
  sigaction(SIGTERM, &terminate_before, NULL);
  for (int i = 0; i < 2; i++) {
    close(interrupt_pipe[i]);
    interrupt_pipe[i] = -1;
  }
}

const char *cplatform_c_library(void) {
#ifdef __GLIBC__
  return gnu_get_libc_version();
#else
  return "";
#endif
}
