// What texts come to: one row for each rule of the language.
import PredicateLanguage
import Testing

@Suite("Evaluation")
struct EvaluationTests {
  /// totalBytes 1000, usedBytes 250, liveBytes 0, pins not known; the rest does not exist.
  static func value(_ name: String) -> Double? {
    ["totalBytes": 1000, "usedBytes": 250, "liveBytes": 0, "pinAge": 90][name]
  }

  @Test(
    "numbers",
    arguments: [
      ("1 + 2 * 3", 7), ("(1 + 2) * 3", 9), ("10 - 4 - 3", 3), ("100 / 10 / 5", 2),
      ("7 / 2", 3.5), ("Int(7 / 2)", 3), ("Int(-7 / 2)", -3), ("Double(7) / 2", 3.5),
      ("(double)7 / 2", 3.5), ("(NSUInteger)7.9", 7), ("(unsigned long)7.9 + 1", 8),
      ("-2 * -3", 6), ("- (1 + 2)", -3), ("--2", 2), ("+5", 5), ("2 - -2", 4), ("-2 + 5", 3),
      ("100_000", 100_000), ("1e6", 1_000_000), ("1.5E-3", 0.0015), ("0.5", 0.5), ("0.5f", 0.5),
      ("1024UL", 1024), ("5 B", 5), ("1 kB", 1000), ("20 MB", 20_000_000), ("20MB", 20_000_000),
      ("2 GB", 2e9), ("1 TB", 1e12), ("1 KiB", 1024), ("20 MiB", 20_971_520),
      ("1 GiB", 1_073_741_824), ("1 TiB", 1_099_511_627_776), ("50%", 0.5), ("50 %", 0.5),
      ("7%", 0.07), ("0.1 %", 0.001), ("250 ms", 0.25), ("30 s", 30), ("5 min", 300), ("2 h", 7200),
      ("1 d", 86_400), ("1.5 MiB", 1_572_864), ("let x = 5; x * x", 25),
      ("let kB = 3\nkB * 2", 6), ("usedBytes / totalBytes", 0.25), ("3 × 4 − 2", 10),
      ("let a = 2; let b = a * a; b * a", 8),
    ] as [(String, Double)])
  func numbers(source: String, expected: Double) throws {
    let formula = try Formula(source, variables: names)
    #expect(formula.evaluate(Self.value) == .value(expected))
  }

  @Test(
    "truth values",
    arguments: [
      ("true", .yes), ("NO", .no), ("totalBytes > 1000", .no), ("totalBytes >= 1000", .yes),
      ("totalBytes < 1000", .no), ("totalBytes <= 1000", .yes), ("totalBytes == 1000", .yes),
      ("totalBytes != 1000", .no), ("totalBytes ≥ 1 kB", .yes), ("totalBytes ≠ 1 kB", .no),
      ("!(totalBytes > 1)", .no), ("not totalBytes > 1", .no), ("not not true", .yes),
      ("!true || true", .yes), ("not true or true", .yes),
      // And binds tighter than or.
      ("true || false && false", .yes), ("(true || false) && false", .no),
      ("true or false and false", .yes), ("false and false or true", .yes),
      // Arithmetic binds tighter than comparison, comparison tighter than logic.
      ("1 + 1 > 1 && 2 * 2 == 4", .yes), ("totalBytes > 2 * usedBytes", .yes),
      // Division by zero has no value: not as such, and not negated.
      ("totalBytes / liveBytes > 2", .no), ("!(totalBytes / liveBytes > 2)", .no),
      ("totalBytes / liveBytes > 2 || totalBytes > 5", .yes),
      ("totalBytes / liveBytes > 2 && totalBytes > 5", .no),
      ("0 / liveBytes == 0", .no), ("1 / (1 / liveBytes) == 0", .no),
      // What cannot be told does not matter where the other side decides.
      ("pins > 0", .unknown("pins")), ("!(pins > 0)", .unknown("pins")),
      ("pins > 0 && false", .no), ("false && pins > 0", .no), ("pins > 0 || true", .yes),
      ("true || pins > 0", .yes), ("pins > 0 && true", .unknown("pins")),
      ("pins > 0 || false", .unknown("pins")), ("pins + freeBytes > 0", .unknown("pins")),
      ("totalBytes / liveBytes > 2 && pins > 0", .unknown("pins")),
      ("pinAge > 1 min && pinAge < 2 min", .yes),
    ] as [(String, Evaluation)])
  func truth(source: String, expected: Evaluation) throws {
    let predicate = try Predicate(source, variables: names)
    #expect(predicate.evaluate(Self.value) == expected)
  }

  @Test("a value that is no number leaves the condition without a value")
  func notANumber() throws {
    let predicate = try Predicate("totalBytes == totalBytes || !(totalBytes > 1)", variables: names)
    #expect(predicate.evaluate { _ in .nan } == .no)
  }

  @Test("a formula tells what it could not compute, and why")
  func formulas() throws {
    let formula = try Formula("totalBytes / liveBytes", variables: names)
    #expect(formula.evaluate(Self.value) == .undefined)
    #expect(formula.evaluate { $0 == "totalBytes" ? 1 : nil } == .unknown("liveBytes"))
    #expect(formula.variables == ["liveBytes", "totalBytes"])
  }

  @Test("dimensions follow from the variables and the units")
  func dimensions() throws {
    let expected: [(String, String)] = [
      ("totalBytes", "bytes"), ("usedBytes / totalBytes", "a share"), ("3 * liveBytes", "bytes"),
      ("totalBytes - 5", "bytes"), ("5 - totalBytes", "bytes"), ("50 %", "a share"),
      ("50 % * totalBytes", "bytes"), ("5", "a plain number"), ("2 * 3", "a plain number"),
      ("pinAge", "a time"), ("2 * 3 s", "a time"), ("totalBytes / 2", "bytes"),
      ("pins", "a count"), ("pins / pins", "a share"), ("totalBytes / pins", "bytes"),
      ("totalBytes * liveBytes", "a quantity in B^2"), ("Int(totalBytes / 2)", "bytes"),
      ("totalBytes * liveBytes / usedBytes", "bytes"), ("-pinAge", "a time"),
      ("totalBytes / pinAge", "a quantity in B/s"), ("1 / pinAge", "a quantity in 1/s"),
      ("totalBytes * pinAge / (pinAge * pinAge * pinAge)", "a quantity in B/s^2"),
      ("pins * pins", "a quantity in count^2"), ("1 - usedBytes / totalBytes", "a share"),
    ]
    for (source, dimension) in expected {
      let formula = try Formula(source, variables: measured)
      let found = formula.dimension { name in
        name.hasSuffix("Bytes") ? .bytes : name == "pinAge" ? .seconds : .count
      }
      #expect(found.description == dimension, "\(source)")
    }
  }
}
