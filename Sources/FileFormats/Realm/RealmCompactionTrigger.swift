// When Realm Core's automatic compaction begins (group_writer.cpp): with a commit after which more than two thirds of a file of
// a mebibyte are free. Space that is retained for older versions counts as used.

package enum RealmCompactionTrigger: Equatable, Sendable {
  case begins(free: Int, used: Int)
  case fileTooSmall(Int)
  case tooLittleFree(free: Int, used: Int)

  package static let minFileBytes = 1 << 20

  package init(logical: Int, free: Int) {
    let used = logical - free
    if logical < Self.minFileBytes {
      self = .fileTooSmall(logical)
    } else if free <= 2 * used {
      self = .tooLittleFree(free: free, used: used)
    } else {
      self = .begins(free: free, used: used)
    }
  }
}
