// `inspect` of a file that another engine wrote: its report, and what policies would decide about the file now.
import FileFormats
import InspectionRendering
import LaunchSchedules
import MetricModel
import Policies
import PredicateLanguage
import SystemIO

struct ForeignInspection {
  private let path: FilePath
  private let report: FileReport
  private let predicates: [Predicate]

  /// The conditions that Realm ships or documents: those of a Realm file for which none is given.
  private static func vendorConditions() throws -> [Predicate] {
    try VendorDefault.all.filter { $0.label.hasPrefix("realm-") }.compactMap { vendor in
      guard case .when(let condition) = try Policy(parsing: vendor.policy).onLaunch else {
        return nil
      }
      return condition
    }
  }

  init(_ path: FilePath, _ predicates: [Predicate]) throws {
    do throws(FileFormatError) { report = try DatabaseFileReader.report(of: path) } catch {
      if case .system(let cause) = error { throw couldNotRun("\(cause)") }
      throw couldNotRun("\(path) is \(error)")
    }
    self.path = path
    self.predicates =
      predicates.isEmpty && report.format == .realm ? try Self.vendorConditions() : predicates
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

  private var evaluated: [(Predicate, LaunchDecision)] {
    let observation = report.observation
    return predicates.map { ($0, Policy.onLaunch($0).decideAtLaunch(observation)) }
  }
}
