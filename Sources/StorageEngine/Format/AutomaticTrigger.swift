// When automatic compaction begins: one condition, for the commit that asks and for the user who asks why not.

extension AutomaticCompaction {
  /// Whether a file in this state is to be compacted: to which length, or why not. `pin` is the oldest snapshot.
  /// `scattered` are the free bytes that no commit can use as they lie: they count as used, because with them the blocks
  /// above the limit would not fit below.
  func condition(
    _ account: SpaceAccount, scattered: Int, pin: AutomaticPin?
  ) -> AutomaticCondition {
    guard account.file >= minimumFile else {
      return .fileTooSmall(file: account.file, minimum: minimumFile)
    }
    let (free, used) = (account.free - scattered, account.usedForAutomatic + scattered)
    if isMore(free, than: used), let limit = limit(used, account.file) {
      return .due(free: free, used: used, factor: freeToUsedTrigger, limit: limit)
    }
    let (pinned, unpinned) = (account.pinned, used - account.pinned)
    if let pin, isMore(free + pinned, than: unpinned), limit(unpinned, account.file) != nil {
      return .pinned(pin, free: free, used: used, factor: freeToUsedTrigger)
    }
    return .tooLittleFree(free: free, used: used, factor: freeToUsedTrigger)
  }

  private func isMore(_ free: Int, than used: Int) -> Bool {
    Double(free) > freeToUsedTrigger * Double(used)
  }

  /// The length to reach, where that is less than the file's.
  private func limit(_ used: Int, _ file: Int) -> Int? {
    let aim = roundedUp(Int(Double(used) * limitFactor), to: Layout.pageSize)
    let limit = max(aim, roundedUp(minimumLimit, to: Layout.pageSize))
    return limit < file ? limit : nil
  }
}
