// What an expectation expects: a shape of the curve, or a predicate with when it should hold.
import MetricModel
import PredicateLanguage
import ScenarioModel

struct ConditionReader {
  let keys: ExpectationDraft

  init(_ keys: ExpectationDraft) { self.keys = keys }

  /// The condition and how it reads in reports.
  func read() -> (String, Expectation.Condition)? {
    guard let field = keys.condition, let text = field.text("a condition such as plateau") else {
      return nil
    }
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let reportedBefore = field.collector.count
    if let shape = shape(words, field) {
      return (keys.variable == nil ? words : "\(words) (\(variable()))", shape)
    }
    guard field.collector.count == reportedBefore else { return nil }
    keys.variable?.report(
      "\"of\" goes with \(listed(Self.shapes, "and"))", hint: "name the variable in that:")
    if let near = nearest(to: words, in: ["plateau", "grows"]) {
      field.report("unknown condition \"\(words)\"", hint: "did you mean \"\(near)\"?")
      return nil
    }
    return timed(field, text).map { (words, $0) }
  }

  private static let shapes = [
    "plateau", "grows", "slope", "high-water", "rise", "reclaimed", "rebound",
  ]

  // MARK: Shapes

  private func shape(_ words: String, _ field: Field) -> Expectation.Condition? {
    let first = String(words.prefix { $0 != " " })
    // A variable that is a figure too, such as `compactions`, is read as a predicate.
    if let metric = Metric.of(column: first), ObservedVariable.named(first) == nil {
      return figure(metric, words, field)
    }
    switch words {
    case "plateau": return .plateau(variable: variable())
    case "grows", "slope > 0": return .grows(variable: variable())
    default: break
    }
    switch words.prefix(while: { $0 != " " }) {
    case "slope": return slope(words, field)
    case "high-water":
      return limited("high-water", words, field).map {
        .highWater(variable: variable(), $0, $1)
      }
    case "rise":
      return limited("rise", words, field).map { .rise(variable: variable(), $0, $1) }
    case "reclaimed": return reclaimed(words, field)
    case "rebound": return rebound(words, field)
    default: return nil
    }
  }

  /// Returns the variable that `of` names.
  private func variable(orElse defaultName: String = "allBytes") -> String {
    let names = ObservedVariable.all.flatMap { [$0.name] + $0.aliases }
    guard let name = keys.variable?.name("variable", among: names) else { return defaultName }
    return ObservedVariable.named(name)?.name ?? name
  }

  /// The comparison after the first word, and what follows it.
  func comparison(_ words: String) -> (Expectation.Comparison, Substring)? {
    let rest = words.drop { $0 != " " }.dropFirst()
    let symbols = rest.prefix { "<>=".contains($0) }
    return Expectation.Comparison(rawValue: String(symbols)).map {
      ($0, QuantityText.trimmed(rest[symbols.endIndex...]))
    }
  }

  /// `slope <= 40 B/commit`, with or without `over the last third`.
  private func slope(_ words: String, _ field: Field) -> Expectation.Condition? {
    let ending = " over the last third"
    let body = words.hasSuffix(ending) ? String(words.dropLast(ending.count)) : words
    guard let (comparison, bound) = comparison(body), let (value, unit) = perCommit(bound) else {
      field.report(
        "expected slope <= 40 B/commit over the last third, found \"\(shortened(words))\"",
        hint: "or <, >=, >; plateau and grows speak of the slope too")
      return nil
    }
    check(unit, field)
    return .slope(variable: variable(), comparison, perCommit: value)
  }

  /// `40 B/commit`, `-1.5 kB per commit`, `0.5/commit`.
  private func perCommit(_ text: Substring) -> (Double, ObservedVariable.Unit?)? {
    let ending = ["/commit", " per commit"].first { text.hasSuffix($0) }
    guard let ending else { return nil }
    let isNegative = text.hasPrefix("-")
    let body = text.dropLast(ending.count).dropFirst(isNegative ? 1 : 0)
    return quantity(body).map { (isNegative ? -$0 : $0, $1) }
  }

  /// `high-water <= 3 * liveBytes`, `rise <= 20 MB`, `high-water <= 1.2 times`.
  private func limited(
    _ shape: String, _ words: String, _ field: Field
  ) -> (Expectation.Comparison, Expectation.Limit)? {
    guard let (comparison, limit) = comparison(words), let (limit, unit) = self.limit(limit) else {
      field.report(
        "expected \(shape) <= 3 * liveBytes, \(shape) <= 20 MB or \(shape) <= 1.2 times, found"
          + " \"\(shortened(words))\"")
      return nil
    }
    if case .timesOther = limit, keys.against == nil {
      field.report(
        "it is not said times what", hint: "give against: an arm, a policy or an engine")
    }
    check(unit, field)
    return (comparison, limit)
  }

  /// The limit, and what it is measured in; nil for a plain number.
  private func limit(_ text: Substring) -> (Expectation.Limit, ObservedVariable.Unit?)? {
    if text.hasSuffix(" times") {
      return QuantityText.decimal(text.dropLast(6)).map { (.timesOther($0), nil) }
    }
    let parts = text.split { "*×".contains($0) }.map(QuantityText.trimmed)
    guard parts.count == 2 else { return quantity(text).map { (.value($0), $1) } }
    guard let factor = QuantityText.decimal(parts[0]) else { return nil }
    return ObservedVariable.named(String(parts[1])).map {
      (.times(factor, variable: $0.name), $0.unit)
    }
  }

  /// Refuses a limit in another unit than that of the variable: `high-water <= 20 MB` of a time.
  private func check(_ unit: ObservedVariable.Unit?, _ field: Field) {
    guard let unit, let variable = ObservedVariable.named(variable()), !unit.fits(variable.unit)
    else { return }
    let example =
      switch variable.unit {
      case .bytes: "write a size such as 20 MB"
      case .seconds: "write a time such as 10 s"
      case .byteSeconds, .count, .truth: "write a plain number"
      }
    field.report(
      "\(variable.name) is in \(variable.unit.text), and the limit in \(unit.text)", hint: example)
  }

  /// `reclaimed within 500 commits after release`.
  private func reclaimed(_ words: String, _ field: Field) -> Expectation.Condition? {
    let parts = words.split(separator: " ")
    guard parts.count == 6, parts[1] == "within", parts[3].hasPrefix("commit"),
      parts[4] == "after", parts[5] == "release"
    else {
      field.report(
        "expected reclaimed within 500 commits after release, found \"\(shortened(words))\"")
      return nil
    }
    return commits(String(parts[2]), field).map {
      .reclaimed(variable: variable(orElse: "pinnedBytes"), withinCommits: $0)
    }
  }

  /// `rebound <= 1.5`.
  private func rebound(_ words: String, _ field: Field) -> Expectation.Condition? {
    guard let (comparison, factor) = comparison(words), comparison == .atMost,
      let value = QuantityText.decimal(factor), value >= 1
    else {
      field.report(
        "expected rebound <= 1.5, found \"\(shortened(words))\"",
        hint: "the size after the smallest one as a multiple of it, 1 or more")
      return nil
    }
    return .rebound(variable: variable(), atMost: value)
  }

  /// A number with its unit, if it has one: `20 MB`, `10 s`, `3`.
  func quantity(_ text: Substring) -> (Double, ObservedVariable.Unit?)? {
    if let plain = QuantityText.decimal(text) { return (plain, nil) }
    if let size = QuantityText.size(String(text)) { return (Double(size), .bytes) }
    return QuantityText.duration(String(text)).map { (Double($0) / 1_000_000, .seconds) }
  }

  // MARK: Predicates

  /// A predicate, with `never` before it, or `eventually`, `within n commits` or `within n commits of …` after it.
  private func timed(_ field: Field, _ text: String) -> Expectation.Condition? {
    var words = text.split(whereSeparator: \.isWhitespace)
    if words.first == "never", words.count > 1 {
      return predicate(field, text, from: words[1].startIndex, to: words[words.count - 1].endIndex)
        .map { .never($0) }
    }
    var event: Expectation.Event?
    if words.count >= 5, words[words.count - 2] == "of", words[words.count - 5] == "within" {
      let events = Expectation.Event.allCases.map(\.rawValue)
      let name = String(words[words.count - 1])
      event = Expectation.Event(rawValue: name)
      if event == nil {
        let hint = suggestion(name, events) ?? "there are \(listed(events, "and"))"
        field.report("unknown event \"\(shortened(name))\"", hint: hint)
        return nil
      }
      words.removeLast(2)
    }
    var within: Int?
    let isEventual = words.last == "eventually"
    if isEventual {
      words.removeLast()
    } else if words.count >= 3, words[words.count - 3] == "within",
      words[words.count - 1] == "commits" || words[words.count - 1] == "commit"
    {
      within = commits(String(words[words.count - 2]), field)
      if within == nil { return nil }
      words.removeLast(3)
    }
    let end = words.last?.endIndex ?? text.startIndex
    guard let predicate = predicate(field, text, from: text.startIndex, to: end) else { return nil }
    if let event, let within {
      return .following(event, predicate, withinCommits: within)
    }
    return isEventual || within != nil
      ? .eventually(predicate, withinCommits: within) : .always(predicate)
  }

  private func predicate(
    _ field: Field, _ text: String, from start: String.Index, to end: String.Index
  ) -> Predicate? {
    do {
      return try Predicate(observed: String(text[start..<end]))
    } catch {
      field.report(
        error, textStartsAt: text, skipping: text.distance(from: text.startIndex, to: start))
      return nil
    }
  }

  private func commits(_ written: String, _ field: Field) -> Int? {
    if let commits = QuantityText.integer(written), (1...Limits.commits).contains(commits) {
      return commits
    }
    let limit = QuantityText.written(Limits.commits)
    field.report(
      "\"\(shortened(written))\" is no number of commits", hint: "from 1 to \(limit)")
    return nil
  }
}
