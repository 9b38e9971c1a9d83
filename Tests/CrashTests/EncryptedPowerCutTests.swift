// The same workloads and crashes with an encrypted file: a unit is larger than a sector, its entry may be in another one,
// and both share sectors with units of other versions, so more can be torn.
import TestSupport
import Testing

@testable import StorageEngine

@Suite("Power cuts of encrypted files")
struct EncryptedPowerCutTests {
  @Test(
    "a power cut at any operation leaves the last acknowledged state or the complete next one",
    arguments: CrashWorkload.allCases)
  func everyLife(_ workload: CrashWorkload) throws { live(workload, .adjacentEntries) }

  @Test(
    "so it does in a file of an earlier release, with units of 4 KiB and pages of entries",
    arguments: [CrashWorkload.mixed, .bulk, .relaunching])
  func earlierLayout(_ workload: CrashWorkload) throws { live(workload, .pagesOfEntries) }

  private func live(_ workload: CrashWorkload, _ layout: EncryptedLayout) {
    let seed = testSeed()
    var options = workload.options
    options.newFileLayout = layout
    options.encryptionKey = EncryptionKey((0..<64).map { UInt8(truncatingIfNeeded: $0 * 5) })
    let life = CrashLife(workload, seed: seed, options: options)
    life.run(steps: 12)
    #expect(life.problems == [], "SEED=\(seed)")
    #expect(life.cuts >= 100)
    #expect(life.newerStates > 0, "no power cut ever left the step that was under way done")
    print("encrypted, \(workload.rawValue): \(life.cuts) power cuts, seed \(seed)")
  }
}
