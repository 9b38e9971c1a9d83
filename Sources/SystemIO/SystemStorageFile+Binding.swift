// The lock file that an opening uses, recorded on the database itself. A lock file can be removed while it is in use; the
// next opening makes another one, whose locks exclude none of the first. Both have only the database in common.
import CPlatform

extension SystemStorageFile {
  /// Each lock file has a byte here, by its number on the disk: two that exist at once never have the same.
  private static let (bindings, span) = (Int64(1) << 62, Int64(1) << 61)

  package func bind(toLockFile lock: FileIdentity) throws(SystemError) -> Bool {
    let node = Int64(truncatingIfNeeded: lock.node) & (Self.span - 1)
    // First said and then asked: of two that come at once by two lock files, at least one sees the other.
    let result = cplatform_lock_range(descriptor, Self.bindings + node, 1, 2, 0)
    guard result == 0 else {
      throw SystemError(code: result, call: "fcntl(F_OFD_SETLK)", path: path.string)
    }
    let below = try isLocked(Self.bindings, node)
    let above = try isLocked(Self.bindings + node + 1, Self.span - node - 1)
    if below || above { unbind() }
    return !below && !above
  }

  package func unbind() { _ = cplatform_lock_range(descriptor, Self.bindings, Self.span, 0, 0) }

  private func isLocked(_ start: Int64, _ count: Int64) throws(SystemError) -> Bool {
    // To the system a range of no bytes is one without an end.
    guard count > 0 else { return false }
    var found: Int64 = 0
    let result = cplatform_find_lock(descriptor, start, count, &found)
    guard result >= 0 else {
      throw SystemError(code: -result, call: "fcntl(F_OFD_GETLK)", path: path.string)
    }
    return result == 1
  }
}
