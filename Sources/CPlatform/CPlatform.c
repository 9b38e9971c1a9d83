#define _GNU_SOURCE
#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <gnu/libc-version.h>
#include <malloc.h>
#endif

static _Thread_local uint64_t thread_words[2];

uint64_t *cplatform_thread_words(void) { return thread_words; }

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

void cplatform_use_one_heap(void) {
#ifdef __GLIBC__
  (void)mallopt(M_ARENA_MAX, 1);
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

int cplatform_unmount_memory(const char *path) {
#ifdef __linux__
  return umount2(path, MNT_DETACH) == 0 ? 0 : errno;
#else
  (void)path;
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

int cplatform_populate(void *base, int64_t from, int64_t to) {
#ifdef MADV_POPULATE_WRITE
  int64_t start = from - from % sysconf(_SC_PAGESIZE);
  while (madvise((char *)base + start, (size_t)(to - start), MADV_POPULATE_WRITE) != 0) {
    if (errno != EINTR) return errno;
  }
  return 0;
#else
  (void)base, (void)from, (void)to;
  return EINVAL;
#endif
}

#ifndef __linux__
static int closing_on_exec(const int ends[2]) {
  for (int i = 0; i < 2; i++) fcntl(ends[i], F_SETFD, FD_CLOEXEC);
  return 0;
}
#endif

int cplatform_pipe(int ends[2]) {
#ifdef __linux__
  return pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno;
#else
  return pipe(ends) == 0 ? closing_on_exec(ends) : errno;
#endif
}

int cplatform_socket_pair(int ends[2]) {
#ifdef __linux__
  return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0 ? 0 : errno;
#else
  return socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0 ? closing_on_exec(ends) : errno;
#endif
}

static const int interrupting[] = {SIGINT, SIGTERM, SIGHUP};
enum { INTERRUPTING = sizeof interrupting / sizeof interrupting[0] };

static volatile int interrupt_pipe[2] = {-1, -1};
static struct sigaction interrupting_before[INTERRUPTING];
static volatile sig_atomic_t was_interrupted;
static struct timespec first_interrupt;

static void note_interrupt(int number) {
  int saved = errno;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (!was_interrupted) {
    first_interrupt = now;
    was_interrupted = 1;
  }
  int64_t since =
      (int64_t)(now.tv_sec - first_interrupt.tv_sec) * 1000000000 + (now.tv_nsec - first_interrupt.tv_nsec);
  if (since > 250000000) {
    // What is going on after the first may hang. timeout(1) sends its signal twice, at once: that counts as one.
    signal(number, SIG_DFL);
    raise(number); // Delivered when the handler returns.
  } else {
    unsigned char byte = (unsigned char)number;
    ssize_t written = write(interrupt_pipe[1], &byte, 1);
    (void)written; // A full pipe already says that an interrupt waits.
  }
  errno = saved;
}

int cplatform_interrupts_begin(void) {
  int ends[2];
  errno = cplatform_pipe(ends);
  if (errno != 0) return -1;
  for (int i = 0; i < 2; i++) {
    fcntl(ends[i], F_SETFL, O_NONBLOCK);
    interrupt_pipe[i] = ends[i];
  }
  was_interrupted = 0;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = note_interrupt;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < INTERRUPTING; i++) {
    sigaction(interrupting[i], NULL, &interrupting_before[i]);
    if (interrupting[i] == SIGHUP && interrupting_before[i].sa_handler == SIG_IGN) continue;
    sigaction(interrupting[i], &action, NULL);
  }
  return ends[0];
}

void cplatform_interrupts_end(void) {
  for (int i = 0; i < INTERRUPTING; i++) sigaction(interrupting[i], &interrupting_before[i], NULL);
  for (int i = 0; i < 2; i++) {
    close(interrupt_pipe[i]);
    interrupt_pipe[i] = -1;
  }
}

#if defined(__APPLE__)
#include <sys/acl.h>
#include <sys/xattr.h>

int64_t cplatform_list_attributes(int descriptor, const char *path, char *names, size_t size) {
  return descriptor >= 0 ? flistxattr(descriptor, names, size, 0) : listxattr(path, names, size, 0);
}

int64_t cplatform_read_attribute(int descriptor, const char *path, const char *name, void *value, size_t size) {
  return descriptor >= 0 ? fgetxattr(descriptor, name, value, size, 0, 0) : getxattr(path, name, value, size, 0, 0);
}

int cplatform_write_attribute(int descriptor, const char *path, const char *name, const void *value, size_t size) {
  return descriptor >= 0 ? fsetxattr(descriptor, name, value, size, 0, 0) : setxattr(path, name, value, size, 0, 0);
}

int cplatform_remove_attribute(int descriptor, const char *path, const char *name) {
  return descriptor >= 0 ? fremovexattr(descriptor, name, 0) : removexattr(path, name, 0);
}

int cplatform_copy_access_list(const char *path, int descriptor) {
  acl_t list = acl_get_file(path, ACL_TYPE_EXTENDED);
  // A file without a list has none to give; a new file has one only where its folder hands one down.
  if (list == NULL && errno == ENOENT) list = acl_init(1);
  if (list == NULL) return errno == ENOTSUP ? 0 : errno;
  int code = acl_set_fd_np(descriptor, list, ACL_TYPE_EXTENDED) == 0 ? 0 : errno;
  acl_free(list);
  return code == ENOTSUP ? 0 : code;
}
#elif defined(__linux__)
#include <sys/xattr.h>

int64_t cplatform_list_attributes(int descriptor, const char *path, char *names, size_t size) {
  return descriptor >= 0 ? flistxattr(descriptor, names, size) : listxattr(path, names, size);
}

int64_t cplatform_read_attribute(int descriptor, const char *path, const char *name, void *value, size_t size) {
  return descriptor >= 0 ? fgetxattr(descriptor, name, value, size) : getxattr(path, name, value, size);
}

int cplatform_write_attribute(int descriptor, const char *path, const char *name, const void *value, size_t size) {
  return descriptor >= 0 ? fsetxattr(descriptor, name, value, size, 0) : setxattr(path, name, value, size, 0);
}

int cplatform_remove_attribute(int descriptor, const char *path, const char *name) {
  return descriptor >= 0 ? fremovexattr(descriptor, name) : removexattr(path, name);
}

int cplatform_copy_access_list(const char *path, int descriptor) {
  (void)path, (void)descriptor;
  return 0;
}
#endif

void cplatform_spawn_close_others(posix_spawn_file_actions_t *actions) {
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
  (void)posix_spawn_file_actions_addclosefrom_np(actions, 3);
#else
  (void)actions;
#endif
}

int cplatform_spawn_in_folder(posix_spawn_file_actions_t *actions, const char *folder) {
  return posix_spawn_file_actions_addchdir_np(actions, folder);
}

const char *cplatform_c_library(void) {
#ifdef __GLIBC__
  return gnu_get_libc_version();
#else
  return "";
#endif
}

#if defined(__linux__)
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>

int cplatform_trace_thread(int32_t thread) {
  long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL;
  if (ptrace(PTRACE_SEIZE, thread, 0, options) != 0) return errno;
  return ptrace(PTRACE_INTERRUPT, thread, 0, 0) == 0 ? 0 : errno;
}

int cplatform_trace_continue(int32_t thread, int signal) {
  return ptrace(PTRACE_SYSCALL, thread, 0, (long)signal) == 0 ? 0 : errno;
}

int32_t cplatform_trace_wait(int *status) {
  pid_t found = waitpid(-1, status, __WALL | __WNOTHREAD);
  return found < 0 ? -errno : found;
}

// Calls that change a file or its name, or make a change durable. Those with a descriptor first have 1.
static const struct {
  long number;
  const char *name;
  int has_descriptor;
} changing_calls[] = {
    {SYS_write, "write", 1},
    {SYS_pwrite64, "pwrite", 1},
    {SYS_writev, "writev", 1},
    {SYS_pwritev, "pwritev", 1},
    {SYS_fsync, "fsync", 1},
    {SYS_fdatasync, "fdatasync", 1},
    {SYS_ftruncate, "ftruncate", 1},
    {SYS_fallocate, "fallocate", 1},
    {SYS_msync, "msync", 0},
    {SYS_renameat, "rename", 0},
    {SYS_renameat2, "rename", 0},
    {SYS_unlinkat, "unlink", 0},
    {SYS_linkat, "link", 0},
#if defined(SYS_rename)
    {SYS_rename, "rename", 0},
    {SYS_unlink, "unlink", 0},
    {SYS_link, "link", 0},
#endif
};

// Whether the thread is about to make a call; then it is in `info`.
static int traced_entry(int32_t thread, struct __ptrace_syscall_info *info) {
  memset(info, 0, sizeof *info);
  if (ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof *info, info) <= 0) return 0;
  return info->op == PTRACE_SYSCALL_INFO_ENTRY;
}

int cplatform_traced_sync(int32_t thread, char name[32], int *descriptor) {
  struct __ptrace_syscall_info info;
  if (!traced_entry(thread, &info)) return 0;
  *descriptor = (int)info.entry.args[0];
  const char *found = NULL;
  switch (info.entry.nr) {
  case SYS_fsync: found = "fsync"; break;
  case SYS_fdatasync: found = "fdatasync"; break;
  case SYS_sync_file_range:
    // Without one of these it only has the disk begin.
    if (info.entry.args[3] & (SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WAIT_AFTER)) found = "sync_file_range";
    break;
  case SYS_syncfs: found = "syncfs"; break;
  case SYS_msync:
    if (info.entry.args[2] & MS_SYNC) found = "msync";
    break;
  case SYS_write:
  case SYS_pwrite64:
  case SYS_writev:
  case SYS_pwritev: return 2;
  case SYS_pwritev2:
    if (!(info.entry.args[5] & (RWF_DSYNC | RWF_SYNC))) return 2;
    found = "pwritev2";
    break;
  default: return 0;
  }
  if (found == NULL) return 0;
  snprintf(name, 32, "%s", found);
  return 1;
}

int cplatform_synced_write_flags(void) { return O_DSYNC | O_SYNC; }

int cplatform_traced_call(int32_t thread, char name[32]) {
  struct __ptrace_syscall_info info;
  if (!traced_entry(thread, &info)) return 0;
  for (size_t i = 0; i < sizeof changing_calls / sizeof changing_calls[0]; i++) {
    if (info.entry.nr != (uint64_t)changing_calls[i].number) continue;
    int descriptor = changing_calls[i].has_descriptor ? (int)info.entry.args[0] : 3;
    snprintf(name, 32, "%s", changing_calls[i].name);
    return descriptor > 2 ? 1 : descriptor == 1 ? 2 : 0;
  }
  return 0;
}
#else
int cplatform_trace_thread(int32_t thread) { return ENOSYS; }
int cplatform_trace_continue(int32_t thread, int signal) { return ENOSYS; }
int32_t cplatform_trace_wait(int *status) { return -ENOSYS; }
int cplatform_traced_call(int32_t thread, char name[32]) { return 0; }
int cplatform_traced_sync(int32_t thread, char name[32], int *descriptor) { return 0; }
int cplatform_synced_write_flags(void) { return 0; }
#endif
