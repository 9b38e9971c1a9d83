// The trigger of automatic compaction: one function for the commit that evaluates it and for users that query the
// state.

extension AutomaticCompaction {
  /// Returns whether a file with this account is due for compaction, with the target length or the reason why not.
  /// `pin` is the oldest snapshot. `scattered` are free bytes that no commit can use because the rest of their unit is
  /// not free: truncation returns those above the limit, and blocks cannot be moved into those below it.
  func condition(
    _ account: SpaceAccount, scattered: Int, pin: AutomaticPin?
  ) -> AutomaticCondition {
    guard account.file >= minimumFile else {
      return .fileTooSmall(file: account.file, minimum: minimumFile)
    }
    let (free, used) = (account.free, account.usedForAutomatic)
    func limit(_ used: Int) -> Int? { self.limit(used, account.file, scattered, account.free) }
    if isMore(free, than: used), let limit = limit(used) {
      return .due(free: free, used: used, factor: freeToUsedTrigger, limit: limit)
    }
    let (pinned, unpinned) = (account.pinned, used - account.pinned)
    if let pin, isMore(free + pinned, than: unpinned), limit(unpinned) != nil {
      return .pinned(pin, free: free, used: used, factor: freeToUsedTrigger)
    }
    return .tooLittleFree(free: free, used: used, factor: freeToUsedTrigger)
  }

  private func isMore(_ free: Int, than used: Int) -> Bool {
    Double(free) > freeToUsedTrigger * Double(used)
  }

  /// Returns the target length, or nil if too little would be gained.
  private func limit(_ used: Int, _ file: Int, _ scattered: Int, _ free: Int) -> Int? {
    let aim = roundedUp(Int(Double(used) * limitFactor), to: Layout.pageSize)
    let limit = max(aim, roundedUp(minimumLimit, to: Layout.pageSize))
    guard scattered > 0 else { return limit < file ? limit : nil }
    let reachable = max(limit, reachableLength(used, file, room: free - scattered))
    return reachable <= file - file / 4 ? reachable : nil
  }

  /// The least length below which the blocks above it find whole units, where both are spread evenly over the file: at x
  /// of the file, used · (1 − x) ≤ room · x. What is used counts with the factor of the target, for uneven files.
  private func reachableLength(_ used: Int, _ file: Int, room: Int) -> Int {
    let most = Double(used) * limitFactor
    return roundedUp(
      Int(Double(file) * most / (most + Double(max(0, room)))), to: Layout.pageSize)
  }
}
