// Each expectation of the scenario, checked cell by cell against the samples, with the values that decided.
package import RecordModel
package import ScenarioModel

package struct ExpectationOutcome: Sendable, Equatable {
  package enum Result: Sendable, Equatable {
    case held(evidence: String)
    case failed(evidence: String)
    case notApplicable(reason: String)
  }

  /// Index in `Scenario.expectations`.
  package let index: Int
  package let cell: CellKey
  package let result: Result
  /// The curve of a failure, with a mark where the check failed.
  package let picture: String?
}

extension Expectation.Condition {
  /// Whether it is about a figure of the whole run and not about samples.
  var isOfFigures: Bool { if case .figure = self { true } else { false } }
}

extension Expectation {
  func applies(to key: CellKey) -> Bool {
    (engine ?? key.engine) == key.engine && (policy ?? key.policy) == key.policy
      && (arm ?? key.arm) == key.arm && referenceCell(key) != key
  }

  /// Returns the cell to compare with; nil if there is none.
  func referenceCell(_ key: CellKey) -> CellKey? {
    var other = key
    switch against {
    case .arm(let name): other.arm = name
    case .policy(let name): other.policy = name
    case .engine(let name): other.engine = name
    case nil: return nil
    }
    return other
  }

  /// The scope of the expectation, in words.
  package var scopeText: String {
    let scope =
      switch scope {
      case .during(let phase): "in \(phase)"
      case .after(let phase): "after \(phase)"
      case .atEnd: "at the end"
      }
    let restrictions = [engine, policy, arm].compactMap { $0 }
    let other = against.map { ["against \($0.name)"] } ?? []
    return ([scope] + restrictions + other).joined(separator: ", ")
  }
}

enum ExpectationCheck {
  /// Checks all expectations, but none on a comparator that neither the scenario nor the user named. One that names no engine
  /// is stated of the engines of the scenario's file: it cannot fail on others.
  ///
  /// - Parameters:
  ///   - runs: the samples of each repetition that has some, by cell.
  ///   - schedule: that of `runs`.
  ///   - threads: those of repetitions on real threads beside stepped ones. An expectation must hold in these too, unless it
  ///     depends on the order of turns.
  static func outcomes(
    _ scenario: Scenario, _ cells: [CellAnalysis], runs: [CellKey: [[Sample]]],
    _ schedule: Schedule, threads: [CellKey: [[Sample]]] = [:]
  ) -> [ExpectationOutcome] {
    var outcomes: [ExpectationOutcome] = []
    for (index, expectation) in scenario.expectations.enumerated() {
      for cell in cells
      where expectation.applies(to: cell.key) && cell.key.policy != scenario.addedComparator {
        let reference = expectation.referenceCell(cell.key)
        var (result, picture) = check(
          expectation, cell, runs[cell.key] ?? [], schedule, reference, of: cells, runs)
        if case .held = result, !expectation.isOfTurns, !expectation.condition.isOfFigures,
          let own = threads[cell.key]
        {
          let (threaded, mark) = check(
            expectation, cell, own, .threads, reference, of: cells, threads)
          if case .failed(let evidence) = threaded {
            (result, picture) = (.failed(evidence: "on real threads, \(evidence)"), mark)
          }
        }
        if let reason = reasonNotStated(expectation, scenario, cell.key.engine, result) {
          (result, picture) = (.notApplicable(reason: reason), nil)
        }
        outcomes.append(
          ExpectationOutcome(index: index, cell: cell.key, result: result, picture: picture))
      }
    }
    return outcomes
  }

  /// Why an expectation that failed is not stated of the engine; nil if it is.
  private static func reasonNotStated(
    _ expectation: Expectation, _ scenario: Scenario, _ engine: String,
    _ result: ExpectationOutcome.Result
  ) -> String? {
    guard case .failed(let evidence) = result, expectation.engine == nil,
      let stated = scenario.statedEngines, scenario.isAdded(engine: engine)
    else { return nil }
    return "stated of \(stated.joined(separator: ", ")); \(evidence)"
  }

  /// Checks one expectation: under the threads schedule it must hold in every run; the first failure is reported.
  private static func check(
    _ expectation: Expectation, _ cell: CellAnalysis, _ runs: [[Sample]], _ schedule: Schedule,
    _ reference: CellKey?, of cells: [CellAnalysis], _ allRuns: [CellKey: [[Sample]]]
  ) -> (ExpectationOutcome.Result, picture: String?) {
    if let absence = cell.absence { return (.notApplicable(reason: absence), nil) }
    if case .figure(let column, let comparison, let limit) = expectation.condition {
      let other = reference.flatMap { key in cells.first { $0.key == key } }
      return (FigureCheck(cell, against: other).outcome(column, comparison, limit), nil)
    }
    let others = reference.map { allRuns[$0] ?? [] }
    if let reference, others?.isEmpty == true {
      let (engine, policy, arm) = (reference.engine, reference.policy, reference.arm)
      return (.notApplicable(reason: "\(engine), \(policy), \(arm) was not run"), nil)
    }
    var held: ExpectationOutcome.Result?
    for (number, samples) in runs.enumerated() {
      let (result, picture) = ScopedCheck(
        expectation, samples, schedule, against: others.map { $0[min(number, $0.count - 1)] }
      ).outcome
      switch result {
      case .held(let evidence): held = held ?? .held(evidence: evidence)
      case .failed(let evidence):
        let run = runs.count > 1 ? "run \(number + 1) of \(runs.count): " : ""
        return (.failed(evidence: run + evidence), picture)
      case .notApplicable(let reason): return (.notApplicable(reason: reason), nil)
      }
    }
    return (held ?? .notApplicable(reason: "no samples were recorded"), nil)
  }
}
