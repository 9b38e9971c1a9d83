// The threshold file of a gate: one rule a line, of which the last that matches a figure counts:
//
//     metric written_bytes  allow 1 %
//     scenario long-reader  engine lmdb  metric high_water_bytes  allow 8192 B
//     metric space_amplification  policy "on-launch: totalBytes > 20 MB"  range 1 to 2.5
//     metric processor_time_ns  noise 3
//     metric curve  any
import MetricModel

package struct Thresholds: Sendable, Equatable {
  struct Rule: Sendable, Equatable {
    /// `scenario`, `engine`, `policy`, `arm`, `metric` → the one that it is for.
    var filter: [String: String]
    var allowance: Allowance
    var line: Int
  }

  var rules: [Rule] = []

  package init() {}

  private static let filters = ["scenario", "engine", "policy", "arm", "metric"]
  private static let units: [String: (factor: Double, of: Metric.Unit)] = [
    "B": (1, .bytes), "kB": (1e3, .bytes), "MB": (1e6, .bytes), "GB": (1e9, .bytes),
    "KiB": (1024, .bytes), "MiB": (1_048_576, .bytes), "ns": (1, .nanoseconds),
    "us": (1e3, .nanoseconds), "ms": (1e6, .nanoseconds), "s": (1e9, .nanoseconds),
  ]

  /// Parses the file's text; errors name the line, the mistake and the syntax.
  package init(parsing text: String, name: String) throws(RegressionError) {
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      var reader = Line(words: try Line.words(line, name, index + 1), name: name, number: index + 1)
      if let rule = try reader.rule() { rules.append(rule) }
    }
  }

  /// Returns the allowance of a figure: that of the last matching rule.
  package func allowance(
    scenario: String, engine: String, policy: String, arm: String, metric: String
  ) -> Allowance {
    let given = [
      "scenario": scenario, "engine": engine, "policy": policy, "arm": arm, "metric": metric,
    ]
    let rule = rules.last { rule in
      // Only a rule that names the curve matches it: `allow 1 %` has no meaning for it.
      if metric == Self.curve, rule.filter["metric"] != Self.curve { return false }
      return rule.filter.allSatisfy { $0.value == "*" || given[$0.key] == $0.value }
    }
    return rule?.allowance ?? .none
  }

  /// The name of the rule for a curve that differs while no figure does.
  package static let curve = "curve"

  /// One line, word by word.
  private struct Line {
    var words: [String]
    let name: String
    let number: Int

    /// Words at spaces; a quoted one may hold them. What follows `#` is left out.
    static func words(
      _ line: Substring, _ name: String, _ number: Int
    ) throws(RegressionError) -> [String] {
      var words: [String] = []
      var word: String?
      var isQuoted = false
      for character in line {
        if character == "\"" {
          isQuoted.toggle()
          word = word ?? ""
        } else if !isQuoted, character == "#", word == nil {
          break
        } else if !isQuoted, character == " " || character == "\t" || character == "\r" {
          if let done = word { words.append(done) }
          word = nil
        } else {
          word = (word ?? "") + String(character)
        }
      }
      guard !isQuoted else {
        throw RegressionError(.malformed, "\(name):\(number): a quoted word does not end")
      }
      return words + (word.map { [$0] } ?? [])
    }

    func wrong(_ what: String) -> RegressionError {
      let short = what.count <= 200 ? what : "\(what.prefix(199))…"
      return RegressionError(
        .malformed,
        "\(name):\(number): \(short); a line is [scenario S] [engine E] [policy P] [arm A] metric M, then "
          + "allow N [%|unit] | range N to N | noise FACTOR | any")
    }

    mutating func next(_ after: String) throws(RegressionError) -> String {
      guard !words.isEmpty else { throw wrong("nothing follows \"\(after)\"") }
      return words.removeFirst()
    }

    mutating func rule() throws(RegressionError) -> Rule? {
      guard !words.isEmpty else { return nil }
      var filter: [String: String] = [:]
      while let word = words.first, Thresholds.filters.contains(word) {
        words.removeFirst()
        let value = try next(word)
        guard filter.updateValue(value, forKey: word) == nil else {
          throw wrong("\(word) occurs twice")
        }
      }
      guard let metric = filter["metric"] else { throw wrong("no metric is named") }
      guard metric == "*" || metric == Thresholds.curve || Metric.stored(metric) != nil else {
        throw wrong("there is no metric \"\(metric)\" (Reports/Metrics.md lists them)")
      }
      let allowance = try allowance(of: metric)
      guard words.isEmpty else { throw wrong("\"\(words[0])\" is unexpected") }
      return Rule(filter: filter, allowance: allowance, line: number)
    }

    private mutating func allowance(of metric: String) throws(RegressionError) -> Allowance {
      guard !words.isEmpty else { throw wrong("the threshold is missing") }
      let word = words.removeFirst()
      switch word {
      case "any": return .any
      case "noise": return .noise(try number(after: word, of: nil))
      case "range":
        let low = try number(after: word, of: metric)
        guard try next("range") == "to" else { throw wrong("a range is LOW to HIGH") }
        let high = try number(after: "to", of: metric)
        guard low <= high else { throw wrong("the range ends before it begins") }
        return .range(low...high)
      case "allow":
        let limit = try number(after: word, of: metric, keepsPercent: true)
        return words.first == "%" && words.removeFirst() == "%"
          ? .relative(limit / 100) : .absolute(limit)
      default: throw wrong("\"\(word)\" is not a threshold")
      }
    }

    /// A number that is not negative, with a unit of the metric's if with any; `1%` is `1` and leaves `%` to come.
    /// The metric is nil for a factor.
    private mutating func number(
      after word: String, of metric: String?, keepsPercent: Bool = false
    ) throws(RegressionError) -> Double {
      var text = try next(word).filter { $0 != "_" && $0 != "," }
      if keepsPercent, text.hasSuffix("%") {
        text.removeLast()
        words.insert("%", at: 0)
      }
      guard let value = Double(text), value.isFinite, value >= 0 else {
        throw wrong("\"\(text)\" is not a number of at least 0")
      }
      guard let written = words.first, let unit = Thresholds.units[written] else { return value }
      try check(written, unit.of, metric)
      words.removeFirst()
      return value * unit.factor
    }

    /// Refuses `metric written_bytes allow 5 ms`.
    private func check(
      _ written: String, _ unit: Metric.Unit, _ metric: String?
    ) throws(RegressionError) {
      guard let metric else { throw wrong("noise is a factor and has no unit \"\(written)\"") }
      guard let measured = Metric.stored(metric) else {
        throw wrong("\"\(metric)\" has no unit, so \"\(written)\" cannot be one")
      }
      guard measured.unit == unit else {
        throw wrong(
          "\(metric) is in \(measured.unit.rawValue), of which \"\(written)\" is not a unit")
      }
    }
  }
}
