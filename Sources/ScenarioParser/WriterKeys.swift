// Writers: what a transaction does, and when transactions come.
import Generators
import MetricModel
import ScenarioModel

/// The values of a writer's keys.
struct WriterDraft {
  /// The value of `transaction`; nil if it could not be read.
  var transaction: ReadBlock<TransactionDraft>?
  var load = LoadDraft()
  var spec = WriterSpec(table: "")

  init() {}

  /// Creates the draft of a writer, without its transaction.
  init(_ spec: WriterSpec) {
    self.spec = spec
    load = LoadDraft(spec.load)
  }
}

struct TransactionDraft {
  var spec = WriterSpec(table: "")
  var isEmpty = false

  var rowsChanged: Int {
    spec.inserts + spec.updates + spec.deletes + (spec.appends ?? 0) + (spec.removals ?? 0)
  }
}

extension ScenarioKeys {
  static let writer = Block.client(
    "writer", WriterDraft(), on: \.spec.table,
    renamedKeys: ["sways": "oscillates", "think": "think-time"]
  ) {
    Key(
      "transaction", \.transaction, .readBlock(transaction), default: .required,
      "What one write transaction does.")
    Key.keys(\.spec.keys)
    Key(
      "value", \.spec.valueSize, .block(value), default: "the table's",
      "What the rows hold that it writes.")
    loadKeys.map { $0.within(\.load) }
    Key(
      "oscillates", \.spec.oscillation, .oscillation, default: "as inserted and deleted",
      "Between which shares of its first rows the table goes up and down, and how often.")
  } check: { writer, keys in
    complete(&writer, keys)
  }

  /// Completes a writer from its keys, and reports keys that exclude each other.
  static func complete(_ writer: inout WriterDraft, _ keys: GivenKeys<WriterDraft>) {
    writer.spec.load = writer.load.load { keys[$0, of: \.load] }
    guard let transaction = writer.transaction else { return }
    writer.spec.take(transaction.model.spec)
    check(transaction, keys)
  }

  static let transaction = Block("transaction", TransactionDraft()) {
    Key("insert", \.spec.inserts, .count(0...100_000).scalable, "Rows inserted under new keys.")
    Key("update", \.spec.updates, .count(0...100_000).scalable, "Rows overwritten.")
    Key("delete", \.spec.deletes, .count(0...100_000).scalable, "Rows deleted.")
    Key(
      "append", \.spec.appends, .count(1...100_000).scalable, default: "none",
      "Elements appended to the lists of rows, each row drawn from `keys`.")
    Key(
      "remove-first", \.spec.removals, .count(1...100_000).scalable, default: "none",
      "Elements removed from the front of the lists of rows; an empty list stays as it is.")
    Key("read", \.spec.reads, .count(0...100_000).scalable, "Rows read.")
    Key("scan", \.spec.scans, .count(0...100_000).scalable, "Scans in key order.")
    Key("scan-length", \.spec.scanLength, .count(1...1_000_000).scalable, "Rows of one scan.")
    Key(
      "reload", \.spec.reload, .choice, default: "none",
      "Deletes all rows and inserts as many as the table began with; alone, or with reads.")
    Key(
      "empty", \.isEmpty, .flag,
      "Whether it is committed with nothing changed; it has no other key then.")
  }

  private static func check(
    _ read: ReadBlock<TransactionDraft>, _ keys: GivenKeys<WriterDraft>
  ) {
    let (transaction, given) = (read.model, read.given)
    let spec = transaction.spec
    if spec.reload != nil, transaction.rowsChanged + spec.scans > 0 {
      given[\.spec.reload]?.report(
        "the transaction does more than the table anew", hint: "drop its other keys, or reload:")
    }
    let oscillates = keys[\.spec.oscillation]
    if transaction.rowsChanged == 0, spec.reload == nil, !transaction.isEmpty, oscillates == nil,
      given.isClean
    {
      given.report("the transaction writes nothing", hint: "give it insert, update or delete")
    }
    if spec.inserts + spec.deletes > 0 || transaction.isEmpty || spec.reload != nil {
      oscillates?.report(
        "the oscillation inserts and deletes rows",
        hint: "drop insert, delete, reload and empty, or oscillates"
      )
    }
    if transaction.isEmpty,
      spec.reload != nil || transaction.rowsChanged + spec.reads + spec.scans > 0
    {
      given[\.isEmpty]?.report("the transaction is not empty", hint: "drop its other keys")
    }
  }
}

extension WriterSpec {
  /// Copies the operations of a transaction.
  fileprivate mutating func take(_ transaction: WriterSpec) {
    inserts = transaction.inserts
    updates = transaction.updates
    deletes = transaction.deletes
    appends = transaction.appends
    removals = transaction.removals
    reads = transaction.reads
    scans = transaction.scans
    scanLength = transaction.scanLength
    reload = transaction.reload
  }
}

extension ValueType where Value == RowOscillation {
  /// An oscillation: `20 % to 60 % over 100 commits`.
  static var oscillation: Self {
    let words = "share to share over n commits"
    return Self(
      "`\(words)`", schema: .choice([words]), expected: "20 % to 60 % over 100 commits"
    ) { field, expected in
      guard let (low, high, period) = field.quantity(expected, parse) else { return nil }
      guard low >= 0, low < high, high <= 1, 2...1_000_000 ~= period else {
        field.report(
          "the oscillation is out of range",
          hint: "from a smaller share to a greater one, up to 100 %, over 2 to 1_000_000 commits")
        return nil
      }
      return RowOscillation(
        minPermille: Int((low * 1000).rounded()), maxPermille: Int((high * 1000).rounded()),
        periodCommits: period)
    }
  }

  private static func parse(_ text: String) -> (low: Double, high: Double, commits: Int)? {
    let parts = text.split(separator: " over ", maxSplits: 1).map(String.init)
    let ends = parts.first?.split(separator: " to ", maxSplits: 1).map(String.init) ?? []
    guard parts.count == 2, ends.count == 2, let low = QuantityText.share(ends[0]),
      let high = QuantityText.share(ends[1]), let commits = QuantityText.commits(parts[1])
    else { return nil }
    return (low, high, commits)
  }
}
