// Policies with a name, programs, and closures whose whole numbers divide.
import Foundation
import MetricModel
import Policies
import Testing

import struct PredicateLanguage.Predicate
import struct PredicateLanguage.PredicateError

@Suite("Named policies")
struct PolicyPresetTests {
  private static func observation(
    file: Int, used: Int, waste: Double? = 0, peakPinned: Int = 0
  ) -> Observation {
    var observation = Observation(
      space: SpaceUsage(file: ByteCount(file), free: ByteCount(file - used)))
    observation.history = LaunchHistory(
      launches: 3, commits: 40, time: VirtualTime(seconds: 7200), rewritten: ByteCount(5),
      waste: waste, peakPinned: ByteCount(peakPinned))
    return observation
  }

  @Test(
    "a name stands for its predicate, with the number that is given or the usual one",
    arguments: [
      ("rent-or-buy", "on-launch: wasteSinceCompaction >= 8 h * usedBytes"),
      ("rent-or-buy(30 min)", "on-launch: wasteSinceCompaction >= 30 min * usedBytes"),
      ("square-root", "on-launch: totalBytes - usedBytes >= sqrt(20 MB * usedBytes)"),
      ("square-root( 5  MiB )", "on-launch: totalBytes - usedBytes >= sqrt(5 MiB * usedBytes)"),
      ("multiple(3)", "on-launch: totalBytes > 3 * usedBytes"),
      ("automatic + multiple(1.5)", "automatic + on-launch: totalBytes > 1.5 * usedBytes"),
      ("double = multiple", "on-launch: totalBytes > 2 * usedBytes"),
    ])
  func expands(text: String, rule: String) throws {
    let policy = try Policy(parsing: text)
    #expect(policy.rule == rule)
    #expect(try Policy(parsing: policy.rule).onLaunch == policy.onLaunch)
  }

  @Test(
    "thresholds of automatic compaction are read, and written as they are read",
    arguments: [
      ("automatic(eager, start-free-share 40 %)", "automatic(eager, start-free-share 40 %)"),
      ("automatic(min-file 64 KiB,back-off 5)", "automatic(min-file 65536 B, back-off 5)"),
      (
        "automatic( commit-share  12.5 % , target-free-share 0.2 )",
        "automatic(target-free-share 20 %, commit-share 12.5 %)"
      ),
      (
        "automatic(idle, min-file 1 MiB) + on-launch: totalBytes > 1 MB",
        "automatic(idle, min-file 1048576 B) + on-launch: totalBytes > 1 MB"
      ),
    ])
  func thresholds(text: String, rule: String) throws {
    let policy = try Policy(parsing: text)
    #expect(policy.rule == rule)
    #expect(try Policy(parsing: rule).thresholds == policy.thresholds)
    #expect(policy.thresholds != nil)
  }

  @Test(
    "a threshold out of its bounds, of another name or that cannot be is refused",
    arguments: [
      ("automatic(start-free-share 96 %)", "\"96 %\" is no value of start-free-share"),
      ("automatic(min-file 1 kB)", "\"1 kB\" is no value of min-file"),
      ("automatic(back-off 0.5)", "\"0.5\" is no value of back-off"),
      ("automatic(start 40 %)", "unknown threshold of automatic compaction \"start\""),
      (
        "automatic(start-free-share 40 %, target-free-share 40 %)",
        "target-free-share 40.0 % is not below start-free-share 40.0 %"
      ),
      (
        "automatic(start-free-share 40 %, eager)",
        "unknown threshold of automatic compaction \"eager\""
      ),
      ("automatic(min-file 1 MiB", "the ( is never closed"),
    ])
  func badThresholds(text: String, message: String) {
    do {
      _ = try Policy(parsing: text)
      Issue.record("\(text) is read")
    } catch {
      #expect("\(error)".contains(message), "\(error)")
    }
  }

  @Test("only a condition that names what differs in the background decides there")
  func background() throws {
    for (text, decides) in [
      ("never", false), ("every-launch", false), ("multiple(2)", false),
      ("on-launch: usedBytes / totalBytes < 50 %", false),
      ("on-launch: isCharging && usedBytes / totalBytes < 50 %", true),
      ("on-launch: !isIdle or launch > 3", true), ("on-launch: opening == 4", true),
      ("exec: ./decide.py", true),
    ] {
      #expect(try Policy(parsing: text).decidesInBackground == decides, "\(text)")
    }
  }

  @Test("isCharging is a condition by itself, in closures too, and is read again from a record")
  func charging() throws {
    var observation = Self.observation(file: 300, used: 100, waste: 1)
    for text in [
      "isCharging && usedBytes / totalBytes < 50 %", "not isIdle and isCharging == 1",
      "{ totalBytes, usedBytes in isCharging && usedBytes < totalBytes }",
      "^BOOL(NSUInteger totalBytes, NSUInteger usedBytes) { return isCharging && !isIdle; }",
      "isCharging ? usedBytes < 1 MB : false",
    ] {
      let policy = Policy.onLaunch(try Predicate(observed: text))
      observation.opening = nil
      #expect(policy.decideAtLaunch(observation).reason.contains("cannot tell is"), "\(text)")
      for moment in BackgroundMoment.allCases + [nil] {
        observation.opening = Opening(number: 2, moment: moment)
        #expect(
          policy.decideAtLaunch(observation).compact == (moment == .charging),
          "\(text), \(moment as Any)")
      }
      let again = try JSONDecoder().decode(Policy.self, from: JSONEncoder().encode(policy))
      #expect(again == policy, "\(text)")
    }
    #expect(throws: PredicateError.self) { try Predicate(observed: "launch && isCharging") }
  }

  @Test("a named policy goes by its name")
  func names() throws {
    for text in ["rent-or-buy", "rent-or-buy(30 min)", "automatic + multiple(3)"] {
      #expect(try Policy(parsing: text).name == text)
    }
    #expect(try Policy(parsing: "double = multiple").name == "double")
  }

  @Test(
    "a number that does not fit is refused",
    arguments: [
      "multiple()", "multiple(x)", "multiple(-1)", "multiple(0)", "rent-or-buy(20 MB)",
      "square-root(8 h)", "multiple(2", "multiple(5 s)", "multiple(totalBytes)",
    ])
  func refused(text: String) {
    #expect(throws: PredicateError.self) { try Policy(parsing: text) }
  }

  @Test("the policies decide at their thresholds")
  func decides() throws {
    let pinned = "on-launch: (usedBytes + peakPinnedBytes) / totalBytes < 50 %"
    let cases: [(String, Observation, Bool)] = [
      ("rent-or-buy(2 h)", Self.observation(file: 300, used: 100, waste: 720_000), true),
      ("rent-or-buy(2 h)", Self.observation(file: 300, used: 100, waste: 719_999), false),
      ("square-root(400 B)", Self.observation(file: 300, used: 100), true),
      ("square-root(401 B)", Self.observation(file: 300, used: 100), false),
      ("multiple(3)", Self.observation(file: 301, used: 100), true),
      ("multiple(3)", Self.observation(file: 300, used: 100), false),
      (pinned, Self.observation(file: 300, used: 100, peakPinned: 49), true),
      (pinned, Self.observation(file: 300, used: 100, peakPinned: 50), false),
    ]
    for (text, observation, compact) in cases {
      let decision = try Policy(parsing: text).decideAtLaunch(observation)
      #expect(decision.compact == compact, "\(text): \(decision.reason)")
    }
  }

  @Test("what a policy remembers has names, and nothing is known where no launch was")
  func history() throws {
    let known = Self.observation(file: 300, used: 100, waste: 7)
    let values: [(String, Double)] = [
      ("launchesSinceCompaction", 3), ("commitsSinceCompaction", 40), ("timeSinceCompaction", 7200),
      ("rewrittenSinceCompaction", 5), ("wasteSinceCompaction", 7), ("peakPinnedBytes", 0),
    ]
    for (name, value) in values {
      #expect(known.value(name) == value)
      let bare = Observation(space: SpaceUsage(file: ByteCount(1)))
      #expect(bare.value(name) == nil && ObservedVariable.named(name) != nil)
    }
  }

  @Test(
    "a closure whose whole numbers divide is warned of with an example, where that matters",
    arguments: [
      ("{ usedBytes / totalBytes <= 0 }", true),
      ("{ totalBytes / 1024 / 1024 > 100 }", true), ("{ totalBytes / 1024 / 1024 >= 100 }", false),
      ("{ usedBytes * 100 / totalBytes < 50 }", false), ("{ totalBytes / usedBytes > 2 }", true),
      ("{ Double(usedBytes) / Double(totalBytes) < 0.5 }", false),
      // Only 0 / 0, which no file has and which ends an app, would not be less than 1 by real division.
      ("{ usedBytes / totalBytes < 1 }", false),
      ("usedBytes / totalBytes < 50 %", false), ("totalBytes / 1024 > 100", false),
    ])
  func division(source: String, isWarned: Bool) throws {
    let warning = try Policy(parsing: "on-launch: \(source)").warning
    #expect((warning != nil) == isWarned, "\(source): \(warning ?? "none")")
  }

  @Test("a decision that real division would make otherwise is remarked on")
  func remark() throws {
    let policy = try Policy(parsing: "on-launch: { totalBytes / usedBytes > 2 }")
    let decision = policy.decideAtLaunch(Self.observation(file: 290, used: 100))
    #expect(!decision.compact)
    #expect(
      decision.reason
        == "totalBytes / usedBytes 2 <= 2; whole numbers are divided here, and real division would decide yes"
    )
  }

  @Test("where a closure would end the app, real division is not compared with it")
  func refusedDivision() throws {
    let predicate = try Predicate(observed: "{ usedBytes / totalBytes < 1 }")
    #expect(predicate.evaluationByRealDivision { _ in 0 } == nil)
    #expect(predicate.evaluationByRealDivision { $0 == "totalBytes" ? 3 : 4 } == nil)
    let other = try Predicate(observed: "{ totalBytes / usedBytes > 1 }")
    #expect(other.evaluationByRealDivision { $0 == "totalBytes" ? 3 : 2 } == .yes)
  }

  @Test("a closure that would end the app decides nothing, and the reason is given")
  func refusal() throws {
    let policy = try Policy(parsing: "on-launch: { totalBytes / (usedBytes - 100) > 2 }")
    let decision = policy.decideAtLaunch(Self.observation(file: 290, used: 100))
    #expect(!decision.compact)
    #expect(
      decision.reason
        == "not decided, since the app would end here: 290 / 0 of Int has no value")
  }

  @Test(
    "a program is words without a shell, and its text reads back",
    arguments: [
      ("exec: ./decide.py", ["./decide.py"]), ("exec:a b  c", ["a", "b", "c"]),
      ("exec: \"my tool\" --x='1 2' ''", ["my tool", "--x=1 2", ""]),
      ("exec: echo $HOME; rm *", ["echo", "$HOME;", "rm", "*"]),
      ("automatic + exec: it's' ok", ["its", "ok"]),
      ("exec: a '\"'", ["a", "\""]),
    ])
  func programs(text: String, words: [String]) throws {
    let policy = try Policy(parsing: text)
    #expect(policy.program?.words == words)
    #expect(try Policy(parsing: policy.rule).onLaunch == policy.onLaunch, "\(policy.rule)")
  }

  @Test("a program without a name, or a quote without an end, is refused")
  func badPrograms() {
    for text in ["exec:", "exec", "exec: ''", "exec: \"a", "exec: a\nb"] {
      #expect(throws: PredicateError.self, "\(text)") { try Policy(parsing: text) }
    }
  }

  @Test("a program gets every variable by its name, and null where none is known")
  func request() {
    let line = ProgramRule.request(Self.observation(file: 300, used: 100, waste: 1.5))
    #expect(line.hasPrefix("{\"totalBytes\":300,\"usedBytes\":100,\"liveBytes\":null,"))
    #expect(line.contains("\"wasteSinceCompaction\":1.5") && !line.contains("\n"))
    #expect(ObservedVariable.all.allSatisfy { line.contains("\"\($0.name)\":") })
  }

  @Test("a reply is yes or no with a reason or none, and nothing else is one")
  func replies() {
    #expect(ProgramRule.decision(from: "yes\n")?.compact == true)
    #expect(ProgramRule.decision(from: "no")?.reason == "the program decided no")
    #expect(ProgramRule.decision(from: "yes: half is free\r\n")?.reason == "half is free")
    #expect(ProgramRule.decision(from: "no too small")?.reason == "too small")
    for reply in ["", "\n", "maybe", "Yes", "yes\nno\n", "yesterday", "true", " yes", "no!"] {
      #expect(ProgramRule.decision(from: reply) == nil, "\(reply.debugDescription)")
    }
  }
}
