// The keys of an objective, in a scenario file and on the command line.
import MetricModel
package import Objective
import ScenarioModel

extension ScenarioKeys {
  static let objective = Block("objective", Objective()) {
    Key(
      "space", \.prices.space, .price,
      "The price of a GB above a freshly compacted file, for a day.")
    Key("rewritten", \.prices.rewritten, .price, "The price of a GB that compactions write again.")
    Key(
      "blocked", \.prices.blocked, .price,
      "The price of a second for which a compaction holds up a launch.")
    Key(
      "max-size", \.limits.maxSize, .limit, default: "none",
      "What all files must not exceed at any sample.")
    Key(
      "max-disk", \.limits.maxDisk, .limit, default: "none",
      "What all files must not exceed with the copies that compactions make.")
    Key(
      "max-launch", \.limits.maxLaunch, .launchTime, default: "none",
      "How long a compaction may hold up a launch.")
    Key(
      "max-rewritten", \.limits.maxRewritten, .limit, default: "none",
      "What compactions may write again in a day, over the whole run.")
  } check: { objective, keys in
    guard keys.isClean else { return }
    do throws(ObjectiveError) { try objective.prices.check() } catch {
      keys.report("\(error)", hint: "give one of space, rewritten and blocked a price")
    }
  }
}

extension ValueType where Value == Double {
  fileprivate static var price: Self {
    Self(
      "price, 0.000001 to 1_000, or 0",
      schema: .object(
        ("type", .text("number")), ("minimum", .number(0)), ("maximum", .number(Int(Prices.max)))),
      expected: "a price such as 0.5",
      written: { $0 == $0.rounded() ? "\(Int($0))" : "\($0)" },
      read: { field, expected in
        guard let price = field.quantity(expected, { QuantityText.decimal($0[...]) }) else {
          return nil
        }
        if price == 0 || Prices.min...Prices.max ~= price { return price }
        field.report("the price is out of range", hint: "0, or from 0.000001 to 1_000")
        return nil
      })
  }
}

extension ValueType where Value == ByteCount {
  fileprivate static var limit: Self { ValueType<Int>.size(1...(1 << 48)).map { ByteCount($0) } }
}

extension ValueType where Value == Int {
  /// In nanoseconds.
  fileprivate static var launchTime: Self {
    ValueType<VirtualTime>.time(1000...3_600_000_000).map { $0.microseconds * 1000 }
  }
}

extension ScenarioParser {
  /// Reads an objective as the command line has it: the keys of `objective:` with their values, `space: 3, max-size: 20 MB`.
  package static func objective(
    _ text: String, option: String
  ) throws(ScenarioProblems) -> Objective {
    let trimmed = String(QuantityText.trimmed(text))
    let yaml = trimmed.hasPrefix("{") ? trimmed : "{ \(trimmed) }"
    try YAMLDocument.checkSize(yaml.utf8.count, file: option)
    let source = SourceText(yaml, file: option)
    if let problem = CharacterCheck.unprintable(in: source) { throw ScenarioProblems([problem]) }
    let document = try YAMLDocument(source, text: yaml)
    let collector = ProblemCollector(
      source: source, restoredKeys: document.restoredKeys, companion: { _ in "" })
    let root = Field(node: document.root, path: "", collector: collector)
    let objective = ScenarioKeys.objective.read(root)?.model
    let problems = collector.sorted
    guard problems.isEmpty, let objective else { throw ScenarioProblems(problems) }
    return objective
  }
}
