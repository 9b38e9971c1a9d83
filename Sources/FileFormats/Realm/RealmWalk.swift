// One walk over a version of a Realm file. The free list gives the totals; the trees are walked for what each takes, with one
// piece of an array for each level in memory.
import SystemIO

struct RealmWalk {
  /// The number of arrays after which the trees are left: some 20 GB of data.
  static let maxArrays = 20_000_000
  static let maxDepth = 512

  let reader: WindowedReader
  let header: RealmHeader
  let versions: RealmVersions
  /// The end of what the version covers.
  private(set) var logical: Int
  private(set) var footerBytes = 0
  var problems = ProblemList()
  var trees = LargestTrees()
  /// Arrays and bytes that were reached.
  var arrays = 0
  var reachedBytes = 0
  var isComplete = true
  var sizes = RealmCopySizes()
  var version: Int?
  var historyType = 0
  var evacuation: RealmBooks.Evacuation?
  var free = RealmFreeSpace()
  var grid: SpaceGrid

  init(
    _ reader: WindowedReader, _ header: RealmHeader, _ versions: RealmVersions
  ) {
    self.reader = reader
    self.header = header
    self.versions = versions
    logical = reader.size
    grid = SpaceGrid(fileBytes: reader.size)
  }

  mutating func report() throws(SystemError) -> FileReport {
    guard let reference = try topReference(), reference != 0 else { return emptyReport() }
    guard var top = try array(at: reference, "the top array"), top.count >= 3 else {
      return damagedReport()
    }
    if !RealmTopSlot.counts.contains(top.count) {
      problems.add("the top array has \(top.count) elements")
    }
    let stored = RealmTopSlot.untagged(try top.element(RealmTopSlot.logicalSize) ?? 0)
    if stored < RealmHeader.bytes || stored > reader.size {
      problems.add("the top array gives \(stored) B as the file's size, and it has \(reader.size)")
      isComplete = false
    } else {
      logical = stored
    }
    grid.add(0, RealmHeader.bytes, .overhead)
    var overhead = RealmHeader.bytes + overhead(top)
    if header.topReference == nil {
      // The footer follows what the version covers.
      overhead += RealmHeader.footerBytes
      footerBytes = RealmHeader.footerBytes
      grid.add(logical, footerBytes, .overhead)
    }
    if let stored = try top.element(RealmTopSlot.version) {
      version = RealmTopSlot.untagged(stored)
    }
    overhead += try readFreeList(&top)
    overhead += try readEvacuation(&top)
    grid.add(logical + footerBytes, reader.size - logical - footerBytes, .free)
    let live = try walkTables(&top)
    let history = try walkHistory(&top)
    return makeReport(live: live, history: history, overhead: overhead)
  }

  /// Returns the newest version's top array: of the header, or of the footer; nil with a problem where it has none.
  private mutating func topReference() throws(SystemError) -> Int? {
    if let reference = header.topReference { return reference }
    let footer = try reader.block(
      at: reader.size - RealmHeader.footerBytes, count: RealmHeader.footerBytes)
    if let reference = footer.flatMap(RealmHeader.topReference(footer:)) { return reference }
    problems.add("the footer is missing: the file was cut, or is still being written")
    isComplete = false
    return nil
  }

  /// Returns an array that is read in pieces; nil with a problem where there is none.
  mutating func array(
    at reference: Int, _ name: @autoclosure () -> String
  ) throws(SystemError) -> RealmArrayReader? {
    if let array = try RealmArrayReader(reader, at: reference, limit: logical) { return array }
    problems.add("\(name()) at \(reference) is damaged or not there")
    isComplete = false
    return nil
  }

  /// Marks an array as overhead, and returns its bytes.
  private mutating func overhead(_ array: RealmArrayReader) -> Int {
    grid.add(array.offset, array.header.arrayBytes, .overhead)
    return array.header.arrayBytes
  }

  /// Reads the free list, and returns the bytes of its arrays.
  private mutating func readFreeList(_ top: inout RealmArrayReader) throws(SystemError) -> Int {
    guard let offsetsAt = try top.element(RealmTopSlot.freeOffsets), offsetsAt != 0,
      let lengthsAt = try top.element(RealmTopSlot.freeLengths)
    else { return 0 }
    guard var offsets = try array(at: offsetsAt, "the free list's offsets"),
      var lengths = try array(at: lengthsAt, "the free list's lengths")
    else { return 0 }
    var bytes = overhead(offsets) + overhead(lengths)
    var tags: RealmArrayReader?
    if let tagsAt = try top.element(RealmTopSlot.freeVersions), tagsAt != 0 {
      tags = try array(at: tagsAt, "the free list's versions")
      bytes += tags.map { overhead($0) } ?? 0
    }
    if lengths.count != offsets.count || (tags?.count ?? offsets.count) != offsets.count {
      problems.add("the free list's arrays have different lengths")
      isComplete = false
    }
    let oldest = versions.oldest.map { Int(clamping: $0) } ?? version ?? .max
    var end = RealmHeader.bytes
    for index in 0..<min(offsets.count, lengths.count) {
      guard let offset = try offsets.element(index), let length = try lengths.element(index) else {
        problems.add("the free list ends after \(index) of \(offsets.count) entries")
        isComplete = false
        break
      }
      guard offset >= end, length > 0, length <= logical - offset, offset & 7 == 0 else {
        problems.add(
          "entry \(index) of the free list, \(length) B at \(offset), overlaps another or is outside"
        )
        isComplete = false
        continue
      }
      end = offset + length
      let tag = try tags?.element(index) ?? 0
      free.add(offset: offset, length: length, tag: tag, isPinned: tag > oldest)
      let age = UInt64(max(0, (version ?? tag) - tag))
      grid.add(offset, length, tag > oldest ? .held(age: age) : .free)
    }
    free.finish()
    return bytes
  }

  /// Reads the state of automatic compaction, and returns the bytes of its array.
  private mutating func readEvacuation(_ top: inout RealmArrayReader) throws(SystemError) -> Int {
    guard let state = try top.element(RealmTopSlot.evacuation), state != 0 else {
      evacuation = RealmBooks.Evacuation.none
      return 0
    }
    if state & 1 == 1 {
      evacuation = .begun(limit: RealmTopSlot.untagged(state), pause: 0)
      return 0
    }
    guard var array = try array(at: state, "the state of compaction"),
      let limit = try array.element(0), let pause = try array.element(1)
    else { return 0 }
    evacuation = .begun(limit: limit, pause: pause)
    return overhead(array)
  }
}

/// The free list's sums. Entries are in the order of their offsets; adjacent ones are one piece.
struct RealmFreeSpace {
  private(set) var bytes = 0
  private(set) var pinnedBytes = 0
  private(set) var entries = 0
  private(set) var pieces = FreePieces()
  /// The oldest and newest version that freed an entry which is not free for all yet.
  private(set) var tags: ClosedRange<Int>?
  private var open = 0..<0

  mutating func add(offset: Int, length: Int, tag: Int, isPinned: Bool) {
    entries += 1
    if isPinned { pinnedBytes += length } else { bytes += length }
    if tag > 0 {
      tags = min(tags?.lowerBound ?? tag, tag)...max(tags?.upperBound ?? tag, tag)
    }
    if open.upperBound == offset, !open.isEmpty {
      open = open.lowerBound..<offset + length
    } else {
      finish()
      open = offset..<offset + length
    }
  }

  mutating func finish() {
    pieces.add(offset: open.lowerBound, size: open.count)
    open = 0..<0
  }
}
