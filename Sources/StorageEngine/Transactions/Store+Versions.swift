// The limit on versions that can be read at once: what a program that must not grow without bound sets, so that a
// forgotten snapshot shows as an error where it is written, and not as a full disk.

extension Store {
  private static let mostNamed = 8

  /// Error `tooManyVersions` where the commit to come would exceed the limit. Called before it changes anything, with
  /// the writer's place.
  ///
  /// Counted are the versions that could be read after the commit, at this moment: those that are held, each once
  /// however many hold it, and the one that the commit makes. So the next write succeeds as soon as enough snapshots
  /// have ended. (Realm documents the number of versions between the oldest and the newest; its core counts what is
  /// reachable, but only when a commit ends, so that the limit goes on refusing after the snapshots have gone.)
  func checkVersionLimit() throws(StorageError) {
    guard let limit = options.maximumNumberOfActiveVersions else { return }
    let count = readableVersionsAfterCommit()
    guard count > limit else { return }
    let pins = oldestPins()
    var held = pins.prefix(Self.mostNamed).map { pin in
      let place =
        pin.process.map { "process \($0), thread \(pin.thread ?? 0)" } ?? pin.kind.rawValue
      return "version \(pin.version) by \"\(pin.label)\" (\(place), \(pin.retained) bytes)"
    }
    if pins.count > held.count { held.append("and \(pins.count - held.count) more") }
    throw StorageError(
      .tooManyVersions,
      "With this commit \(count) versions could be read, and maximumNumberOfActiveVersions is "
        + "\(limit); nothing was written. Held are \(held.joined(separator: "; ")). End or refresh "
        + "snapshots, or drop savepoints, then write again.")
  }

  /// What is held once the transaction's dropped savepoints have let go, and the version that it makes.
  private func readableVersionsAfterCommit() -> Int {
    let kept = writer.pointee.savepoints
    return mutex.withLock {
      session.clearStaleReaders()
      noteReaders()
      let dropped = shared.pointee.newest.savepoints.filter { !kept.contains($0) }
      let held = shared.pointee.deferredFree.retainedBytes().filter { version in
        version.holderCount > dropped.count { $0.version == version.version }
      }
      return held.count + 1
    }
  }
}
