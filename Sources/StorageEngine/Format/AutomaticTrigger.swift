// When automatic compaction begins: one condition, for the commit that asks and for the user who asks why not.

extension AutomaticCompaction {
  /// Whether a file in this state is to be compacted.
  func isDue(_ account: SpaceAccount) -> Bool {
    account.file >= minimumFile
      && Double(account.free) > freeToUsedTrigger * Double(account.usedForAutomatic)
  }

  /// Why it is not, with the values that decide; nil where it is.
  func refusal(_ account: SpaceAccount) -> String? {
    guard !isDue(account) else { return nil }
    guard account.file >= minimumFile else {
      return "the file has \(account.file) bytes, fewer than the \(minimumFile) from which on it "
        + "is compacted"
    }
    let pinned = account.pinned > 0 ? ", \(account.pinned) of them pinned by snapshots" : ""
    return "\(account.free) bytes free, no more than \(freeToUsedTrigger) times the "
      + "\(account.usedForAutomatic) used\(pinned)"
  }
}
