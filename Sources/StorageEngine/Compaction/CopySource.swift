// The source file of a copy, and the advice that the kernel gets about it: which range will be read next, and which has
// been read. So a copy reads ahead, and keeps little of the old file in memory.
import SystemIO

struct CopySource {
  let space: BlockSpace
  /// The file for which to give advice; nil for none.
  let file: (any StorageFile)?

  func willRead(_ range: Range<Int>) { file?.advise(.willRead, range) }
  func doneReading(_ range: Range<Int>) { file?.advise(.doneReading, range) }

  /// Reads ahead the children of a node; those that are close together in one request.
  func willReadChildren(of node: Node, _ kind: KeyKind) throws(StorageError) {
    precondition(node.level > 0, "Only nodes above the leaves have children (TREE-3).")
    guard file != nil else { return }
    var range = 0..<0
    for index in 0..<node.count {
      let ref = try node.reference(index, kind)
      guard !ref.isDirty, ref.offset <= space.end, ref.end <= space.end else { continue }
      if !range.isEmpty, ref.offset >= range.lowerBound, ref.offset - range.upperBound < Self.gap {
        range = range.lowerBound..<max(range.upperBound, ref.end)
      } else {
        if !range.isEmpty { willRead(range) }
        range = ref.offset..<ref.end
      }
    }
    if !range.isEmpty { willRead(range) }
  }

  private static let gap = 64 << 10
}

/// The windows of the source file whose nodes were read and that are still in memory.
struct ReadWindows: ~Copyable {
  /// A page fault loads at most this many bytes: a large page, if the kernel caches the file in such.
  private static let windowSize = 2 << 20
  private static let maxWindows = 8
  private var windows = UniqueList<Int>(capacity: 16)

  mutating func add(_ ref: BlockRef, _ source: CopySource) {
    guard !ref.isDirty else { return }
    let window = ref.offset / Self.windowSize
    if windows.count > 0, windows[windows.count - 1] == window { return }
    windows.append(window)
    if windows.count == Self.maxWindows { release(source) }
  }

  mutating func release(_ source: CopySource) {
    var last = -1
    for window in windows.buffer.sorted() where window != last {
      source.doneReading(window * Self.windowSize..<(window + 1) * Self.windowSize)
      last = window
    }
    windows.removeAll()
  }
}

/// Reports the progress of a copy to its observer.
struct CopyMeter {
  private static let step = 1 << 20

  private let observer: CompactionObserver?
  private(set) var progress: CompactionProgress
  private var next = 0

  init(_ observer: CompactionObserver?, total: Int) {
    self.observer = observer
    progress = CompactionProgress(bytesDone: 0, bytesTotal: total)
  }

  /// Counts copied bytes and reports them when due. Error `cancelled` if the observer cancels.
  @inline(__always)
  mutating func add(_ bytes: Int) throws(StorageError) {
    assert(bytes >= 0, "Progress does not go back.")
    progress.bytesDone += bytes
    if progress.bytesDone >= next { try report() }
  }

  /// Reports completion. (Within a transaction the total is estimated, not counted.)
  mutating func finish() throws(StorageError) {
    progress.bytesDone = progress.bytesTotal
    try report()
  }

  mutating func report() throws(StorageError) {
    next = progress.bytesDone + Self.step
    guard let observer, case .cancel = observer(progress) else { return }
    throw StorageError(.cancelled, "The copy was cancelled; nothing of it is left.")
  }
}
