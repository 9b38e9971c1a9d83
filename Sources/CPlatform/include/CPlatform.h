// What Swift cannot import well from the C library: functions hidden behind _GNU_SOURCE, macros, variadics, atomic
// access to memory that processes share, and the one signal handler of the process (a handler may run no Swift code: the
// runtime is not async-signal-safe).
#pragma once
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/// Atomic access to memory that other processes may change too; `place` is aligned to the size. All in one order that
/// every processor and process sees (sequentially consistent).
static inline uint64_t cplatform_load64(const void *place) {
  return __atomic_load_n((const uint64_t *)place, __ATOMIC_SEQ_CST);
}
static inline void cplatform_store64(void *place, uint64_t value) {
  __atomic_store_n((uint64_t *)place, value, __ATOMIC_SEQ_CST);
}
/// Stores `next` where `place` holds `expected`; 1 if it did.
static inline int cplatform_exchange64(void *place, uint64_t expected, uint64_t next) {
  return __atomic_compare_exchange_n((uint64_t *)place, &expected, next, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

/// Has the processor read the cache line of this address, without waiting for it. The address need not be valid.
static inline void cplatform_prefetch(const void *place) { __builtin_prefetch(place); }

/// Two words of the calling thread's own, zero when it begins.
uint64_t *cplatform_thread_words(void);
/// The kernel's id of the calling thread.
int32_t cplatform_thread_id(void);
/// Has the kernel kill this process when the thread that started it has ended; nothing where the platform has no such call.
void cplatform_end_with_parent(void);
/// Restricts the calling thread to one processor; 0, or the errno.
int cplatform_pin_to_cpu(int cpu);
/// Names the calling thread as tools such as top and gdb show it; longer names are cut to 15 bytes.
void cplatform_name_thread(const char *name);
/// From now on each SIGINT, SIGTERM and SIGHUP writes one byte, its number, into a pipe; one that comes more than a quarter
/// of a second after the first ends the process as by default. A SIGHUP that is ignored stays so. Returns the pipe's reading
/// end (non-blocking, closed on exec), or -1 with errno set.
int cplatform_interrupts_begin(void);
/// Gives the signals back to what handled them before, and closes the pipe.
void cplatform_interrupts_end(void);
/// As pipe(2) and a pair of stream sockets, but no child that is spawned meanwhile inherits the ends. 0, or the errno.
int cplatform_pipe(int ends[2]);
int cplatform_socket_pair(int ends[2]);
/// Has a child that will be spawned close all but its standard streams, after the actions so far, where the platform can.
void cplatform_spawn_close_others(posix_spawn_file_actions_t *actions);
/// Has a child that will be spawned begin in this folder. 0, or the errno.
int cplatform_spawn_in_folder(posix_spawn_file_actions_t *actions, const char *folder);
/// Has all threads take memory from one heap, where the C library (glibc) maps 64 MiB of addresses for the heap of each.
void cplatform_use_one_heap(void);
/// Has the disk begin to write this range of an open file, without waiting for it; nothing where the platform has no
/// such call. No promise that anything is durable.
void cplatform_begin_writeback(int descriptor, off_t offset, off_t count);
/// Another opening of the same file, for writing only, whose writes go to the disk and not into the system's cache; they
/// begin and end at multiples of the disk's blocks. -1 where the platform has no such thing.
int cplatform_open_past_cache(int descriptor);
/// The identity and the sizes of a file, in bytes.
struct cplatform_file_facts {
  uint64_t device;
  uint64_t node;
  int64_t size;
  int64_t allocated;
  bool is_folder;
};
/// The facts of an open file, or, with a `path`, of the file there; 0, or the errno. The times are left out on purpose: once
/// they were read, Linux from 6.13 on gives the next write a time of its own (multigrain timestamps), where otherwise all
/// writes of some milliseconds share one. The write then changes the inode, and on ext4 without a journal fdatasync writes
/// the inode in a request of its own: durable commits took a tenth longer and more when each was preceded by stat(2).
int cplatform_file_facts(int descriptor, const char *path, struct cplatform_file_facts *facts);
/// The kind of file system that holds `path`: its number and, where the platform tells, its name (else empty).
/// 0, or the errno.
int cplatform_file_system(const char *path, uint32_t *number, char name[32]);
/// Gives the folder `path` a file system in memory of `bytes` bytes, or, with `again`, the one
/// that it has another size. 0, or the errno: ENOSYS where the platform has no such thing.
int cplatform_mount_memory(const char *path, int64_t bytes, int again);
/// Takes the file system in memory off the folder `path`. 0, or the errno: ENOSYS where the platform has no such thing.
int cplatform_unmount_memory(const char *path);
/// Has the kernel stop this process and its children at each system call that can free space of a file, until the use of the
/// watched file systems was read; once in a process, before it starts threads. With `refuses_reservations` each call that
/// only reserves space fails with ENOSYS, as on a system that cannot. 0, or the errno: ENOSYS where the platform has no such
/// thing.
int cplatform_disk_watch_begin(int refuses_reservations);
/// Adds the file system of the folder to those that are watched, four at most. 0, or the errno.
int cplatform_disk_watch_add(const char *folder);
/// The most bytes that were allocated at once on all watched file systems together.
int64_t cplatform_disk_watch_peak(void);
/// Locks (kind 1; with others of kind 2: kind 2) or unlocks (kind 0) a range of a file against every other opening of it, in this process too: the lock
/// belongs to the open file description, and goes with it when its process dies. With `wait` it waits for others. 0, or
/// the errno: EAGAIN where another opening has the range.
int cplatform_lock_range(int descriptor, int64_t start, int64_t length, int kind, int wait);
/// Makes the pages of a shared mapping from byte `from` to `to` present and writable, which reserves their space in the
/// file. 0, or the errno: EFAULT where the disk is full, EINVAL where the kernel cannot.
int cplatform_populate(void *base, int64_t from, int64_t to);
/// Whether another opening has a lock within the range: 1 (and where its lock begins), 0, or the errno made negative.
int cplatform_find_lock(int descriptor, int64_t start, int64_t length, int64_t *found);
/// Extended attributes of an open file or, where `descriptor` is negative, of the file at `path`. As the system's own
/// calls: a byte count (of names, each ended by a zero; of a value) or 0, and -1 with errno set. A buffer of no bytes asks
/// for the count only.
int64_t cplatform_list_attributes(int descriptor, const char *path, char *names, size_t size);
int64_t cplatform_read_attribute(int descriptor, const char *path, const char *name, void *value, size_t size);
int cplatform_write_attribute(int descriptor, const char *path, const char *name, const void *value, size_t size);
int cplatform_remove_attribute(int descriptor, const char *path, const char *name);
/// Gives an open file the access list of the one at `path`, where the platform has lists that are no extended attributes.
/// 0, or the errno.
int cplatform_copy_access_list(const char *path, int descriptor);
/// The C library's version, such as `2.36`; empty where it has none to tell.
const char *cplatform_c_library(void);

/// Tracing of a child (Linux; elsewhere ENOSYS): attaches to one of its threads and has it stop at its next step. New
/// threads are attached by themselves, and all die with the tracer. 0, or the errno.
int cplatform_trace_thread(int32_t thread);
/// Lets a stopped thread run to its next call of the system, or the end of one, with `signal` delivered. 0, or the errno.
int cplatform_trace_continue(int32_t thread, int signal);
/// Waits for a child or a traced thread of the calling thread. Its id, or the errno made negative.
int32_t cplatform_trace_wait(int *status);
/// The call of the system that a stopped thread is about to make, by name, where it changes files (1) or answers on the
/// standard output (2); 0 for any other stop.
int cplatform_traced_call(int32_t thread, char name[32]);
/// The same for calls that wait for the disk: by name (1), or a write (2), which waits where its descriptor was opened so;
/// 0 for any other stop.
int cplatform_traced_sync(int32_t thread, char name[32], int *descriptor);
/// The flags of a descriptor of which any makes its writes wait for the disk.
int cplatform_synced_write_flags(void);
