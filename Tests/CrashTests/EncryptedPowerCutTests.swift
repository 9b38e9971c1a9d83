// The same workloads and crashes with an encrypted file: a unit is larger than a sector and its entry is elsewhere, so
// more can be torn.
import StorageEngine
import TestSupport
import Testing

@Suite("Power cuts of encrypted files")
struct EncryptedPowerCutTests {
  @Test(
    "a power cut at any operation leaves the last acknowledged state or the complete next one",
    arguments: CrashWorkload.allCases)
  func everyLife(_ workload: CrashWorkload) throws {
    let seed = testSeed()
    var options = workload.options
    options.encryptionKey = EncryptionKey((0..<64).map { UInt8(truncatingIfNeeded: $0 * 5) })
    let life = CrashLife(workload, seed: seed, options: options)
    life.run(steps: 12)
    #expect(life.problems == [], "SEED=\(seed)")
    #expect(life.cuts >= 100)
    #expect(life.newerStates > 0, "no power cut ever left the step that was under way done")
    print("encrypted, \(workload.rawValue): \(life.cuts) power cuts, seed \(seed)")
  }
}
