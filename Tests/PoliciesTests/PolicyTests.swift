// Policies decide from an observation alone, and say why with the values that decided.
import MetricModel
import Policies
import PredicateLanguage
import Testing

@Suite("Policy")
struct PolicyTests {
  private static func observation(
    file: Int, free: Int?, pinned: Int? = nil, pins: Int = 0
  ) -> Observation {
    Observation(
      space: SpaceUsage(
        file: ByteCount(file), free: free.map(ByteCount.init), pinned: pinned.map(ByteCount.init)),
      pins: pins)
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
      Decision("every-launch", file: 4096, free: nil, true, "every launch, totalBytes 4.10 kB"),
      Decision("never", file: 4096, free: nil, false, "the policy has no rule for launches"),
    ])
  func decides(_ expected: Decision) throws {
    let policy = try Policy(parsing: expected.policy)
    let decision = policy.decideAtLaunch(
      Self.observation(file: expected.file, free: expected.free))
    #expect(decision == LaunchDecision(compact: expected.compact, reason: expected.reason))
  }
}
