// Only tests make links, so the product has no call for it.
import SystemIO

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

func makeLink(to target: FilePath, at path: FilePath) throws {
  guard symlink(target.string, path.string) == 0 else { throw SystemError.last("symlink", path) }
}
