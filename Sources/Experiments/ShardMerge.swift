// Puts the shards of a plan together: checks that all are there, whole, and agree where two ran the same cell, and makes what
// a run of the whole plan would have had. Reads journals only.
package import RecordModel
package import RunJournal

/// Why shards cannot be merged: one sentence for each problem.
package struct MergeError: Error, Sendable, Equatable {
  package let problems: [String]
}

package struct ShardMerge: Sendable {
  /// In the order of their indexes: one each, all of one plan, all with an end.
  private let shards: [ShardJournal]
  private let ends: [ShardEnd]
  /// What the shards have in common.
  package let content: ShardContent
  package let planDigest: String
  private let owners: [JournalRun: Int]

  /// - Parameter journals: those of one plan's folders, at least one, in any order.
  package init(_ journals: [ShardJournal]) throws(MergeError) {
    let shards = try Self.complete(journals)
    self.shards = shards
    ends = shards.compactMap(\.end)
    content = shards[0].content
    planDigest = shards[0].plan.digest
    var owners: [JournalRun: Int] = [:]
    for (index, shard) in shards.enumerated() {
      for run in shard.content.runs { owners[run] = index }
    }
    self.owners = owners
    let sum = shards.reduce(0) { $0 + $1.content.runs.count }
    guard sum == content.total, owners.count == sum else {
      throw MergeError(problems: [
        "\(shards[0].path) and the other shards have \(sum) runs of \(content.total), \(owners.count) of them different: "
          + "they were not divided by one version of the program; run all shards again"
      ])
    }
    let problems = lostResults() + differences()
    guard problems.isEmpty else { throw MergeError(problems: problems) }
  }

  /// Returns the shards in order, after checking that there is one of each, of one plan, and that each has ended.
  private static func complete(
    _ journals: [ShardJournal]
  ) throws(MergeError) -> [ShardJournal] {
    let sorted = journals.sorted {
      ($0.shard.index, $0.path.string) < ($1.shard.index, $1.path.string)
    }
    guard let reference = Self.reference(sorted) else { return [] }
    let count = reference.shard.count
    var problems: [String] = []
    var own: [ShardJournal] = []
    for journal in sorted {
      let differences = journal.plan.portable.differences(
        from: reference.plan.portable, here: "here")
      if !differences.isEmpty {
        problems.append(
          "\(journal.path): shard \(journal.shard) is of another plan than \(reference.path); they differ in "
            + differences.joined(separator: ", "))
      } else if journal.shard.count != count {
        problems.append(
          "\(journal.path): shard \(journal.shard) is not one of \(count), as \(reference.path) is; merge shards of one "
            + "division")
      } else {
        own.append(journal)
      }
    }
    for index in 1...count {
      guard let shard = Shard(index, of: count) else { continue }
      let found = own.filter { $0.shard == shard }
      switch found.count {
      case 0: problems.append("shard \(shard) is missing; run: \(reference.command(of: shard))")
      case 1 where found[0].end == nil:
        problems.append(
          "\(found[0].path): shard \(shard) has not ended, or its journal was truncated; run: "
            + reference.command(of: shard))
      case 1: break
      default:
        problems.append(
          "shard \(shard) is there \(found.count) times: "
            + found.map(\.path.string).joined(separator: " and ") + "; leave all but one out")
      }
    }
    guard problems.isEmpty else { throw MergeError(problems: problems) }
    return own
  }

  /// The first journal of the division that most are of, so that a foreign one is named and not all others.
  private static func reference(_ journals: [ShardJournal]) -> ShardJournal? {
    struct Division: Hashable {
      let plan: String
      let count: Int
    }
    let groups = Dictionary(grouping: journals) {
      Division(plan: $0.plan.digest, count: $0.shard.count)
    }
    let largest = groups.values.map(\.count).max()
    return journals.first { journal in
      groups[Division(plan: journal.plan.digest, count: journal.shard.count)]?.count == largest
    }
  }

  /// The runs that a shard should have, and has not, although it did not report its cell.
  private func lostResults() -> [String] {
    zip(shards, ends).flatMap { shard, end -> [String] in
      let reported = Set(end.cells.map { CellOfPlan($0.point, $0.key) })
      return (shard.content.runs + shard.content.checks).compactMap { run in
        guard shard.results[run] == nil, !reported.contains(CellOfPlan(run)) else { return nil }
        return
          "\(shard.path): shard \(shard.shard) has no result of \(Self.words(run)); run it again with --no-resume: "
          + shard.command(of: shard.shard)
      }
    }
  }

  /// The checked runs whose two results differ.
  private func differences() -> [String] {
    zip(shards, ends).flatMap { shard, end -> [String] in
      shard.content.checks.compactMap { run in
        guard let owner = owners[run], let result = shards[owner].results[run] else { return nil }
        let origins =
          "shard \(shards[owner].shard) (\(Self.host(ends[owner]))) and in shard \(shard.shard) (\(Self.host(end)))"
        guard let check = shard.results[run] else {
          return
            "\(Self.words(run)) was measured in shard \(shards[owner].shard), and its check in shard \(shard.shard) "
            + "(\(Self.host(end))) failed; run that shard again: \(shard.command(of: shard.shard))"
        }
        guard let difference = ExactRun.difference(result.record, check.record) else { return nil }
        return
          "\(Self.words(run)): \(difference) in \(origins), which ran the same cell; the machines or the builds of "
          + "the program do not give the same bytes, and nothing is merged"
      }
    }
  }

  private static func host(_ end: ShardEnd) -> String {
    end.provenance.shards?.first.map { "\($0.host): \($0.machine)" } ?? "unknown machine"
  }

  private static func words(_ run: JournalRun) -> String {
    "\(run.cell.engine) · \(run.cell.policy) · \(run.cell.arm), repetition \(run.repetition)"
      + (run.point.map { ", group \($0 + 1) of the sweep" } ?? "")
  }
}

/// A cell of a run, or of a group of a sweep.
private struct CellOfPlan: Hashable {
  let point: Int?
  let key: CellKey

  init(_ point: Int?, _ key: CellKey) { (self.point, self.key) = (point, key) }
  init(_ run: JournalRun) { self.init(run.point, run.cell) }
}

extension ShardMerge {
  package var provenance: Provenance {
    var merged = Provenance.merged(ends.map(\.provenance))
    merged.plan = planDigest
    return merged
  }

  /// The results of a run.
  package var outcome: RunOutcome {
    let cells = statuses(of: content.groups[0].cells, point: nil)
    var outcome = RunOutcome(cells: cells, samples: [], timings: [], interrupted: false)
    let separatesThreads = provenance.schedule == .both
    outcome.conditions = provenance.conditions
    for index in outcome.cells.indices where separatesThreads && !outcome.cells[index].isAbsent {
      outcome.cells[index].threadedRepetitions = []
    }
    let absent = Set(outcome.cells.filter(\.isAbsent).map(\.key))
    for shard in shards {
      for run in shard.content.runs where !absent.contains(run.cell) {
        guard let result = shard.results[run] else { continue }
        if run.isControl {
          outcome.add(control: result, to: run.cell, repetition: run.repetition)
        } else {
          outcome.add(
            result, to: run.cell, isSeparate: separatesThreads && run.schedule == .threads)
        }
      }
    }
    outcome.arrange()
    return outcome
  }

  /// The cells of each group of a sweep.
  package var groups: [SweepRecord.Group] {
    var runs: [CellOfPlan: [RepetitionRecord]] = [:]
    for shard in shards {
      for run in shard.content.runs {
        guard let result = shard.results[run] else { continue }
        runs[CellOfPlan(run), default: []].append(result.record)
      }
    }
    return content.groups.enumerated().map { point, group in
      var group = group
      group.cells = statuses(of: group.cells, point: point)
      for index in group.cells.indices where !group.cells[index].isAbsent {
        group.cells[index].repetitions =
          (runs[CellOfPlan(point, group.cells[index].key)] ?? []).sorted { $0.index < $1.index }
      }
      return group
    }
  }

  /// The runs of a fleet's measurement, with their rows.
  package var measurement: SweepRun.Outcome {
    var samples = content.groups.map { _ in [CellRows<Sample>]() }
    for shard in shards {
      for run in shard.content.runs {
        guard let point = run.point, let result = shard.results[run] else { continue }
        samples[point].append(
          CellRows(key: run.cell, repetition: run.repetition, rows: result.samples))
      }
    }
    return SweepRun.Outcome(cells: groups.map(\.cells), samples: samples)
  }

  /// Returns the cells with the reasons of those that failed, or could not be run on a machine that should have.
  private func statuses(of cells: [CellRecord], point: Int?) -> [CellRecord] {
    var reported: [CellKey: CellRecord.Status] = [:]
    for (index, end) in ends.enumerated() {
      let own = Set(shards[index].content.runs.map { CellOfPlan($0) })
      for cell in end.cells where cell.point == point && own.contains(CellOfPlan(point, cell.key)) {
        if case .failed = reported[cell.key] { continue }
        reported[cell.key] = cell.status
      }
    }
    return cells.map { cell in
      var cell = cell
      cell.status = reported[cell.key] ?? cell.status
      return cell
    }
  }
}

extension CellRecord {
  /// Whether the plan or a machine has no results of it at all.
  fileprivate var isAbsent: Bool {
    switch status {
    case .measured, .failed: false
    case .notApplicable, .unavailable: true
    }
  }
}

extension PlanIdentity {
  /// The facts that shards of different machines have in common.
  fileprivate var portable: PlanIdentity { PlanIdentity(facts: facts, localFacts: []) }
}
