// What is asked of a file that other programs have open, without a lock of one's own.
import CPlatform

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension FileReader {
  /// The identity of the open file, whatever its name leads to by now.
  package var identity: FileIdentity {
    get throws(SystemError) {
      var facts = stat()
      guard fstat(descriptor, &facts) == 0 else { throw .last("fstat", path) }
      return FileIdentity(facts)
    }
  }

  /// Returns whether another opening has locked the byte at `offset`. Nothing is locked, and no process waits.
  package func isLocked(at offset: Int) throws(SystemError) -> Bool {
    var found: Int64 = 0
    let result = cplatform_find_lock(descriptor, Int64(offset), 1, &found)
    guard result >= 0 else {
      throw SystemError(code: -result, call: "fcntl(F_OFD_GETLK)", path: path.string)
    }
    return result == 1
  }
}
