// The claims on the bytes of the file. Sorting them reveals bytes that are claimed twice or not at all.

struct Claims {
  enum Use { case live, free, pinned, overhead }

  private let fileSize: Int
  private var claims: [(extent: Extent, use: Use)] = []

  init(fileSize: Int) { self.fileSize = fileSize }

  mutating func claim(_ extent: Extent, as use: Use) { claims.append((extent, use)) }

  /// Adds up the claims. Violations of SPACE-1 are appended to `violations`.
  mutating func account(violations: inout [String]) -> SpaceAccount {
    claims.sort { $0.extent.offset < $1.extent.offset }
    var account = SpaceAccount(
      file: fileSize, live: 0, free: 0, pinned: 0, pending: 0, overhead: 0)
    var end = 0
    for (extent, use) in claims {
      if extent.offset > end {
        violations.append("SPACE-1: \(extent.offset - end) bytes at offset \(end) are not claimed")
      } else if extent.offset < end {
        violations.append(
          "SPACE-1: \(end - extent.offset) bytes at offset \(extent.offset) are claimed twice, "
            + "now as \(use)")
      }
      end = max(end, extent.end)
      switch use {
      case .live: account.live += extent.size
      case .free: account.free += extent.size
      case .pinned: account.pinned += extent.size
      case .overhead: account.overhead += extent.size
      }
    }
    if end != fileSize {
      violations.append("SPACE-1: the claims end at \(end), the file at \(fileSize)")
    }
    return account
  }
}
