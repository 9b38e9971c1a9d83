// All operations of a trace in one table. Both encodings use it, and a test compares Docs/TraceFormat.md with it.

package enum TraceOperation: UInt8, Sendable, CaseIterable {
  case launch = 1
  case open
  case phase
  case phaseEnd
  case beginWrite
  case put
  case delete
  case read
  case commit
  case rollBack
  case enter
  case snapshot
  case snapshotRead
  case scan
  case count
  case refresh
  case end
  case pin
  case unpin
  case sample
  case checkReaders
  case closing
  case close

  /// One part of an operation's record: its encoding, and its name in JSON lines.
  package struct Part: Sendable, Hashable {
    package enum Storage: String, Sendable {
      /// In `TraceRecord.table`; stored only where it differs from that of the previous record.
      case table
      /// In `TraceRecord.key`; stored as the difference from the previous key.
      case key
      /// In `TraceRecord.number`.
      case number
      /// In `TraceRecord.size`; stored as the difference from the previous size.
      case size
      /// In `TraceRecord.size`; stored as it is.
      case amount
      /// In `TraceRecord.text`; stored in full the first time in a block, and by number afterwards.
      case text
    }

    package let name: String
    package let storage: Storage
  }

  /// The name in JSON lines.
  package var name: String { entry.name }
  package var parts: [Part] { entry.parts }
  /// The description in the manual.
  package var meaning: String { entry.meaning }

  package init?(name: String) {
    guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = found
  }

  private typealias Entry = (name: String, parts: [Part], meaning: String)

  private static let entries: [Entry] = allCases.map(\.described)

  private var entry: Entry { Self.entries[Int(rawValue) - 1] }

  private var described: Entry {
    let (table, key) = (Part(name: "table", storage: .table), Part(name: "key", storage: .key))
    let snapshot = Part(name: "snapshot", storage: .number)
    func number(_ name: String) -> Part { Part(name: name, storage: .number) }
    func amount(_ name: String) -> Part { Part(name: name, storage: .amount) }
    func text(_ name: String) -> Part { Part(name: name, storage: .text) }
    return switch self {
    case .launch: ("launch", [number("launch")], "A launch begins, after the time that passed.")
    case .open: ("open", [], "The database is opened; the policy is asked.")
    case .phase: ("phase", [text("name")], "A phase begins; `load` fills the tables.")
    case .phaseEnd:
      ("phase-end", [number("first")], "The phase ends, which had begun after so many commits.")
    case .beginWrite: ("begin-write", [], "The write transaction begins.")
    case .put:
      (
        "put", [table, key, Part(name: "size", storage: .size)],
        "A row is inserted or replaced by a value of so many bytes."
      )
    case .delete: ("delete", [table, key], "A row is deleted.")
    case .read: ("read", [table, key], "A row is read within the write transaction.")
    case .commit: ("commit", [], "The write transaction ends with its changes.")
    case .rollBack: ("roll-back", [], "The write transaction ends without its changes.")
    case .enter:
      (
        "enter", [number("operations"), amount("bytes")],
        "The run counts a commit, of so many operations and bytes of keys and values."
      )
    case .snapshot:
      ("snapshot", [snapshot, text("label")], "A read transaction begins, under this number.")
    case .snapshotRead: ("snapshot-read", [snapshot, table, key], "It reads a row.")
    case .scan:
      ("scan", [snapshot, table, key, amount("limit")], "It reads rows in key order.")
    case .count: ("count", [snapshot, table], "It counts the rows of a table.")
    case .refresh: ("refresh", [snapshot], "It moves to the newest version.")
    case .end: ("end", [snapshot], "It ends.")
    case .pin:
      ("pin", [number("pin"), text("holder")], "The run counts a pin from here on.")
    case .unpin: ("unpin", [number("pin")], "The pin is gone.")
    case .sample: ("sample", [], "A sample is taken, beside those after every so many commits.")
    case .checkReaders:
      ("check-readers", [], "The engine is asked to free the reader-table entries of dead readers.")
    case .closing: ("closing", [], "The launch comes to its end.")
    case .close: ("close", [], "The database is closed.")
    }
  }
}

/// One operation of a run. Parts that an operation does not have are 0 or empty.
package struct TraceRecord: Sendable, Hashable {
  package var operation: TraceOperation
  /// The thread of the operation: 0 under the stepped schedule, else numbered in the order of their first operations.
  package var thread = 0
  /// Microseconds since the recording began, on the clock that the header names; never less than that of the previous record.
  package var time = 0
  package var table = 0
  package var key: Int64 = 0
  package var number = 0
  package var size = 0
  package var text = ""

  package init(
    _ operation: TraceOperation, thread: Int = 0, time: Int = 0, table: Int = 0, key: Int64 = 0,
    number: Int = 0, size: Int = 0, text: String = ""
  ) {
    self.operation = operation
    self.thread = thread
    self.time = time
    self.table = table
    self.key = key
    self.number = number
    self.size = size
    self.text = text
  }
}
