// The last writers of this process: for each shared file the store that wrote last. The next store of the process that writes
// takes over its free space and deferred free extents in memory, in place of replaying them from the records. So of many
// sessions in one process only one has them.
import SystemIO

final class LastWriters: @unchecked Sendable {
  static let shared = LastWriters()

  private struct Entry {
    let writer: UnsafeMutablePointer<Writer>
    let context: ObjectIdentifier
  }

  /// By lock file; of writers that are not at work. A session takes the mutex when it begins to write and when it ends, which
  /// also orders the accesses to a writer for the thread sanitizer: it does not see the byte lock that excludes one meanwhile.
  private let entries = Locked<[FileIdentity: Entry]>([:])

  /// Records the writer of a store that is about to release the write lock of all sessions.
  func record(_ writer: UnsafeMutablePointer<Writer>, _ context: FileContext) {
    guard let file = context.session.lockIdentity else { return }
    entries.withLock { $0[file] = Entry(writer: writer, context: ObjectIdentifier(context)) }
  }

  /// Removes the writer of a store that is closed, or that another has replaced.
  func remove(_ context: FileContext) {
    guard let file = context.session.lockIdentity else { return }
    entries.withLock { entries in
      if entries[file]?.context == ObjectIdentifier(context) { entries[file] = nil }
    }
  }

  /// Removes the last writer of the file, whatever store it belongs to.
  func removeAny(ofFileOf context: FileContext) {
    guard let file = context.session.lockIdentity else { return }
    entries.withLock { $0[file] = nil }
  }

  /// Calls `body` with the last writer of the same file if that is another store's. The caller holds the write lock of all
  /// sessions, so no other thread uses that writer meanwhile. Returns false if there is none.
  func withLast(besides context: FileContext, _ body: (inout Writer) -> Bool) -> Bool {
    guard let file = context.session.lockIdentity else { return false }
    return entries.withLock { entries in
      guard let entry = entries[file], entry.context != ObjectIdentifier(context) else {
        return false
      }
      return body(&entry.writer.pointee)
    }
  }
}
