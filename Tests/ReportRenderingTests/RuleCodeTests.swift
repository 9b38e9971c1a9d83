// The code of rules: what it states is what the rule decides.
import LaunchSchedules
import MetricModel
import Policies
import ReportRendering
import Testing

@Suite("Rules as code")
struct RuleCodeTests {
  private static let rules = [
    TunedRule.sizeAndShare(size: ByteCount(48_200_000), percent: 41),
    .freeBytes(ByteCount(1_500_000)), .multiple(percent: 200),
    .capped(bytes: ByteCount(3_000_000), percent: 50), .squareRoot(ByteCount(20_000_000)),
    .boundedCopy(free: ByteCount(1_500_000), used: ByteCount(40_000_000)),
  ]

  private static func code(_ rule: TunedRule, _ language: String) throws -> String {
    try #require(RuleCode.all(rule).first { $0.language == language }).text
  }

  @Test(
    "the closure decides as the policy of the scenario file, pasted as it is", arguments: rules,
    ["Swift", "Objective-C"])
  func pasted(_ rule: TunedRule, _ language: String) throws {
    let pasted = try Policy(parsing: "on-launch: \(try Self.code(rule, language))")
    let policy = try Policy(parsing: rule.policy)
    var yes = 0
    for total in stride(from: 200_000, through: 100_000_000, by: 1_300_007) {
      for percent in stride(from: 3, through: 99, by: 4) {
        let used = ByteCount(total / 100 * percent)
        let observation = Observation(
          time: .zero, launch: 2, commits: 0,
          space: SpaceUsage(file: ByteCount(total), live: used, free: ByteCount(total) - used))
        let decision = policy.decideAtLaunch(observation)
        #expect(pasted.decideAtLaunch(observation).compact == decision.compact, "\(total) \(used)")
        yes += decision.compact ? 1 : 0
      }
    }
    #expect(yes > 50)
  }

  @Test("each SDK's language has the condition with its own literals and conversions")
  func languages() throws {
    let rule = Self.rules[0]
    #expect(
      RuleCode.all(rule).map(\.language) == [
        "Swift", "Objective-C", "Kotlin", "Java", "C#", "JavaScript", "Dart",
      ])
    for (language, condition) in [
      ("Swift", "totalBytes > 48_200_000 && Double(usedBytes) / Double(totalBytes) < 0.41"),
      ("Objective-C", "totalBytes > 48200000 && (double)usedBytes / (double)totalBytes < 0.41"),
      ("Kotlin", "totalBytes > 48_200_000L && usedBytes.toDouble() / totalBytes.toDouble() < 0.41"),
      ("Java", "totalBytes > 48_200_000L && (double) usedBytes / (double) totalBytes < 0.41"),
      ("C#", "totalBytes > 48_200_000UL && (double)usedBytes / (double)totalBytes < 0.41"),
      ("JavaScript", "totalBytes > 48_200_000 && usedBytes / totalBytes < 0.41"),
      ("Dart", "totalSize > 48200000 && usedSize / totalSize < 0.41"),
    ] {
      #expect(try Self.code(rule, language).contains(condition), "\(language)")
    }
    #expect(
      try Self.code(Self.rules[3], "Objective-C").contains(
        "(double)(totalBytes - usedBytes) > fmin(3000000.0, 0.5 * (double)usedBytes)"))
  }

  @Test("whole numbers of a condition without a division stay whole")
  func wholeNumbers() throws {
    for (language, condition) in [
      ("Kotlin", "totalBytes - usedBytes > 1_500_000L && usedBytes < 40_000_000L"),
      ("Dart", "totalSize - usedSize > 1500000 && usedSize < 40000000"),
    ] {
      #expect(try Self.code(Self.rules[5], language).contains(condition), "\(language)")
    }
  }

  @Test("the root is taken of real numbers")
  func squareRoot() throws {
    let rule = TunedRule.squareRoot(ByteCount(20_000_000))
    for (language, condition) in [
      ("Swift", "Double((totalBytes - usedBytes)) >= sqrt(20_000_000.0 * Double(usedBytes))"),
      ("C#", "(double)(totalBytes - usedBytes) >= Math.Sqrt(20_000_000.0 * (double)usedBytes)"),
    ] {
      #expect(try Self.code(rule, language).contains(condition), "\(language)")
    }
  }

  @Test(
    "a rule with memory stores what it needs",
    arguments: [
      (TunedRule.everyLaunches(5), "launches >= 5"), (.everyHours(48), ">= 48 * 3600"),
      (.rentOrBuy(hours: 8), "waste >= 8 * 3600"),
    ])
  func memory(rule: TunedRule, condition: String) throws {
    let code = RuleCode.all(rule)
    #expect(
      code.map(\.language) == ["Swift", "Objective-C", "Kotlin", "Java", "JavaScript"])
    for (code, store) in zip(
      code, ["store.set(", "[store set", "store.edit().put", "store.edit().put", "writeFileSync("]
    ) {
      // Android counts milliseconds.
      let text = code.text.replacing("3_600_000L", with: "3600")
      #expect(text.contains(condition) && text.contains(store), "\(code.language)")
    }
  }
}
