// Policies decide from an observation alone, and say why with the values that decided.
import MetricModel
import Policies
import PredicateLanguage
import Testing

@Suite("Policy")
struct PolicyTests {
  private static func observation(
    file: Int, free: Int?, pinned: Int? = nil
  ) -> Observation {
    Observation(
      space: SpaceUsage(
        file: ByteCount(file), free: free.map(ByteCount.init), pinned: pinned.map(ByteCount.init)))
  }

  struct Decision: CustomTestStringConvertible {
    var policy: String
    var file: Int
    var free: Int?
    var compact: Bool
    var reason: String

    init(
      _ policy: String, file: Int, free: Int?, _ compact: Bool, _ reason: String
    ) {
      self.policy = policy
      self.file = file
      self.free = free
      self.compact = compact
      self.reason = reason
    }

    var testDescription: String { "\(policy) at \(file) B" }
  }

  @Test(
    "decides by the values and prints those that decided",
    arguments: [
      Decision(
        "on-launch: totalBytes > 20 MiB && usedBytes / totalBytes < 50%", file: 31_500_000,
        free: 27_720_000, true, "totalBytes 31.5 MB > 20 MiB, usedBytes / totalBytes 12 % < 50 %"),
      Decision(
        "on-launch: totalBytes > 100 * 1024 * 1024 && usedBytes / totalBytes < 0.5",
        file: 31_500_000, free: 27_720_000, false, "totalBytes 31.5 MB <= 100 MiB"),
      Decision(
        "on-launch: (totalBytes > 20 MB) && (Double(usedBytes) / Double(totalBytes)) < 0.5",
        file: 31_500_000, free: 10_000_000, false, "usedBytes / totalBytes 68.3 % >= 50 %"),
      Decision(
        "on-launch: totalBytes > 100 MB", file: 100_000_001, free: 0, true,
        "totalBytes 100000001 B > 100 MB"),
      Decision(
        "on-launch: freeBytes / usedBytes > 2", file: 0, free: 0, false,
        "freeBytes / usedBytes has no value (division by zero)"),
      Decision(
        "on-launch: usedBytes < 1 MB", file: 4096, free: nil, false,
        "not decidable here: the engine cannot tell usedBytes"),
      Decision(
        "on-launch: totalBytes > 1 GB || usedBytes / totalBytes < 20 %", file: 10_000_000,
        free: 9_000_000, true, "usedBytes / totalBytes 10 % < 20 %"),
      Decision(
        "on-launch: totalBytes > 1 GB || usedBytes / totalBytes < 20 %", file: 10_000_000,
        free: 0, false, "totalBytes 10.0 MB <= 1 GB, usedBytes / totalBytes 100 % >= 20 %"),
      Decision(
        "on-launch: not (totalBytes < 1 MB or pins > 0)", file: 10_000_000, free: 0, true,
        "totalBytes 10.0 MB >= 1 MB, pins 0 <= 0"),
      Decision(
        "on-launch: totalBytes > 3 * usedBytes", file: 10_000_000, free: 9_000_000, true,
        "totalBytes 10.0 MB > 3 * usedBytes 3.00 MB"),
      Decision(
        "on-launch: totalBytes / usedBytes > 3", file: 10_000_000, free: 9_000_000, true,
        "totalBytes / usedBytes 10 > 3"),
      Decision(
        "on-launch: totalBytes / usedBytes > 1.5", file: 10_000_000, free: 9_000_000, true,
        "totalBytes / usedBytes 10 > 1.5"),
      Decision(
        "on-launch: 0.5 > usedBytes / totalBytes", file: 100_000_000, free: 50_000_001, true,
        "50 % > usedBytes / totalBytes 49.999999 %"),
      Decision(
        "on-launch: totalBytes > 104857600 && totalBytes > 5000", file: 200_000_000, free: 0, true,
        "totalBytes 200 MB > 100 MiB, totalBytes 200 MB > 5 kB"),
      Decision(
        "on-launch: totalBytes > 5 kB && totalBytes > 5 kB", file: 6000, free: 0, true,
        "totalBytes 6.00 kB > 5 kB"),
      Decision(
        "on-launch: pinAge < 5 min && time == 0 && true", file: 6000, free: 0, true,
        "pinAge 0 s < 5 min, time 0 s == 0 s, always true"),
      Decision(
        "on-launch: totalBytes > 1000", file: 6000, free: 0, true, "totalBytes 6.00 kB > 1 kB"),
      Decision("on-launch: launch == 2", file: 6000, free: 0, false, "launch 1 != 2"),
      Decision("every-launch", file: 4096, free: nil, true, "every launch, totalBytes 4.10 kB"),
      Decision("never", file: 4096, free: nil, false, "the policy has no rule for launches"),
    ])
  func decides(_ expected: Decision) throws {
    let policy = try Policy(parsing: expected.policy)
    let decision = policy.decideAtLaunch(
      Self.observation(file: expected.file, free: expected.free))
    #expect(decision.compact == expected.compact)
    #expect(decision.reason == expected.reason)
  }

  @Test("pinned and pending space counts as free in the usedBytes of a launch")
  func pinnedIsFree() throws {
    let policy = try Policy(parsing: "on-launch: usedBytes <= 40 kB")
    let decision = policy.decideAtLaunch(
      Self.observation(file: 100_000, free: 20_000, pinned: 40_000))
    #expect(decision.compact)
    #expect(decision.reason == "usedBytes 40.0 kB <= 40 kB")
  }
  @Test("a time from 1000 s on is shown in whole seconds, and one below with three digits")
  func seconds() throws {
    let predicate = try Predicate(observed: "time > 1 s")
    for (time, text) in [(999.4, "999"), (1000.4, "1000"), (12.34, "12.3")] {
      var observation = Self.observation(file: 4096, free: 0)
      observation.time = VirtualTime(seconds: time)
      #expect(predicate.explain(observation) == "time \(text) s > 1 s")
    }
  }
}
