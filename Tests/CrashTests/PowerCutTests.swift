import StorageEngine
import TestSupport
import Testing

@Suite("Power cuts")
struct PowerCutTests {
  @Test(
    "a power cut during or after any commit leaves the last acknowledged state or the next one whole",
    arguments: CrashWorkload.allCases)
  func powerCuts(_ workload: CrashWorkload) throws {
    let seed = testSeed()
    let run = CrashRun(workload, seed: seed)
    try run.run(commits: 60, samples: 2)
    #expect(run.problems == [], "SEED=\(seed)")
    #expect(run.checkedStates >= 400)
    #expect(run.newerStates > 0, "no crash state ever held the commit under way")
    if workload == .compaction {
      #expect(run.cuts > 0, "automatic compaction never cut the file")
      #expect(run.compactions.contains { $0.kind == .finished && $0.rewritten > 0 })
    }
    print("power cuts, \(workload.rawValue): \(run.checkedStates) crash states, seed \(seed)")
  }

  @Test("of a small commit's writes every subset of sectors leaves the state before it or after it")
  func everySubset() throws {
    let seed = testSeed()
    let run = CrashRun(.mixed, seed: seed)
    let file = FaultyStorageFile()
    let database = try Database.open(file: file, options: run.workload.options)
    var rows: RowModel = [:]
    var enumerated = 0
    for number in 0..<12 {
      let changes = [
        RowChange(key: Int64(number % 4), value: [UInt8](repeating: UInt8(number), count: 40))
      ]
      let next = rows.applying(changes)
      let before = rows
      file.beforeSync = {
        for unitSize in [512, 4096] {
          let subsets = $0.crashStates().allSubsets(unitSize: unitSize, limit: 8) ?? []
          for sample in subsets {
            run.check(sample, allowed: [before, next], depth: 0, "commit \(number)")
          }
          enumerated += subsets.count
        }
      }
      try database.apply(changes)
      file.beforeSync = nil
      rows = next
    }
    try database.close()
    #expect(run.problems == [], "SEED=\(seed)")
    #expect(enumerated >= 100)
    print("every subset: \(enumerated) crash states, seed \(seed)")
  }

  @Test(
    "a torn commit that recovery passed over stays gone when the next writes the sector it lacked")
  func passedOver() throws {
    // Both commits change one row of the same leaf: at the same place most of its sectors are the same in both.
    var rows: RowModel = [:]
    for key in 0..<60 { rows[Int64(key)] = [UInt8](repeating: 1, count: 60) }
    let first = RowChange(key: 2, value: [UInt8](repeating: 2, count: 60))
    let second = RowChange(key: 57, value: [UInt8](repeating: 3, count: 60))
    let file = FaultyStorageFile()
    let database = try Database.open(file: file)
    try database.apply(rows.sorted { $0.key < $1.key }.map { RowChange(key: $0, value: $1) })
    var torn: [[UInt8]] = []
    file.beforeSync = { torn += $0.crashStates().imagesLackingOneUnit(of: 512) }
    try database.apply([first])
    file.beforeSync = nil
    var checked = 0
    for image in torn {
      let again = FaultyStorageFile(image: image)
      let recovered = try Database.open(file: again)
      guard try recovered.rows() == rows else { continue }
      again.beforeSync = {
        for image in $0.crashStates().imagesWithOneUnit(of: 512) {
          checked += 1
          let opened = try? Database.open(file: FaultyStorageFile(image: image))
          let found = try? opened?.rows()
          #expect(found == rows || found == rows.applying([second]))
        }
      }
      try recovered.apply([second])
      again.beforeSync = nil
    }
    #expect(checked >= 30)
  }

  @Test(
    "the check can fail: a drive that only pretends to sync is caught losing acknowledged commits")
  func lyingDrive() throws {
    let file = FaultyStorageFile()
    let options = CrashWorkload.mixed.options
    let database = try Database.open(file: file, options: options)
    try database.apply([RowChange(key: 1, value: [1])])
    file.dropsSyncs = true
    for number in 2..<10 { try database.apply([RowChange(key: Int64(number), value: [2])]) }
    let acknowledged = try database.rows()
    let survived = file.crashStates().image(unitSize: 512, lengthMoment: 0) { _ in 0 }
    let reopened = try Database.open(file: FaultyStorageFile(image: survived), options: options)
    let verdict = try CrashVerdict(reopened, allowed: [acknowledged])
    guard case .strange = verdict else {
      Issue.record("Eight commits were never synced, and the check said \(verdict).")
      return
    }
  }

  @Test(
    "a killed process leaves the commit before or the one under way, and a power cut after the recovery loses neither",
    arguments: CrashWorkload.allCases)
  func killThenPowerCut(_ workload: CrashWorkload) throws {
    let seed = testSeed()
    let run = KillRun(workload, seed: seed)
    try run.run(commits: 40)
    #expect(run.problems == [], "SEED=\(seed)")
    #expect(run.checkedStates >= 100)
  }
}
