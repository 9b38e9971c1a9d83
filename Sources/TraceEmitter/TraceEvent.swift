// What is kept of an operation until its line is written: numbers, and no byte of a key or value.

/// The operations that an app's trace can have, named as in the trace.
enum TraceEventKind: UInt8, CaseIterable {
  case launch
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
  case closing
  case close
  /// Declares a table; its line is no operation's.
  case table

  /// The operation's name, and the parts of its line in their order.
  var form: (name: StaticString, parts: [Part]) {
    switch self {
    case .launch: ("launch", [.number("launch")])
    case .open: ("open", [])
    case .phase: ("phase", [.text("name")])
    case .phaseEnd: ("phase-end", [.number("first")])
    case .beginWrite: ("begin-write", [])
    case .put: ("put", [.table, .key, .size("size")])
    case .delete: ("delete", [.table, .key])
    case .read: ("read", [.table, .key])
    case .commit: ("commit", [])
    case .rollBack: ("roll-back", [])
    case .enter: ("enter", [.number("operations"), .size("bytes")])
    case .snapshot: ("snapshot", [.number("snapshot"), .text("label")])
    case .snapshotRead: ("snapshot-read", [.number("snapshot"), .table, .key])
    case .scan: ("scan", [.number("snapshot"), .table, .key, .size("limit")])
    case .count: ("count", [.number("snapshot"), .table])
    case .refresh: ("refresh", [.number("snapshot")])
    case .end: ("end", [.number("snapshot")])
    case .pin: ("pin", [.number("pin"), .text("holder")])
    case .unpin: ("unpin", [.number("pin")])
    case .sample: ("sample", [])
    case .closing: ("closing", [])
    case .close: ("close", [])
    case .table: ("table", [])
    }
  }

  enum Part {
    case table
    case key
    case number(StaticString)
    case size(StaticString)
    /// The text with the index `size` among the batch's texts.
    case text(StaticString)
  }
}

struct TraceEvent {
  var kind: TraceEventKind
  var table: Int32 = 0
  var key: Int64 = 0
  var number = 0
  var size = 0
  /// Microseconds since the recording began; 0 for the time of the event before.
  var time = 0
}

/// Events that were reserved memory for. A transaction's first piece is short, as most transactions are.
struct EventChunk {
  var events: [TraceEvent]
  let capacity: Int

  init(capacity: Int) {
    self.capacity = capacity
    events = []
    events.reserveCapacity(capacity)
  }

  var isFull: Bool { events.count == capacity }
}

/// Events in the order of the trace, and the texts that they refer to.
struct EventBatch {
  var chunks: [EventChunk] = []
  var texts: [String] = []
  /// Transactions that were dropped before the batch.
  var dropped = 0
  /// The memory that the batch has reserved, in events.
  var reserved = 0
  var commits = 0

  /// Characters of a text; the rest is cut.
  static let maxTextLength = 200

  var isEmpty: Bool { chunks.isEmpty && dropped == 0 }
}
