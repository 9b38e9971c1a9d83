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
      compaction would begin, what a predicate would decide, and the size after a compaction. A program that has \
      the file open is not disturbed: no lock is taken, and no version is held.

      Files of SQLite, LMDB, libmdbx and Realm are recognized and read from their bytes, with the log and the reader \
      table beside them: live, free and held bytes, fragmentation, the largest tables, and why the file is so large. \
      Encrypted Realm files are read with --key-file. \
      No library of these engines is needed, and no lock is taken: an app that has the file open is not disturbed.
      """)

  @Argument(help: "A database file: of the native engine, SQLite, LMDB, libmdbx or Realm.")
  var file: String

  @Option(help: "Draws the map of the file into this SVG file.")
  var svg: String?

  @Option(
    help:
      "A launch condition to evaluate, such as \"totalBytes > 20 MB\", or an app's closure; may be repeated."
  )
  var predicate: [String] = []

  @OptionGroup var encryption: KeyOption

  @Option(
    help:
      "text, json for programs (Reports/JSONOutput.md shows the keys), or prometheus for a file of metrics."
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
      guard encryption.keyFile == nil else {
        throw couldNotRun(
          "\(path) is a plain file of the format \(foreign.title): it needs no --key-file")
      }
      return try printForeign(ForeignInspection(path, predicates))
    }
    if let key = try realmKey(for: path) {
      return try printForeign(ForeignInspection(path, predicates, key: key))
    }
    try printNative(path, predicates)
  }

  /// Returns the format of a foreign engine's file; nil for others, and where the native engine reports what is wrong.
  private func foreignFormat(of path: FilePath) throws -> FileFormat? {
    guard FileSystem.isFile(path) else { return nil }
    return DatabaseFileReader.format(of: try DatabaseFile.readPrefix(of: path))
  }

  /// Returns the key for a file that is not native: with a key it can only be an encrypted Realm file.
  private func realmKey(for path: FilePath) throws -> RealmKey? {
    guard FileSystem.isFile(path), let bytes = try encryption.bytes() else { return nil }
    let prefix = try DatabaseFile.readPrefix(of: path)
    guard !prefix.isEmpty, !DatabaseFile.isNative(prefix) else { return nil }
    return RealmKey(bytes)
  }

  private func printForeign(_ inspection: ForeignInspection) throws {
    switch format {
    case .text: Console.print(inspection.text(width: Terminal.width(of: .output)))
    case .json: Console.print(inspection.json)
    case .prometheus: Console.write(inspection.metrics)
    }
    try writeMap(inspection.picture)
  }

  /// Writes the map into the file of `--svg`, if there is one.
  private func writeMap(_ picture: @autoclosure () -> String) throws {
    guard let svg else { return }
    do { try FileSystem.write(text: picture(), to: FilePath(svg)) } catch {
      throw couldNotRun("\(error)")
    }
    if format == .text { Console.print("\nmap: \(svg)") }
  }

  private func printNative(_ path: FilePath, _ predicates: [Predicate]) throws {
    let key = try encryption.key()
    let database: Database
    let inspection: FileInspection
    do {
      (database, inspection) = try DatabaseFile.inspect(path, key)
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
      let compacted = try Self.compactedBytes(database, inspection)
      Console.write(
        FileMetrics.text(inspection, compactedBytes: compacted, file: path.string))
    }
    try writeMap(
      SpaceMapSVG.text(inspection, title: "\(path), version \(inspection.version)"))
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
    return .object(
      [JSON.Member(key: "file", value: .text(path.string))] + InspectionJSON.members(inspection)
        + [
          JSON.Member(key: "automatic", value: state),
          JSON.Member(key: "decisions", value: .list(decisions)),
          JSON.Member(
            key: "compactedBytes", value: .optional(try compactedBytes(database, inspection))),
        ])
  }

  /// Returns the size after a compaction; nil where the nodes were not read.
  private static func compactedBytes(
    _ database: Database, _ inspection: FileInspection
  ) throws(StorageError) -> Int? {
    guard inspection.hasNodes else { return nil }
    return try database.estimateCompaction(measuringTime: false).resultBytes
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
    if let bytes = try compactedBytes(database, inspection) {
      lines.append("compacted: the file would have \(ByteCount(bytes)) (\(grouped(bytes)) B)")
    }
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
