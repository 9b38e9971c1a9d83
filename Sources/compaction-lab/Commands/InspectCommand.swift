// Shows the contents of a database file, and what policies would decide about it now.
import ArgumentParser
import FileFormats
import InspectionRendering
import MetricModel
import Policies
import PredicateLanguage
import StorageEngine
import SystemIO

struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Shows how a database file uses its bytes, and which versions retain them.",
    discussion: """
      Shows the header, commit slots, tables, a map of the file, the free list and the pins; whether automatic \
      compaction would begin, what a predicate would decide, and the size after a compaction. The file is opened \
      read-only.

      Files of SQLite, LMDB, libmdbx and Realm are recognized and read from their bytes, with the log and the reader \
      table beside them: live, free and held bytes, fragmentation, the largest tables, and why the file is so large. \
      No library of these engines is needed, and no lock is taken: an app that has the file open is not disturbed.
      """)

  @Argument(help: "A database file: of the native engine, SQLite, LMDB, libmdbx or Realm.")
  var file: String

  @Option(help: "Draws the map of a native file into this SVG file.")
  var svg: String?

  @Option(help: "A launch condition to evaluate, such as \"totalBytes > 20 MB\"; may be repeated.")
  var predicate: [String] = []

  @OptionGroup var encryption: KeyOption

  @Option(
    help:
      "text, json for programs (Docs/Commands.md shows the keys), or prometheus for a file of metrics."
  )
  var format: Format = .text

  /// The output format.
  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json, prometheus }

  func run() throws {
    let predicates = try predicate.map { text in
      do throws(PredicateError) { return try Predicate(observed: text) } catch {
        throw couldNotRun("--predicate: \(error.report)")
      }
    }
    let path = FilePath(file)
    if let foreign = try foreignFormat(of: path) {
      guard svg == nil, encryption.keyFile == nil else {
        throw couldNotRun(
          "\(path) is of the format \(foreign.title): --svg and --key-file are for native files")
      }
      return try printForeign(path, predicates)
    }
    try printNative(path, predicates)
  }

  /// Returns the format of a foreign engine's file; nil for others, and where the native engine reports what is wrong.
  private func foreignFormat(of path: FilePath) throws -> FileFormat? {
    guard FileSystem.isFile(path) else { return nil }
    return DatabaseFileReader.format(of: try DatabaseFile.readPrefix(of: path))
  }

  private func printForeign(_ path: FilePath, _ predicates: [Predicate]) throws {
    let inspection = try ForeignInspection(path, predicates)
    switch format {
    case .text: Console.print(inspection.text)
    case .json: Console.print(inspection.json)
    case .prometheus: Console.write(inspection.metrics)
    }
  }

  private func printNative(_ path: FilePath, _ predicates: [Predicate]) throws {
    let key = try encryption.key()
    let database: Database
    let inspection: FileInspection
    do {
      database = try DatabaseFile.openToRead(path, key)
      inspection = try database.inspect()
    } catch let error as StorageError {
      if format == .text { Self.printHeader(try DatabaseFile.readPrefix(of: path)) }
      throw couldNotRun(DatabaseFile.message(error, path))
    }
    switch format {
    case .text:
      Console.print("\(path)\n")
      Console.print(InspectionText.text(inspection, width: Terminal.width(of: .output)))
      Console.print("\n" + (try Self.decisions(database, inspection, predicates)))
    case .json: Console.print(try Self.json(path, database, inspection, predicates))
    case .prometheus:
      let compacted = try database.estimateCompaction(measuringTime: false).resultBytes
      Console.write(
        FileMetrics.text(inspection, compactedBytes: compacted, file: path.string))
    }
    if let svg {
      do {
        try FileSystem.write(
          text: SpaceMapSVG.text(inspection, title: "\(path), version \(inspection.version)"),
          to: FilePath(svg))
      } catch { throw couldNotRun("\(error)") }
      if format == .text { Console.print("\nmap: \(svg)") }
    }
  }

  /// Prints the header of a file that cannot be opened; nothing where it is no database file.
  private static func printHeader(_ bytes: [UInt8]) {
    guard let front = try? Database.inspect(front: bytes) else { return }
    Console.print("format version \(front.formatVersion)")
    for line in InspectionText.slots(front.slots, newest: nil) { Console.print(line) }
  }

  /// Returns what each predicate would decide at a launch now.
  private static func evaluate(
    _ database: Database, _ inspection: FileInspection, _ predicates: [Predicate]
  ) -> [(Predicate, LaunchDecision)] {
    let observation = Observation(
      space: SpaceUsage(inspection.account), liveVersions: database.versions,
      pins: inspection.pins.count)
    return predicates.map { ($0, Policy.onLaunch($0).decideAtLaunch(observation)) }
  }

  private static func json(
    _ path: FilePath, _ database: Database, _ inspection: FileInspection,
    _ predicates: [Predicate]
  ) throws -> JSON {
    let automatic = try database.automaticState
    let decisions = evaluate(database, inspection, predicates).map { predicate, decision -> JSON in
      [
        "predicate": .text(predicate.oneLine), "compact": .bool(decision.compact),
        "reason": .text(decision.reason),
      ]
    }
    let state: JSON = [
      "stage": .text(automatic.stage.rawValue), "due": .bool(automatic.condition.isDue),
      "reason": .text(automatic.condition.explanation { ByteCount($0).description }),
    ]
    let compacted = try database.estimateCompaction(measuringTime: false).resultBytes
    return .object(
      [JSON.Member(key: "file", value: .text(path.string))] + InspectionJSON.members(inspection)
        + [
          JSON.Member(key: "automatic", value: state),
          JSON.Member(key: "decisions", value: .list(decisions)),
          JSON.Member(key: "compactedBytes", value: .integer(compacted)),
        ])
  }

  private static func decisions(
    _ database: Database, _ inspection: FileInspection, _ predicates: [Predicate]
  ) throws -> String {
    var lines: [String] = []
    let automatic = try database.automaticState
    let reason = automatic.condition.explanation { ByteCount($0).description }
    switch (automatic.stage, automatic.condition) {
    case (.idle, .due):
      lines.append("automatic: would begin with the next commit: \(reason)")
    case (.idle, _): lines.append("automatic: would not begin: \(reason)")
    default: lines.append("automatic: \(automatic.stage.rawValue): \(reason)")
    }
    for (predicate, decision) in evaluate(database, inspection, predicates) {
      let verb = decision.compact ? "would compact" : "would not compact"
      lines.append("on-launch: \(predicate.oneLine): \(verb): \(decision.reason)")
    }
    let estimate = try database.estimateCompaction(measuringTime: false)
    let result = ByteCount(estimate.resultBytes)
    lines.append("compacted: the file would have \(result) (\(grouped(estimate.resultBytes)) B)")
    return lines.joined(separator: "\n")
  }
}

extension AutomaticCondition {
  fileprivate var isDue: Bool {
    if case .due = self { true } else { false }
  }
}

extension SpaceUsage {
  init(_ account: StorageEngine.SpaceAccount) {
    self.init(
      file: ByteCount(account.file), live: ByteCount(account.live), free: ByteCount(account.free),
      pinned: ByteCount(account.pinned), pending: ByteCount(account.pending),
      overhead: ByteCount(account.overhead))
  }
}
