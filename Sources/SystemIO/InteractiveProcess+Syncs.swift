// Counting how often a child waits for the disk. It is traced, as one that is to be killed: so what is counted is what it
// asked of the system, whatever library asked, and it takes no right but that of a parent.
import CPlatform

/// The calls by which a child had data made durable, while it did something.
package struct SyncCalls: Sendable, Hashable {
  /// The number of calls by the system's name: `fdatasync`, `fsync`, `syncfs`, and those of `msync` and `sync_file_range`
  /// that wait.
  package var calls: [String: Int] = [:]
  /// Writes to descriptors that were opened with `O_DSYNC` or `O_SYNC`: such a write returns when its bytes are on disk.
  package var syncedWrites = 0

  /// All of them together: how often it waited.
  package var all: Int { calls.values.reduce(syncedWrites, +) }

  package init() {}
}

extension InteractiveProcess {
  /// Sends a line, counts until the child replies, and kills it before it does. Errors: the system allows no tracing
  /// (`ENOSYS`, `EPERM`), or the child is gone.
  ///
  /// To be called in the thread that started the child, and in one that has no other children: the system reports
  /// those as well.
  package func countSyncs(whileDoing line: String) throws(SystemError) -> SyncCalls {
    defer { die() }
    var found = SyncCalls()
    try follow(line) { thread throws(SystemError) in
      var name = [CChar](repeating: 0, count: 32)
      if cplatform_traced_call(thread, &name) == 2 { return false }
      var descriptor: Int32 = -1
      switch cplatform_traced_sync(thread, &name, &descriptor) {
      case 1: found.calls[Self.text(name), default: 0] += 1
      case 2 where isSynced(descriptor): found.syncedWrites += 1
      default: break
      }
      return true
    }
    return found
  }

  /// Whether the child opened the descriptor so that writes wait for the disk.
  private func isSynced(_ descriptor: Int32) -> Bool {
    let facts = FilePath("/proc/\(processID)/fdinfo/\(descriptor)")
    guard let text = try? FileSystem.readText(facts) else { return false }
    // `flags:	02100002`, in octal.
    for line in text.split(separator: "\n") where line.hasPrefix("flags:") {
      let digits = line.dropFirst("flags:".count).filter { $0.isNumber }
      return (UInt32(digits, radix: 8) ?? 0) & UInt32(cplatform_synced_write_flags()) != 0
    }
    return false
  }
}
