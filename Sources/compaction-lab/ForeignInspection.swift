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
  private let conditions: [Condition]

  /// A condition at launch; one that a vendor ships or documents has its label.
  private struct Condition {
    let predicate: Predicate
    let vendor: VendorDefault?
  }

  /// The conditions that hold for a file for which none is given: for a Realm file those that Realm ships or documents, for
  /// others the rules of databases that compact by size, since neither SQLite nor LMDB nor libmdbx has one.
  private static func vendorConditions(_ format: FileFormat) throws -> [Condition] {
    let isRealm = format == .realm
    return try VendorDefault.all.filter { $0.label.hasPrefix("realm-") == isRealm }.compactMap {
      guard case .when(let predicate) = try Policy(parsing: $0.policy).onLaunch else { return nil }
      return Condition(predicate: predicate, vendor: $0)
    }
  }

  /// `key` is that of an encrypted Realm file.
  init(_ path: FilePath, _ predicates: [Predicate], key: RealmKey? = nil) throws {
    do throws(FileFormatError) {
      report =
        if let key {
          try DatabaseFileReader.report(ofEncryptedRealm: path, key)
        } else { try DatabaseFileReader.report(of: path) }
    } catch {
      if case .system(let cause) = error { throw couldNotRun("\(cause)") }
      throw couldNotRun("\(path) is \(error)")
    }
    self.path = path
    conditions =
      predicates.isEmpty
      ? try Self.vendorConditions(report.format)
      : predicates.map { Condition(predicate: $0, vendor: nil) }
  }

  /// Returns the report for a terminal of `width` columns.
  func text(width: Int) -> String {
    let all = [
      FileReportText.summary(report), decisionLines, FileReportText.details(report, width: width),
    ]
    return "\(path)\n\n" + all.joined(separator: "\n\n")
  }

  /// The map as an SVG document.
  var picture: String {
    SpaceMapSVG.text(report, title: "\(path), \(report.format.title)")
  }

  var metrics: String { FileMetrics.text(report, file: path.string) }

  var json: JSON {
    let decisions = evaluated.map { condition, decision -> JSON in
      [
        "predicate": .text(condition.predicate.oneLine), "compact": .bool(decision.compact),
        "reason": .text(decision.reason), "vendor": .optional(condition.vendor?.label),
      ]
    }
    return .object(
      [JSON.Member(key: "file", value: .text(path.string))] + FileReportJSON.members(report)
        + [
          JSON.Member(key: "automatic", value: .optional(FileReportAutomatic.text(report))),
          JSON.Member(key: "decisions", value: .list(decisions)),
        ])
  }

  private var decisionLines: String {
    var lines: [String] = []
    if let automatic = FileReportAutomatic.text(report) { lines.append("automatic: \(automatic)") }
    for (condition, decision) in evaluated {
      let verb = decision.compact ? "would compact" : "would not compact"
      let vendor = condition.vendor.map { " (\($0.label))" } ?? ""
      lines.append(
        "on-launch: \(condition.predicate.oneLine): \(verb): \(decision.reason)\(vendor)")
    }
    let exact = report.compacted.exactValue.map { " (\(grouped($0)) B)" } ?? ""
    let reason = report.compacted.reason.map { ": \($0)" } ?? ""
    lines.append(
      "compacted: the file would have \(FileReportText.measure(report.compacted))\(exact)\(reason)")
    return lines.joined(separator: "\n")
  }

  private var evaluated: [(Condition, LaunchDecision)] {
    let observation = report.observation
    return conditions.map { ($0, Policy.onLaunch($0.predicate).decideAtLaunch(observation)) }
  }
}
