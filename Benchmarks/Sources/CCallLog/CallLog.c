// The functions that write, sync and truncate, in place of the C library's: each passes the call to the kernel and
// logs it.
#define _GNU_SOURCE
#include "CallLog.h"

#if defined(__linux__) && defined(__LP64__)
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static struct LoggedCall *calls;
static int64_t call_count, capacity;
static bool is_open;

static void log_call(
    int descriptor, enum LoggedCallKind kind, bool syncs, int64_t offset, int64_t count) {
  if (!is_open || count < 0) return;
  if (call_count == capacity) {
    capacity = capacity ? 2 * capacity : 4096;
    calls = realloc(calls, (size_t)capacity * sizeof *calls);
    if (!calls) abort();
  }
  calls[call_count++] = (struct LoggedCall){descriptor, kind, syncs, offset, count};
}

static bool is_synchronous(int descriptor) {
  return is_open && (fcntl(descriptor, F_GETFL) & O_DSYNC) != 0;
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
  ssize_t result = syscall(SYS_pwrite64, descriptor, bytes, count, offset);
  log_call(descriptor, LOGGED_WRITE, is_synchronous(descriptor), offset, result);
  return result;
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off_t offset) {
  return pwrite(descriptor, bytes, count, offset);
}

ssize_t pwritev(int descriptor, const struct iovec *pieces, int piece_count, off_t offset) {
  ssize_t result = syscall(SYS_pwritev, descriptor, pieces, (long)piece_count, offset, 0L);
  log_call(descriptor, LOGGED_WRITE, is_synchronous(descriptor), offset, result);
  return result;
}

ssize_t pwritev64(int descriptor, const struct iovec *pieces, int piece_count, off_t offset) {
  return pwritev(descriptor, pieces, piece_count, offset);
}

// LMDB writes adjacent pages so, from where it has moved the descriptor to.
ssize_t writev(int descriptor, const struct iovec *pieces, int piece_count) {
  off_t offset = is_open ? lseek(descriptor, 0, SEEK_CUR) : -1;
  ssize_t result = syscall(SYS_writev, descriptor, pieces, (long)piece_count);
  if (offset >= 0) {
    log_call(descriptor, LOGGED_WRITE, is_synchronous(descriptor), offset, result);
  }
  return result;
}

int fsync(int descriptor) {
  int result = (int)syscall(SYS_fsync, descriptor);
  log_call(descriptor, LOGGED_SYNC, true, 0, result);
  return result;
}

int fdatasync(int descriptor) {
  int result = (int)syscall(SYS_fdatasync, descriptor);
  log_call(descriptor, LOGGED_SYNC, true, 0, result);
  return result;
}

int ftruncate(int descriptor, off_t length) {
  int result = (int)syscall(SYS_ftruncate, descriptor, length);
  if (result == 0) log_call(descriptor, LOGGED_TRUNCATE, false, length, 0);
  return result;
}

int ftruncate64(int descriptor, off_t length) { return ftruncate(descriptor, length); }

void calllog_open(void) { call_count = 0; is_open = true; }
int64_t calllog_close(void) { is_open = false; return call_count; }
const struct LoggedCall *calllog_calls(void) { return calls; }

#else
void calllog_open(void) {}
int64_t calllog_close(void) { return 0; }
const struct LoggedCall *calllog_calls(void) { return 0; }
#endif
