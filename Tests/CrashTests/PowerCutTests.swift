import StorageEngine
import TestSupport
import Testing

@Suite("Power cuts")
struct PowerCutTests {
  @Test(
    "a power cut or kill at any operation leaves the last acknowledged state or the complete next one",
    arguments: CrashWorkload.allCases)
  func everyOperation(_ workload: CrashWorkload) {
    let seed = testSeed()
    let life = CrashLife(workload, seed: seed)
    life.run(steps: workload.stepsToCrash)
    #expect(life.problems == [], "SEED=\(seed)")
    #expect(life.cuts >= 500 && life.kills >= 100)
    #expect(workload.undone(by: life) == [], "SEED=\(seed)")
    print(
      "\(workload.rawValue): \(life.cuts) power cuts (\(life.wholes) times all subsets, \(life.choices) times a "
        + "choice), \(life.secondCuts) second ones, \(life.kills) kills, seed \(seed)")
  }

  @Test(
    "every subset of the sectors that a small commit writes leaves the state before it or after it")
  func everySubset() throws {
    let seed = testSeed()
    let options = CrashWorkload.mixed.options
    let file = FaultyStorageFile()
    let database = try Database.open(file: file, options: options)
    var rows: RowModel = [:]
    var samples: [(sample: CrashStates.Sample, allowed: [RowModel])] = []
    for number in 0..<12 {
      let changes = [
        RowChange(key: Int64(number % 4), value: [UInt8](repeating: UInt8(number), count: 40))
      ]
      let next = rows.applying(changes)
      let before = rows
      file.beforeSync = {
        for unitSize in [512, 4096] {
          for sample in $0.crashStates().allSubsets(unitSize: unitSize, limit: 8) ?? [] {
            samples.append((sample, [before, next]))
          }
        }
      }
      try database.apply(changes)
      file.beforeSync = nil
      rows = next
    }
    try database.close()
    for (sample, allowed) in samples {
      let file = FaultyStorageFile(image: sample.image)
      let opened = try Database.open(file: file, options: options)
      let verdict = try CrashVerdict(opened, allowed: allowed)
      guard case .state = verdict else {
        Issue.record("SEED=\(seed): \(sample.story): \(verdict)")
        continue
      }
      try opened.close()
    }
    #expect(samples.count >= 100)
    print("every subset: \(samples.count) crash states, seed \(seed)")
  }

  @Test(
    "a torn commit that recovery rejected stays rejected when the next one writes its missing sector"
  )
  func passedOver() throws {
    let crashes = try TornCommitReturn(options: DatabaseOptions())
    #expect(crashes.problems == [])
    #expect(crashes.checked >= 30)
  }

  @Test(
    "a drive that ignores syncs is found to lose acknowledged commits")
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
}
