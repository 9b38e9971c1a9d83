// The identity and the sizes of a file, asked of the kernel without its times.
#define _GNU_SOURCE
#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#ifdef __linux__
#include <sys/sysmacros.h>
#endif

static int take_facts(int result, const struct stat *found, struct cplatform_file_facts *facts) {
  if (result != 0) return errno;
  *facts = (struct cplatform_file_facts){
      (uint64_t)found->st_dev, (uint64_t)found->st_ino, (int64_t)found->st_size, 512 * (int64_t)found->st_blocks,
      S_ISDIR(found->st_mode)};
  return 0;
}

int cplatform_file_facts(int descriptor, const char *path, struct cplatform_file_facts *facts) {
#ifdef __linux__
  const unsigned wanted = STATX_TYPE | STATX_INO | STATX_SIZE | STATX_BLOCKS;
  struct statx found;
  int result = path ? statx(AT_FDCWD, path, 0, wanted, &found) : statx(descriptor, "", AT_EMPTY_PATH, wanted, &found);
  if (result == 0) {
    *facts = (struct cplatform_file_facts){makedev(found.stx_dev_major, found.stx_dev_minor), found.stx_ino,
                                           (int64_t)found.stx_size, 512 * (int64_t)found.stx_blocks,
                                           S_ISDIR(found.stx_mode)};
    return 0;
  }
  // Some sandboxes have no statx.
  if (errno != ENOSYS && errno != EPERM) return errno;
#endif
  struct stat old;
  return take_facts(path ? stat(path, &old) : fstat(descriptor, &old), &old, facts);
}
