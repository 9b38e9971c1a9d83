// Watches how many bytes file systems in memory have allocated, and remembers the most. Their use only grows but for a few
// system calls, which cut, remove or close files. The kernel stops the calling thread at each of them (seccomp's user
// notification) until a thread of this file has read the use: so what it reads there is each maximum, to the page, whichever
// library or child process made the call. One thread that grows files while another shrinks them may be missed.
#define _GNU_SOURCE
#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#if defined(__linux__) && __has_include(<linux/seccomp.h>)
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/vfs.h>

#ifndef SECCOMP_FILTER_FLAG_TSYNC_ESRCH
#define SECCOMP_FILTER_FLAG_TSYNC_ESRCH (1UL << 4)
#endif

enum { max_folders = 4 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t begun = PTHREAD_COND_INITIALIZER;
static int folders[max_folders];
static int folder_count;
static int64_t peak;
static int listener = -1;

static void read_use(void) {
  pthread_mutex_lock(&lock);
  int64_t use = 0;
  for (int index = 0; index < folder_count; index++) {
    struct statfs facts;
    if (fstatfs(folders[index], &facts) == 0)
      use += (int64_t)(facts.f_blocks - facts.f_bfree) * facts.f_bsize;
  }
  if (use > peak) peak = use;
  pthread_mutex_unlock(&lock);
}

// Makes none of the calls at which the kernel stops threads: it would wait for itself.
static void *watch(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  while (listener < 0) pthread_cond_wait(&begun, &lock);
  pthread_mutex_unlock(&lock);
  struct seccomp_notif request;
  struct seccomp_notif_resp response;
  for (;;) {
    memset(&request, 0, sizeof request);
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &request) != 0) {
      // ENOENT: the thread was killed while it waited.
      if (errno == EINTR || errno == ENOENT) continue;
      return NULL;
    }
    read_use();
    memset(&response, 0, sizeof response);
    response.id = request.id;
    response.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    (void)ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
  }
}

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define STOP BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF)
#define PASS BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define STOP_AT(call) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 1), STOP
// Stops at a call with one of these bits in an argument's lower half, and lets it pass otherwise.
#define STOP_AT_BITS(call, argument, bits)                                                         \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 4), LOAD(args[argument]),                    \
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1), STOP, PASS

static int install_filter(int refuses_reservations) {
  // With EOPNOTSUPP the C library would write into each page instead.
  const uint32_t reservation =
      refuses_reservations ? SECCOMP_RET_ERRNO | ENOSYS : SECCOMP_RET_ALLOW;
  const struct sock_filter program[] = {
      LOAD(nr),
      STOP_AT(ftruncate),
      STOP_AT(truncate),
      STOP_AT(unlinkat),
      STOP_AT(renameat2),
      STOP_AT(close),
      STOP_AT(dup3),
      STOP_AT(munmap),
      STOP_AT(mremap),
      STOP_AT(exit),
      STOP_AT(exit_group),
      STOP_AT(execve),
      STOP_AT(kill),
      STOP_AT(tgkill),
#ifdef __NR_renameat
      STOP_AT(renameat),
#endif
#ifdef __NR_unlink
      STOP_AT(unlink),
      STOP_AT(rename),
      STOP_AT(creat),
      STOP_AT(dup2),
      STOP_AT_BITS(open, 1, O_TRUNC),
#endif
#ifdef __NR_close_range
      STOP_AT(close_range),
#endif
#ifdef __NR_openat2
      STOP_AT(openat2),
#endif
#ifdef __NR_pidfd_send_signal
      STOP_AT(pidfd_send_signal),
#endif
      STOP_AT_BITS(openat, 2, O_TRUNC),
      // All modes but reserving space: FALLOC_FL_KEEP_SIZE is 1.
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_fallocate, 0, 4), LOAD(args[1]),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, ~1u, 0, 1), STOP, BPF_STMT(BPF_RET | BPF_K, reservation),
      // MADV_REMOVE is 9; other advice with these bits frees nothing, and is rare.
      STOP_AT_BITS(madvise, 2, 8),
      PASS,
  };
  struct sock_fprog filter = {sizeof program / sizeof *program, (struct sock_filter *)program};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  return (int)syscall(
      __NR_seccomp, SECCOMP_SET_MODE_FILTER,
      SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_TSYNC_ESRCH, &filter);
}

int cplatform_disk_watch_begin(int refuses_reservations) {
  pthread_t thread;
  int result = pthread_create(&thread, NULL, watch, NULL);
  if (result != 0) return result;
  pthread_detach(thread);
  int descriptor = install_filter(refuses_reservations);
  if (descriptor < 0) return errno;
  pthread_mutex_lock(&lock);
  listener = descriptor;
  pthread_cond_signal(&begun);
  pthread_mutex_unlock(&lock);
  return 0;
}

int cplatform_disk_watch_add(const char *folder) {
  int descriptor = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return errno;
  pthread_mutex_lock(&lock);
  int is_full = folder_count == max_folders;
  if (!is_full) folders[folder_count++] = descriptor;
  pthread_mutex_unlock(&lock);
  if (!is_full) return 0;
  close(descriptor);
  return EMFILE;
}

int64_t cplatform_disk_watch_peak(void) {
  read_use();
  pthread_mutex_lock(&lock);
  int64_t result = peak;
  pthread_mutex_unlock(&lock);
  return result;
}
#else
int cplatform_disk_watch_begin(int refuses_reservations) { (void)refuses_reservations; return ENOSYS; }
int cplatform_disk_watch_add(const char *folder) { (void)folder; return ENOSYS; }
int64_t cplatform_disk_watch_peak(void) { return 0; }
#endif
