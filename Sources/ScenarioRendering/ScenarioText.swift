// A scenario explained: what is in the database, which clients work on it, and what they do in which phase, with the default
// values that the file leaves out.
import MetricModel
import Policies
package import ScenarioModel
import ScenarioParser

package enum ScenarioText {
  private static let gutter = 12

  package static func text(_ scenario: Scenario) -> String {
    var out = "\(scenario.name)\n\(scenario.question)\n\n"
    if let parameters = scenario.parameters, !parameters.isEmpty {
      out += section(
        "parameters", table(parameters.sorted { $0.key < $1.key }.map { ($0.key, [$0.value]) }))
    }
    out += section("data", data(scenario))
    out += section("runs", runs(scenario))
    out += section("policies", policies(scenario))
    if let first = scenario.arms.first {
      out += section(
        "clients", table(first.clients.map { ($0.name, [$0.words] + settings($0)) }))
    }
    if scenario.arms.count > 1 { out += section("arms", arms(scenario)) }
    for arm in scenario.arms {
      let title = scenario.arms.count > 1 ? "plan of \(arm.name)" : "plan"
      out += section(title, plan(ScenarioTimeline(scenario, arm)))
      // Another arm is worth its own plan only where other clients run in it.
      let isAlike = { (other: ArmSpec) in
        other.clients.map(\.name) == arm.clients.map(\.name) && other.commits == arm.commits
      }
      if scenario.arms.allSatisfy(isAlike) { break }
    }
    out += section("expected", expectations(scenario))
    return out
  }

  /// The keys that the client's sentence may not mention, a line of them; none where all have their default values.
  private static func settings(_ client: ClientSpec) -> [String] {
    let settings = ScenarioKeys.settings(of: client)
    return settings.isEmpty ? [] : ["(\(settings.joined(separator: ", ")))"]
  }

  private static func data(_ scenario: Scenario) -> [String] {
    table(
      scenario.tables.map { table in
        (
          table.name,
          ["\(rows(table.rows)) \(table.valueSize.words), \(bytes(table.initialBytes)) in all"]
            + (table.shape.map { [$0.words] } ?? [])
        )
      })
  }

  private static func runs(_ scenario: Scenario) -> [String] {
    let pairs = scenario.arms.reduce(0) { $0 + scenario.policies(of: $1).count }
    var lines = [
      "\(scenario.engines.joined(separator: ", ")): each with "
        + "\(counted(pairs, "pair")) of policy and arm, "
        + counted(scenario.engines.count * pairs, "cell")
    ]
    lines.append(
      "\(counted(scenario.launches, "launch"))\(scenario.gapWords); "
        + "\(counted(scenario.clientCommits, "commit")) of clients\(bulkWords(scenario)); "
        + "seed \(scenario.seed)")
    lines.append(
      "a sample \(every(scenario.sampling.everyCommits)); "
        + (scenario.isDurable ? "a commit is on disk when it returns" : "commits are not synced"))
    lines += scenario.lifecycle.words
    if scenario.arms.count == 1, scenario.arms[0].isEncrypted {
      lines.append("the database is encrypted")
    }
    if scenario.arms.count == 1, scenario.arms[0].opensInBackground == true {
      lines.append("the database is opened on a background thread")
    }
    if scenario.arms.count == 1, let files = scenario.arms[0].files {
      lines.append("the rows are divided over \(files) files")
    }
    return lines
  }

  /// The commits that phases make before their clients run, in the arm that has most of them; empty for none.
  private static func bulkWords(_ scenario: Scenario) -> String {
    let added = scenario.arms.map { arm in
      CommitPlan(scenario, arm).phases.reduce(0...0) { sum, phase in
        let (low, high) = (phase.bulk.lowerBound, phase.bulk.upperBound)
        return (sum.lowerBound + low)...(sum.upperBound + high)
      }
    }
    guard let largest = added.max(by: { $0.upperBound < $1.upperBound }), largest.upperBound > 0
    else {
      return ""
    }
    let causes = [
      (scenario.phases.contains { $0.deleteShare > 0 }, "deletions"),
      (scenario.phases.contains { $0.refill }, "refills"),
      (scenario.phases.contains { $0.migration != nil }, "migrations"),
    ]
    return " and \(largest.words) of \(joined(causes.filter(\.0).map(\.1)))"
  }

  private static func policies(_ scenario: Scenario) -> [String] {
    scenario.policies.flatMap { policy in
      let added = policy.name == scenario.addedComparator ? " (added, to compare with)" : ""
      let line =
        (policy.name == policy.rule ? policy.name : "\(policy.name): \(policy.rule)") + added
      return [line] + [policy.warning].compactMap { $0.map { "  warning: \($0)" } }
    }
  }

  private static func arms(_ scenario: Scenario) -> [String] {
    guard let base = scenario.arms.first else { return [] }
    return table(
      scenario.arms.map { arm in
        var lines = arm.summary.isEmpty ? [] : [arm.summary]
        if arm.isEncrypted { lines.append("the database is encrypted") }
        if arm.opensInBackground == true {
          lines.append("the database is opened on a background thread")
        }
        if let files = arm.files { lines.append("the rows are divided over \(files) files") }
        for client in base.clients {
          guard let other = arm.clients.first(where: { $0.name == client.name }) else {
            lines.append("without \(client.name)")
            continue
          }
          if other != client { lines.append("\(client.name) \(other.words)") }
        }
        for client in arm.clients where !base.clients.contains(where: { $0.name == client.name }) {
          lines.append("with \(client.name), which \(client.words)")
        }
        for (phase, count) in (arm.commits ?? [:]).sorted(by: { $0.key < $1.key }) {
          lines.append("\(phase) in \(commits(count))")
        }
        lines += arm.log?.words ?? []
        if let geometry = arm.geometry { lines.append(geometry.words) }
        if arm.autoVacuum != nil { lines.append("the file is laid out to be shortened when asked") }
        if let limits = arm.limits { lines.append("limited to \(limits.words)") }
        if let names = arm.policies { lines.append("with \(joined(names)) only") }
        return (arm.name, lines.isEmpty ? ["as above"] : lines)
      })
  }

  private static func plan(_ timeline: ScenarioTimeline) -> [String] {
    var lines: [String] = []
    for launch in 1...timeline.scenario.launches {
      let stretches = timeline.stretches(inLaunch: launch)
      guard let first = stretches.first else { continue }
      lines.append("launch \(launch), at about \(span(first.begin))")
      lines += table(stretches.map { ($0.phase.name, words($0, timeline.arm)) }).map { "  \($0)" }
    }
    return lines
  }

  private static func words(_ stretch: ScenarioTimeline.Stretch, _ arm: ArmSpec) -> [String] {
    let commits = stretch.commits
    var lines: [String] = []
    if let words = stretch.phase.bulkWords {
      let numbers = numbers(from: commits.before, to: commits.clientsBegin)
      lines.append("\(words)\(numbers.map { ": \($0)" } ?? "")")
    }
    lines += stretch.phase.quietWords
    if let numbers = numbers(from: commits.clientsBegin, to: commits.end) {
      lines.append(
        "\(numbers), about \(span(stretch.end - stretch.begin)): "
          + joined(stretch.clients.map(\.name))
          + (commits.isLimited ? "; fewer where a limit refuses some" : ""))
    }
    if let words = stretch.phase.lookupWords { lines.append(words) }
    for client in stretch.clients where !arm.clients.contains(client) {
      lines.append("\(client.name) \(client.words)")
    }
    return lines
  }

  /// `commits 301 to 400`, `commit 301`; nil for none.
  private static func numbers(from before: ClosedRange<Int>, to end: ClosedRange<Int>) -> String? {
    guard end.upperBound > before.upperBound else { return nil }
    let first = (before.lowerBound + 1)...(before.upperBound + 1)
    let about = first.isExact && end.isExact ? "" : "about "
    guard first.middle < end.middle else { return "\(about)commit \(grouped(end.middle))" }
    return "\(about)commits \(grouped(first.middle)) to \(grouped(end.middle))"
  }

  private static func expectations(_ scenario: Scenario) -> [String] {
    scenario.expectations.map { expectation in
      let scope =
        switch expectation.scope {
        case .during(let phase): "in \(phase)"
        case .after(let phase): "after \(phase)"
        case .atEnd: "at the end"
        }
      let only = [
        expectation.engine, expectation.policy, expectation.arm,
        expectation.size.map { "size \($0.rawValue)" },
      ].compactMap { $0 }
      return "\(scope): \(expectation.text)"
        + (only.isEmpty ? "" : " (\(only.joined(separator: ", ")))")
    }
  }

  // MARK: - Layout

  private static func section(_ title: String, _ lines: [String]) -> String {
    guard !lines.isEmpty else { return "" }
    let blank = String(repeating: " ", count: gutter)
    let isLong = title.count >= gutter
    let head = isLong ? "\(title)\n\(blank)" : title + blank.dropFirst(title.count)
    return head + lines.joined(separator: "\n" + blank) + "\n\n"
  }

  /// Names in a column of their own, each followed by its lines.
  private static func table(_ entries: [(name: String, lines: [String])]) -> [String] {
    let width = min(24, entries.map(\.name.count).max() ?? 0) + 2
    return entries.flatMap { name, lines in
      lines.enumerated().map { index, line in
        let left = index == 0 ? name : ""
        return left + String(repeating: " ", count: max(2, width - left.count)) + line
      }
    }
  }
}
