// What the object store costs over the engine: the same rows, once as objects and once as the bytes of their records, in
// turns within one process, as ratios of processor time.
import ArgumentParser
import BenchSupport
import Foundation
import ObjectStore
import StorageEngine

/// What both sides keep: a key, a text, a number.
final class Item: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var amount: Int
}

@main
struct ObjectBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "object-bench",
    abstract: "Objects beside the engine's own operations on rows of the same bytes.")

  /// What is measured.
  enum Part: String, CaseIterable, ExpressibleByArgument {
    case objects, links, queries, notifications
  }

  @Option(
    help:
      "objects or links (beside the engine's rows), queries (index beside scan) or notifications.")
  var part = Part.objects
  @Option(help: "Objects; for notifications the greatest number.") var rows = 20_000
  @Option(help: "Queries select one of this many objects.") var oneOf = 1000
  @Option(help: "Objects changed in each commit of notifications.") var changes = 10
  @Option(help: "Objects made or changed in each transaction.") var batch = 1000
  @Option(help: "Characters of each text.") var text = 64
  @Option(help: "Point reads, or links followed, in a round.") var reads = 200_000
  @Option(help: "Rounds; ratios are taken within each.") var rounds = 5
  @Option(help: "Folder for the files.") var folder = "."

  /// The kinds of work, in the order of the table, with the aim for the ratio where there is one.
  enum Work: String, CaseIterable {
    case create = "create from a dictionary"
    case add = "make an object and add it"
    case find = "find by primary key, read one property"
    case read = "read one property of a held object"
    case update = "change one property"
    case scan = "go through all, reading one property"

    var aim: String { self == .scan || self == .add ? "" : "2" }
  }

  func validate() throws {
    guard rows > 0, batch > 0, text > 0, reads > 0, rounds > 0, oneOf > 0, changes > 0 else {
      throw ValidationError("Every size is at least 1.")
    }
  }

  func run() throws {
    let runFolder = URL(fileURLWithPath: folder).appendingPathComponent(
      "object-bench-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: runFolder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: runFolder) }
    let filler = String(repeating: "x", count: text)
    switch part {
    case .objects: try compareWithRows(runFolder)
    case .links: try LinkPart(bench: self).run(runFolder)
    case .queries:
      try QueryPart(rows: rows, oneOf: oneOf, batch: batch, rounds: rounds)
        .run(runFolder.appendingPathComponent("queries.realm"), filler)
    case .notifications:
      let sizes = [1000, 10_000, 100_000].filter { $0 < rows } + [rows]
      try NotificationPart(sizes: sizes, changes: changes, commits: 50, batch: batch)
        .run(runFolder, filler)
    }
  }

  private func compareWithRows(_ runFolder: URL) throws {
    var table = RatioTable()
    for round in 0..<rounds {
      let rows = RowSide(self, runFolder.appendingPathComponent("rows-\(round)"))
      let objects = ObjectSide(self, runFolder.appendingPathComponent("objects-\(round).realm"))
      for work in Work.allCases {
        var engine = 0.0
        var object = 0.0
        // Each goes first as often as the other.
        if round % 2 == 0 { engine = try rows.nanosecondsEach(work) }
        object = try objects.nanosecondsEach(work)
        if round % 2 == 1 { engine = try rows.nanosecondsEach(work) }
        table.add(work.rawValue, engine: engine, objects: object)
      }
    }
    print("\(rows) objects, \(batch) in a transaction, texts of \(text); \(rounds) rounds\n")
    table.printRows { Work(rawValue: $0)?.aim ?? "" }
  }

  /// Processor time of one of `count` operations.
  static func each(_ count: Int, _ body: () throws -> Void) rethrows -> Double {
    let began = processorNanoseconds()
    try body()
    return Double(processorNanoseconds() - began) / Double(count)
  }

  /// The keys of a round's reads.
  func keys() -> [Int64] {
    var stream = KeyStream(seed: 7)
    return stream.keys(reads, below: rows)
  }

  /// The keys of a table in portions, one for each transaction.
  func portions(from first: Int) -> [Range<Int>] {
    stride(from: first, to: first + rows, by: batch).map { $0..<min($0 + batch, first + rows) }
  }
}
