// The trigger of automatic compaction: one function for the commit that evaluates it and for users that query the
// state.

extension AutomaticCompaction {
  /// Returns whether a file with this account is due for compaction, with the target length or the reason why not.
  /// `pin` is the oldest snapshot. `scattered` are free bytes that no commit can use because the rest of their page is
  /// not free; they count as used, because the blocks above the limit could not move into them.
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

  /// Returns the target length, or nil if it is not less than the file's.
  private func limit(_ used: Int, _ file: Int) -> Int? {
    let aim = roundedUp(Int(Double(used) * limitFactor), to: Layout.pageSize)
    let limit = max(aim, roundedUp(minimumLimit, to: Layout.pageSize))
    return limit < file ? limit : nil
  }
}
