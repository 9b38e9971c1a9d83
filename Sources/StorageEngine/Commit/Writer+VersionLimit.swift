// The limit on readable versions: it turns a forgotten snapshot into an error of the writer, instead of a full disk.

extension Writer {
  private static let maxNamedPins = 8

  /// Throws `tooManyVersions` if the next commit would exceed the limit. Called before
  /// anything is changed.
  ///
  /// Counts the versions that could be read after the commit: the pinned ones, each once however many snapshots have
  /// it, and the one that the commit makes. So the next write succeeds as soon as enough snapshots have ended. (Realm
  /// documents the number of versions between the oldest and the newest; its core counts the reachable ones, but only
  /// when a commit ends, so that commits fail even after the snapshots have ended.)
  func checkVersionLimit() throws(StorageError) {
    guard let limit = context.options.maximumNumberOfActiveVersions else { return }
    try checkVersionLimit(limit)
  }

  /// The same for a limit that is not among the options.
  func checkVersionLimit(_ limit: Int) throws(StorageError) {
    let count = readableVersionsAfterCommit()
    guard count > limit else { return }
    let pins = readers.oldestPins()
    var held = pins.prefix(Self.maxNamedPins).map { pin in
      let holder =
        pin.process.map { "process \($0), thread \(pin.thread ?? 0)" } ?? pin.kind.rawValue
      return "version \(pin.version) by \"\(pin.label)\" (\(holder), \(pin.retained) bytes)"
    }
    if pins.count > held.count { held.append("and \(pins.count - held.count) more") }
    throw StorageError(
      .tooManyVersions,
      "With this commit \(count) versions would be readable, and maximumNumberOfActiveVersions is "
        + "\(limit); nothing was written. Pinned are \(held.joined(separator: "; ")). End or refresh "
        + "snapshots, or drop savepoints, then write again.")
  }

  /// Returns the number of versions pinned once the transaction's dropped savepoints are gone, plus the one that it
  /// makes.
  private func readableVersionsAfterCommit() -> Int {
    let (session, savepoints) = (context.session, changes.savepoints)
    return readers.withLock { state in
      session.clearStaleReaders()
      state.syncReaderTable()
      let dropped = state.newest.savepoints.filter { !savepoints.contains($0) }
      let held = state.deferredFree.retainedBytes().filter { version in
        version.holderCount > dropped.count { $0.version == version.version }
      }
      return held.count + 1
    }
  }
}
