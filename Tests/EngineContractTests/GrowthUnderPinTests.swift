// One snapshot held from commit 50 on, while ten of ten thousand rows are updated in each commit: what each engine's rule
// of reclamation makes of it, with the same keys in the same order.
import EngineInterface
import MetricModel
import TestSupport
import Testing

@Suite("A snapshot that is held costs what the rule of reclamation says")
struct GrowthUnderPinTests {
  private func length(_ test: EngineUnderTest) throws -> Int {
    try test.withSession { session, _ in
      try fill(session, rows: 10_000, bytes: 256)
      var random = SeededRandom(seed: 1)
      var pin: (any EngineSnapshot)?
      for commit in 1...3500 {
        try session.write { transaction in
          for _ in 0..<10 { try transaction.put(Int64(random.below(10_000)), random.bytes(256)) }
        }
        if commit == 50 { pin = try session.beginSnapshot(label: "from commit 50 on") }
      }
      defer { pin?.end() }
      return try session.spaceUsage().total.bytes
    }
  }

  @Test(
    "native keeps what the snapshot sees, once; LMDB keeps every version since, over 25 times that")
  func exactAndOldestReader() throws {
    func engine(_ id: String) throws -> EngineUnderTest {
      try EngineUnderTest.named(id)
    }
    let native = try length(engine("native"))
    #expect(native == 6_291_456)
    let lmdb = try length(engine("lmdb"))
    #expect(lmdb > 25 * native, "LMDB's file has \(lmdb) bytes")
  }
}
