// The look-ups of a rule on matrices.

extension TunedRule {
  /// Returns what the rule comes to on all matrices together.
  package func score(on matrices: [TuningMatrix]) -> TuningScore {
    let condition = RuleCondition(self)
    var score = TuningScore()
    for matrix in matrices {
      if let condition {
        matrix.add(to: &score, condition.holds)
      } else {
        addWithMemory(to: &score, on: matrix)
      }
    }
    return score
  }

  private func addWithMemory(to score: inout TuningScore, on matrix: TuningMatrix) {
    switch self {
    case .everyLaunches(let count):
      matrix.add(to: &score, remembering: { memory, _ in memory.launches >= Double(count) })
    case .everyHours(let hours):
      let seconds = Double(hours) * 3600
      matrix.add(to: &score, remembering: { memory, _ in memory.seconds >= seconds })
    case .rentOrBuy(let hours):
      let seconds = Double(hours) * 3600
      matrix.add(to: &score, remembering: { memory, used in memory.waste >= seconds * used })
    case .sizeAndShare, .freeBytes, .multiple, .squareRoot, .capped, .boundedCopy:
      preconditionFailure("it has a condition over what callbacks are given")
    }
  }
}
