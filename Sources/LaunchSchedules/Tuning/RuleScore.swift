// The look-ups of a rule on matrices.

extension TunedRule {
  /// Returns what the rule comes to on all matrices together.
  package func score(on matrices: [TuningMatrix]) -> TuningScore {
    var score = TuningScore()
    for matrix in matrices { add(to: &score, on: matrix) }
    return score
  }

  private func add(to score: inout TuningScore, on matrix: TuningMatrix) {
    switch self {
    case .sizeAndShare(let size, let percent):
      let (size, share) = (Double(size.bytes), Double(percent) / 100)
      matrix.add(to: &score) { $0 > size && $1 / $0 < share }
    case .freeBytes(let bytes):
      let bytes = Double(bytes.bytes)
      matrix.add(to: &score) { $0 - $1 > bytes }
    case .multiple(let percent):
      let factor = Double(percent) / 100
      matrix.add(to: &score) { $0 > factor * $1 }
    case .squareRoot(let bytes):
      let bytes = Double(bytes.bytes)
      matrix.add(to: &score) { $0 - $1 >= (bytes * $1).squareRoot() }
    case .capped(let bytes, let percent):
      let (bytes, factor) = (Double(bytes.bytes), Double(percent) / 100)
      matrix.add(to: &score) { $0 - $1 > min(bytes, factor * $1) }
    case .boundedCopy(let free, let used):
      let (free, bound) = (Double(free.bytes), Double(used.bytes))
      matrix.add(to: &score) { $0 - $1 > free && $1 < bound }
    case .everyLaunches(let count):
      matrix.add(to: &score, remembering: { memory, _ in memory.launches >= Double(count) })
    case .everyHours(let hours):
      let seconds = Double(hours) * 3600
      matrix.add(to: &score, remembering: { memory, _ in memory.seconds >= seconds })
    case .rentOrBuy(let hours):
      let seconds = Double(hours) * 3600
      matrix.add(to: &score, remembering: { memory, used in memory.waste >= seconds * used })
    }
  }
}
