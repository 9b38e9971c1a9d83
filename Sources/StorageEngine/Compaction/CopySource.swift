// The file that a copy is made of, with what the operating system is told about reading it: what is wanted next, and
// what is done with. So a copy reads ahead, and keeps but a little of the old file in its memory.
import SystemIO

struct CopySource {
  let space: BlockSpace
  /// nil where nobody is told.
  let file: (any StorageFile)?

  func willRead(_ range: Range<Int>) { file?.advise(.willRead, range) }
  func letGo(_ range: Range<Int>) { file?.advise(.doneReading, range) }

  /// The children of a node that lie close together are asked for at once.
  func willReadChildren(of node: Node, _ kind: KeyKind) throws(StorageError) {
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

/// The nodes that a copy has read and not let go of.
struct NodesRead {
  /// A fault brings in at most this many bytes around what was touched: a large page, where the kernel keeps the file in
  /// such.
  private static let windowSize = 2 << 20
  private static let most = 8
  private var windows = RawList<Int>(capacity: 16)

  func deallocate() { windows.deallocate() }

  mutating func add(_ ref: BlockRef, _ source: CopySource) {
    guard !ref.isDirty else { return }
    let window = ref.offset / Self.windowSize
    if windows.count > 0, windows[windows.count - 1] == window { return }
    windows.append(window)
    if windows.count == Self.most { letGo(source) }
  }

  mutating func letGo(_ source: CopySource) {
    var last = -1
    for window in windows.buffer.sorted() where window != last {
      source.letGo(window * Self.windowSize..<(window + 1) * Self.windowSize)
      last = window
    }
    windows.removeAll()
  }
}

/// Tells the observer how far the copy is.
struct CopyMeter {
  private static let step = 1 << 20

  private let observer: CompactionObserver?
  private(set) var progress: CompactionProgress
  private var next = 0

  init(_ observer: CompactionObserver?, total: Int) {
    self.observer = observer
    progress = CompactionProgress(bytesDone: 0, bytesTotal: total)
  }

  /// Error `cancelled` where the observer wants no more.
  @inline(__always)
  mutating func add(_ bytes: Int) throws(StorageError) {
    progress.bytesDone += bytes
    if progress.bytesDone >= next { try report() }
  }

  /// The last report: all is done. (Within a transaction the total was reckoned, not counted.)
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
