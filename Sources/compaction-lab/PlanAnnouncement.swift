// What a command prints before a plan runs: the engines, policies and arms, and how much work that is.
import Experiments
import MetricModel
import Policies
import PredicateLanguage
import RecordModel
import ScenarioModel

struct PlanAnnouncement {
  let plan: ExperimentPlan
  /// The number of cells that run at a time.
  let jobs: [Schedule: Int]
  /// The commits of one cell.
  let totalCommits: Int

  func text(width: Int) -> String {
    let scenario = plan.scenario
    var lines = [
      "\(scenario.name) · \(counted(scenario.engines.count, "engine")) × "
        + "\(counted(scenario.policies.count, "policy", "policies"))"
        + " · \(schedule), seed \(plan.seed)"
    ]
    for (title, text) in [
      ("engines", scenario.engines.joined(separator: ", ")),
      ("policies", scenario.policies.map(\.name).joined(separator: ", ")),
      ("arms", scenario.arms.map(\.name).joined(separator: ", ")),
      plan.share == nil ? ("runs", work) : ("shard", workOfShard),
    ] {
      lines += Self.entry(title, text, width)
    }
    if let added = scenario.addedComparator {
      lines.append("  \(added) is run too, to compare with; --comparator none leaves it out")
    }
    lines += scenario.policies.compactMap(\.warning).map { "  warning: \(escaped($0))" }
    return lines.joined(separator: "\n") + "\n"
  }

  private var schedule: String {
    plan.schedule == .both
      ? "both schedules" : "\(plan.schedule.rawValue) schedule"
  }

  private var work: String {
    let cells = plan.cells.count { $0.status == .measured }
    let parts = plan.parts.map { schedule, runs in
      let repetitions = counted(plan.repetitions(under: schedule), "repetition")
      let how = schedule == .stepped ? "stepped" : "on threads"
      return (plan.schedule == .both ? "\(repetitions) \(how)" : repetitions)
        + ", \(min(jobs[schedule] ?? 1, runs.count)) at a time"
    }
    return "\(counted(cells, "cell")) × \(parts.joined(separator: " + ")); "
      + "\(counted(totalCommits, "commit")) each"
  }

  private var workOfShard: String {
    var runs = ShardRuns()
    runs.add(plan)
    let checks =
      runs.checks.isEmpty
      ? "" : ", and \(counted(runs.checks.count, "run")) of another shard to check it"
    return
      "\(plan.share.map { "\($0.shard)" } ?? ""): \(grouped(runs.own.count)) of \(counted(runs.total, "run"))\(checks); "
      + "\(counted(totalCommits, "commit")) each"
  }

  /// A title and its text, broken at spaces, with all lines of the text in one column.
  private static func entry(_ title: String, _ text: String, _ width: Int) -> [String] {
    let indent = 12
    var lines = ["  " + title.padded(to: indent - 2)]
    var isEmpty = true
    for word in text.split(whereSeparator: \.isWhitespace) {
      if !isEmpty, lines[lines.count - 1].count + 1 + word.count > width {
        lines.append(String(repeating: " ", count: indent))
        isEmpty = true
      }
      lines[lines.count - 1] += (isEmpty ? "" : " ") + word
      isEmpty = false
    }
    return lines
  }
}
