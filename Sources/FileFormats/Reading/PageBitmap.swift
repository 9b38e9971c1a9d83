// A set of page numbers with one bit for each page, in chunks that exist once a page of them is in the set.

struct PageBitmap {
  private static let chunkWords = 512
  private static let chunkBits = chunkWords * 64

  /// Pages are numbered from 0 up to, not including, this number.
  let limit: Int
  private(set) var count = 0
  private var chunks: [[UInt64]]

  init(limit: Int) {
    self.limit = max(0, limit)
    chunks = Array(repeating: [], count: (self.limit + Self.chunkBits - 1) / Self.chunkBits)
  }

  func contains(_ page: Int) -> Bool {
    guard page >= 0, page < limit else { return false }
    let chunk = chunks[page / Self.chunkBits]
    let bit = page % Self.chunkBits
    return !chunk.isEmpty && chunk[bit / 64] >> UInt64(bit % 64) & 1 == 1
  }

  /// Adds a page, and returns false if it is in the set already, or out of range.
  mutating func insert(_ page: Int) -> Bool {
    guard page >= 0, page < limit, !contains(page) else { return false }
    let index = page / Self.chunkBits
    if chunks[index].isEmpty { chunks[index] = Array(repeating: 0, count: Self.chunkWords) }
    let bit = page % Self.chunkBits
    chunks[index][bit / 64] |= 1 << UInt64(bit % 64)
    count += 1
    return true
  }

  /// Calls `body` with each maximal range of pages in the set, in order.
  func forEachRun(_ body: (Range<Int>) -> Void) {
    var start: Int?
    func close(at page: Int) {
      if let first = start { body(first..<page) }
      start = nil
    }
    for (index, chunk) in chunks.enumerated() {
      let base = index * Self.chunkBits
      if chunk.isEmpty {
        close(at: base)
        continue
      }
      for (word, bits) in chunk.enumerated() {
        let first = base + word * 64
        if bits == 0 {
          close(at: first)
        } else if bits == .max {
          start = start ?? first
        } else {
          for bit in 0..<64 {
            if bits >> UInt64(bit) & 1 == 1 {
              start = start ?? first + bit
            } else {
              close(at: first + bit)
            }
          }
        }
      }
    }
    close(at: limit)
  }

  /// Returns the first page from `first` on that is in neither set; nil if there is none.
  static func firstMissing(from first: Int, _ a: PageBitmap, _ b: PageBitmap) -> Int? {
    var page = first
    while page < a.limit {
      if !a.contains(page) && !b.contains(page) { return page }
      page += 1
    }
    return nil
  }
}
