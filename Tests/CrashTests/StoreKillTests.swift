// Commits without sync are stored through a mapping of the file: a process may be killed between any two stores of one write.
import TestSupport
import Testing

@testable import StorageEngine

@Suite("Kills between stores")
struct StoreKillTests {
  private static let maxKills = 60

  @Test(
    "killed between any two stores of a commit without sync, a writer leaves the version before it or its own",
    arguments: [CrashWorkload.mixed, .growth, .bulk, .compaction, .savepoints, .bigValues])
  func kills(_ workload: CrashWorkload) throws {
    let seed = testSeed()
    let (problems, kills) = try life(workload, seed: seed)
    #expect(problems == [], "SEED=\(seed)")
    #expect(kills >= 500)
    print("\(workload.rawValue): \(kills) kills between stores, seed \(seed)")
  }

  @Test("such kills find a slot that is written before what it names")
  func seededFault() throws {
    let (problems, _) = try life(.bulk, seed: 1, fault: .slotBeforeData)
    #expect(problems != [])
  }

  /// Commits, kills the writer at stores of each commit, and opens what it left. Returns what was wrong, and the kills.
  private func life(
    _ workload: CrashWorkload, seed: UInt64, fault: SeededFault? = nil
  ) throws -> (problems: [String], kills: Int) {
    var random = SeededRandom(seed: seed)
    var options = workload.options
    options.durability = .none
    let sound = options
    if let fault { options.seededFaults = fault.faults }
    let file = FaultyStorageFile()
    file.storeBytes = 64
    let database = try Database.open(file: file, options: options)
    var rows: RowModel = [:]
    var problems: [String] = []
    var kills = 0
    for number in 0..<24 {
      let changes = workload.changes(of: number, on: rows, &random)
      let next = rows.applying(changes)
      let first = file.pendingChanges
      try database.apply(changes)
      let moments = first...file.pendingChanges
      for kept in Set((0..<Self.maxKills).map { _ in first + random.below(moments.count) }) {
        kills += 1
        let left = file.afterKill(keepingChanges: kept)
        let allowed = kept == moments.upperBound ? [next] : [rows, next]
        do {
          try check(left, allowed, sound)
        } catch {
          problems.append("commit \(number), killed after \(kept - first) stores: \(error)")
        }
      }
      rows = next
    }
    try database.close()
    return (problems, kills)
  }

  /// Opens what a killed writer left, compares it with the states that are allowed, and commits to it.
  private func check(
    _ left: FaultyStorageFile, _ allowed: [RowModel], _ options: DatabaseOptions
  ) throws {
    let database = try Database.open(file: left, options: options)
    let verdict = try CrashVerdict(database, allowed: allowed)
    guard case .state(let index) = verdict else { throw Strange(text: "\(verdict)") }
    let change = RowChange(key: 7, value: [1, 2, 3])
    try database.apply([change])
    let after = try CrashVerdict(database, allowed: [allowed[index].applying([change])])
    guard case .state = after else { throw Strange(text: "then a commit: \(after)") }
    try database.close()
  }

  private struct Strange: Error { let text: String }
}
