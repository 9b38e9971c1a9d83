// Which reader holds which version. LMDB lists the readers of every process, as its page allocator sees them, as lines of text
// only. This session's snapshots are known by their labels too.
import CLMDB
import EngineInterface
import SystemIO

/// The reader table, without entries that are not in use.
struct ReaderTable {
  struct Entry {
    var process: Int32
    var version: Int
  }

  private(set) var entries: [Entry] = []
  var versions: Set<Int> { Set(entries.map(\.version)) }
  var oldest: Int? { entries.map(\.version).min() }

  init(_ environment: Environment) {
    withUnsafeMutablePointer(to: &entries) { entries in
      _ = environment.lmdb.call.readerList(
        environment.handle,
        { line, context in
          guard let line, let context, let entry = Entry(line) else { return 0 }
          context.assumingMemoryBound(to: [Entry].self).pointee.append(entry)
          return 0
        }, entries)
    }
  }

  /// The session's own readers and those of other processes, oldest version first. What else reads in this process is
  /// the account, which pins nothing between two measurements.
  func readers(with own: [HeldVersion]) -> [HeldVersion] {
    let others = entries.filter { $0.process != ProcessFacts.currentID }
      .map { HeldVersion(label: "process \($0.process)", version: $0.version) }
    return (own + others).sorted { ($0.version, $0.label) < ($1.version, $1.label) }
  }
}

extension ReaderTable.Entry {
  /// Parses a line `process thread version`; nil for the heading and for an unused entry (`-`).
  fileprivate init?(_ line: UnsafePointer<CChar>) {
    var fields: [Int?] = []
    var isInField = false
    var index = 0
    while line[index] != 0, line[index] != newline {
      let character = UInt8(bitPattern: line[index])
      index += 1
      if character == space {
        isInField = false
        continue
      }
      if !isInField { fields.append(0) }
      isInField = true
      // What is no decimal number, as the thread may be, is nil.
      let last = fields.count - 1
      fields[last] =
        zero...nine ~= character ? fields[last].map { $0 * 10 + Int(character - zero) } : nil
    }
    guard fields.count == 3, let process = fields[0], let version = fields[2] else { return nil }
    self.init(process: Int32(truncatingIfNeeded: process), version: version)
  }
}

private let newline = CChar(bitPattern: UInt8(ascii: "\n"))
private let space = UInt8(ascii: " ")
private let zero = UInt8(ascii: "0")
private let nine = UInt8(ascii: "9")
