// A trace that was emitted, read with the reader of the trace format.
import SystemIO
import TraceEmitter
import TraceFormat

struct EmittedTrace {
  var header: TraceHeader?
  var tables: [TraceHeader.Table] = []
  var records: [TraceRecord] = []
  var dropped = 0
  var end: TraceTotals?

  init(_ path: FilePath) throws { try self.init(text: FileSystem.readText(path)) }

  /// Reads the lines that have an end.
  init(text: String) throws {
    var reader = TraceLineReader(file: "emitted")
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      switch try reader.read(line) {
      case nil: throw TraceError(.damaged, "an empty line")
      case .header(let header): self.header = header
      case .tables(let more): tables += more
      case .record(let record): records.append(record)
      case .dropped(let count): dropped += count
      case .end(let totals): end = totals
      }
    }
  }

  /// The records without their times.
  var untimed: [TraceRecord] {
    records.map { record in
      var record = record
      record.time = 0
      return record
    }
  }

  /// The records of each write transaction, from its beginning to its end; nil where one has others in between.
  var transactions: [[TraceRecord]]? {
    var found: [[TraceRecord]] = []
    var open: [TraceRecord]?
    for record in records {
      switch record.operation {
      case .beginWrite:
        guard open == nil else { return nil }
        open = [record]
      case .put, .delete, .read: open?.append(record)
      case .commit, .rollBack:
        guard let transaction = open else { return nil }
        found.append(transaction + [record])
        open = nil
      default: guard open == nil else { return nil }
      }
    }
    return found
  }
}

extension TraceEmitter {
  convenience init(_ path: FilePath, _ change: (inout Options) -> Void = { _ in }) {
    var options = Options()
    change(&options)
    self.init(path.string, options)
  }
}
