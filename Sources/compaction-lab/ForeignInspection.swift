// `inspect` of a file that another engine wrote: its report, and what policies would decide about the file now.
import FileFormats
import InspectionRendering
import MetricModel
import Policies
import PredicateLanguage
import SystemIO

struct ForeignInspection {
  private let path: FilePath
  private let report: FileReport
  private let predicates: [Predicate]

  /// The condition of Realm's documents, for a Realm file without one of its own.
  private static let documented = "totalBytes > 100 MiB && usedBytes / totalBytes < 50 %"

  init(_ path: FilePath, _ predicates: [Predicate]) throws {
    do throws(FileFormatError) { report = try DatabaseFileReader.report(of: path) } catch {
      if case .system(let cause) = error { throw couldNotRun("\(cause)") }
      throw couldNotRun("\(path) is \(error)")
    }
    self.path = path
    let documented = report.format == .realm ? [try Predicate(observed: Self.documented)] : []
    self.predicates = predicates.isEmpty ? documented : predicates
  }

  var text: String {
    let all = [FileReportText.summary(report), decisionLines, FileReportText.details(report)]
    return "\(path)\n\n" + all.joined(separator: "\n\n")
  }

  var metrics: String { FileMetrics.text(report, file: path.string) }

  var json: JSON {
    let decisions = evaluated.map { predicate, decision -> JSON in
      [
        "predicate": .text(predicate.oneLine), "compact": .bool(decision.compact),
        "reason": .text(decision.reason),
      ]
    }
    return .object(
      [JSON.Member(key: "file", value: .text(path.string))] + FileReportJSON.members(report)
        + [
          JSON.Member(key: "automatic", value: .optional(automatic)),
          JSON.Member(key: "decisions", value: .list(decisions)),
        ])
  }

  private var decisionLines: String {
    var lines: [String] = []
    if let automatic { lines.append("automatic: \(automatic)") }
    for (predicate, decision) in evaluated {
      let verb = decision.compact ? "would compact" : "would not compact"
      lines.append("on-launch: \(predicate.oneLine): \(verb): \(decision.reason)")
    }
    let exact = report.compacted.exactValue.map { " (\(grouped($0)) B)" } ?? ""
    let reason = report.compacted.reason.map { ": \($0)" } ?? ""
    lines.append(
      "compacted: the file would have \(FileReportText.measure(report.compacted))\(exact)\(reason)")
    return lines.joined(separator: "\n")
  }

  /// What Realm Core's automatic compaction would do with the next commit; nil for other engines, and where the free space
  /// is not known.
  private var automatic: String? {
    guard report.format == .realm, let free = report.space.free.exactValue,
      case .text(let state)? = report.facts.first(where: { $0.key == "automaticCompaction" })?.value
    else { return nil }
    guard state == "not begun" else { return state }
    let logical = report.space.logical
    switch RealmCompactionTrigger(logical: logical, free: free) {
    case .begins(let free, let used):
      return
        "would begin with the next commit: \(ByteCount(free)) free > 2 × \(ByteCount(used)) used"
    case .fileTooSmall(let bytes):
      let least = ByteCount(RealmCompactionTrigger.minFileBytes)
      return "would not begin: the file has \(ByteCount(bytes)), less than \(least)"
    case .tooLittleFree(let free, let used):
      let pinned = report.space.pinned.exactValue ?? 0
      let isHeldBack =
        RealmCompactionTrigger(logical: logical, free: free + pinned)
        == .begins(free: free + pinned, used: used - pinned)
      return
        "would not begin: \(ByteCount(free)) free <= 2 × \(ByteCount(used)) used"
        + (isHeldBack
          ? ", since \(ByteCount(pinned)) held for older versions count as used" : "")
    }
  }

  /// The held versions and the newest; nil where more are held than the report lists.
  private var liveVersions: Int? {
    let versions = report.versions
    guard versions.readers != nil, versions.held.count < VersionReport.maxHeld else { return nil }
    return versions.held.count { $0.version != versions.newest } + 1
  }

  private var evaluated: [(Predicate, LaunchDecision)] {
    func bytes(_ measure: ByteMeasure?) -> ByteCount? { measure?.exactValue.map { ByteCount($0) } }
    let space = report.space
    let usage = SpaceUsage(
      file: ByteCount(space.logical), live: bytes(space.live), free: bytes(space.free),
      pinned: bytes(space.pinned), pending: bytes(space.pending), overhead: bytes(space.overhead),
      sidecar: ByteCount(report.log?.bytes ?? 0), tail: ByteCount(space.tail))
    let observation = Observation(
      space: usage, liveVersions: liveVersions, pins: report.versions.readers ?? 0)
    return predicates.map { ($0, Policy.onLaunch($0).decideAtLaunch(observation)) }
  }
}
