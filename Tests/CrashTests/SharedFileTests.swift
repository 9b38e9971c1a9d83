// Several processes with one database: what they pin, what they leave when they are killed, and what they see.
import StorageEngine
import Synchronization
import SystemIO
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite("Several processes")
struct SharedFileTests {
  private let seed = testSeed()
  private var series: NumberedCommits { NumberedCommits(seed: seed) }

  private func model(upTo number: Int) -> RowModel {
    (0..<number).reduce(into: RowModel()) { $0 = $0.applying(series.changes(of: $1 + 1)) }
  }

  /// Opens the file, and compares it with the rows of its commit number and with the walk. Returns the number.
  @discardableResult
  private func verify(_ path: FilePath, _ context: String) throws -> Int {
    let database = try Database.open(path: path)
    let rows = try database.rows()
    let number = try #require(NumberedCommits.number(in: rows), "SEED=\(seed), \(context)")
    #expect(rows == model(upTo: number), "SEED=\(seed), \(context)")
    #expect(try database.audit().violations == [], "SEED=\(seed), \(context)")
    try database.close()
    return number
  }

  private func commit(_ database: Database, _ count: Int) throws {
    var number = NumberedCommits.number(in: try database.rows()) ?? 0
    for _ in 0..<count {
      number += 1
      try database.apply(series.changes(of: number))
    }
  }

  /// A database of that many commits, and a process that holds a snapshot while `body` runs; then `after`.
  private func beside(
    _ label: String, commits: Int, _ body: @escaping @Sendable (Database, Int32) throws -> Void,
    after: (Database, ChildProcess.Outcome) throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      let path = folder.appending("shared.db")
      let database = try Database.open(path: path)
      try commit(database, commits)
      let helper = WriterProcess(file: path, seed: seed)
      let outcome = try await helper.runHolding(label: label) { try body(database, $0) }
      try after(database, outcome)
      let number = NumberedCommits.number(in: try database.rows())
      try database.close()
      #expect(try verify(path, label) == number)
    }
  }

  @Test(
    "a snapshot of another process pins the same bytes as one of this process, and is listed with its process"
  )
  func pins() async throws {
    try await withTemporaryFolder { folder in
      let path = folder.appending("shared.db")
      let alone = try Database.open(path: folder.appending("alone.db"))
      let database = try Database.open(path: path)
      for database in [alone, database] { try commit(database, 40) }
      let helper = WriterProcess(file: path, seed: seed)
      let own = try alone.beginSnapshot(label: "list")
      let outcome = try await helper.runHolding(label: "list") { process in
        for database in [alone, database] { try commit(database, 30) }
        #expect(database.usage() == alone.usage())
        #expect(database.usage().pinned > 0)
        let pin = try #require(database.oldestPins().first)
        #expect(pin.process == process)
        #expect(pin.label == "list")
        #expect(pin.isSuspended == false)
        #expect(pin.exclusive == database.usage().pinned)
        #expect(try database.audit().violations == [])
        kill(process, SIGUSR1)
      }
      #expect(outcome.ending.isSuccess, "\(outcome.outputText)\(outcome.errorText)")
      own.end()
      #expect(database.usage() == alone.usage())
      #expect(database.usage().pinned == 0)
      try database.close()
      #expect(try verify(path, "pins") == 70)
    }
  }

  @Test("a reader that was killed pins nothing after the next commit")
  func killedReader() async throws {
    try await beside("doomed", commits: 40) { database, process in
      try commit(database, 30)
      #expect(database.usage().pinned > 0)
      kill(process, SIGKILL)
    } after: { database, outcome in
      #expect(outcome.ending == .signalled(SIGKILL))
      #expect(database.oldestPins().map(\.label) == ["doomed"])
      try commit(database, 1)
      #expect(database.oldestPins() == [])
      #expect(database.usage().pinned == 0)
      #expect(try database.audit().violations == [])
      // Nor does it prevent a compaction.
      guard case .compacted = try database.compact() else {
        Issue.record("nothing stood in the way")
        return
      }
    }
  }

  @Test("under the Realm preset a reader that was killed pins its version until all have closed")
  func killedReaderHeld() async throws {
    try await withTemporaryFolder { folder in
      let path = folder.appending("shared.db")
      let options = DatabaseOptions.realmCompatible
      let database = try Database.open(path: path, options: options)
      try commit(database, 40)
      let outcome = try await WriterProcess(file: path, seed: seed).runHolding(label: "doomed") {
        try commit(database, 30)
        kill($0, SIGKILL)
      }
      #expect(outcome.ending == .signalled(SIGKILL))
      let pinned = database.usage().pinned
      try commit(database, 3)
      #expect(database.oldestPins().map(\.label) == ["doomed"])
      #expect(pinned > 0 && database.usage().pinned >= pinned)
      #expect(try database.audit().violations == [])
      try database.close()
      let again = try Database.open(path: path, options: options)
      #expect(again.oldestPins() == [] && again.usage().pinned == 0)
      try again.close()
      #expect(try verify(path, "a dead reader") == 73)
    }
  }

  @Test("a reader whose process is stopped is reported as suspended")
  func suspendedReader() async throws {
    try await beside("background", commits: 10) { database, process in
      kill(process, SIGSTOP)
      // The signal is sent but perhaps not yet delivered.
      while database.oldestPins().first?.isSuspended != true { sched_yield() }
      #expect(database.oldestPins().map(\.process) == [process])
      kill(process, SIGCONT)
      while database.oldestPins().first?.isSuspended != false { sched_yield() }
      kill(process, SIGUSR1)
    } after: { _, outcome in
      #expect(outcome.ending.isSuccess, "\(outcome.outputText)\(outcome.errorText)")
    }
  }

  @Test(
    "compaction at launch is skipped while another process has the file, which it names, and done afterwards"
  )
  func launch() async throws {
    try await withTemporaryFolder { folder in
      let path = folder.appending("shared.db")
      let first = try Database.open(path: path)
      try commit(first, 10)
      try first.close()
      let helper = WriterProcess(file: path, seed: seed)
      let outcome = try await helper.runHolding(label: "there") { process in
        let database = try Database.open(path: path, compactOnLaunch: { _ in true })
        guard case .skipped(_, .openElsewhere(pid: process)) = database.launchOutcome else {
          Issue.record("\(database.launchOutcome)")
          return
        }
        try database.close()
        kill(process, SIGUSR1)
      }
      #expect(outcome.ending.isSuccess, "\(outcome.outputText)\(outcome.errorText)")
      let database = try Database.open(path: path, compactOnLaunch: { _ in true })
      guard case .compacted = database.launchOutcome else {
        Issue.record("\(database.launchOutcome)")
        return
      }
      try database.close()
    }
  }

  @Test(
    "a writer killed at any operation of a commit leaves the previous commit or its own, and the next writer continues"
  )
  func killedWriter() async throws {
    try await withTemporaryFolder { folder in
      let path = folder.appending("shared.db")
      let database = try Database.open(path: path)
      try commit(database, 40)
      let held = try database.beginSnapshot(label: "before all kills")
      let before = try held.rows()
      let helper = WriterProcess(file: path, seed: seed)
      var number = 40
      var survived = false
      var outcomes: Set<Int> = []
      for operation in 0..<60 where !survived {
        let outcome = try await helper.run(["die", String(operation)])
        survived = outcome.outputText.contains("survived")
        #expect(survived || outcome.ending == .signalled(SIGKILL), "\(outcome.outputText)")
        // The write lock is free, and the next writer recovers what the killed one left.
        try database.apply([])
        let found = try #require(NumberedCommits.number(in: try database.rows()))
        #expect(found == number || found == number + 1, "SEED=\(seed), operation \(operation)")
        #expect(try database.rows() == model(upTo: found), "SEED=\(seed), operation \(operation)")
        #expect(try database.audit().violations == [], "SEED=\(seed), operation \(operation)")
        #expect(try held.rows() == before)
        outcomes.insert(found - number)
        number = found
      }
      #expect(survived)
      #expect(outcomes == [0, 1], "a kill before the slot, and one behind it")
      held.end()
      #expect(try database.audit().violations == [])
      try database.close()
      #expect(try verify(path, "killed writers") == number)
    }
  }

  @Test(
    "a writer waits for the transaction of a process that was alone when it began it, until that commits or is killed",
    arguments: [SIGUSR1, SIGKILL])
  func joinedWriter(signal: Int32) async throws {
    try await withTemporaryFolder { folder in
      let path = folder.appending("shared.db")
      let first = try Database.open(path: path)
      try commit(first, 5)
      try first.close()
      let outcome = try await WriterProcess(file: path, seed: seed).runWriting { process in
        let database = try Database.open(path: path)
        let hasWritten = Atomic(false)
        let writer = try SystemThread.start(name: "writer") {
          #expect(throws: Never.self) { try database.apply([]) }
          hasWritten.store(true, ordering: .releasing)
        }
        Clock.sleep(untilNanoseconds: Clock.monotonicNanoseconds() + 50_000_000)
        let wroteBefore = hasWritten.load(ordering: .acquiring)
        #expect(!wroteBefore)
        kill(process, signal)
        writer.join()
        // Both write with the byte lock from now on, or the one that is left does.
        try database.apply([])
        #expect(try database.audit().violations == [])
        try database.close()
      }
      #expect(outcome.ending == (signal == SIGKILL ? .signalled(SIGKILL) : .exited(0)))
      #expect(try verify(path, "joined") == (signal == SIGKILL ? 5 : 6))
    }
  }

  @Test(
    "two processes that take turns writing make each transaction once, and lose no acknowledged commit"
  )
  func turns() async throws {
    try await withTemporaryFolder { folder in
      let path = folder.appending("shared.db")
      let helper = WriterProcess(file: path, seed: seed)
      async let first = helper.run(["turns", "150"])
      async let second = helper.run(["turns", "150"])
      let said = try await [first, second].flatMap { outcome in
        #expect(outcome.ending.isSuccess, "\(outcome.outputText)\(outcome.errorText)")
        return outcome.outputText.split(separator: "\n").compactMap { Int($0) }
      }
      #expect(said.sorted() == Array(1...300))
      #expect(try verify(path, "turns") == 300)
      #expect(try FileSystem.list(folder) == ["shared.db"])
    }
  }

  @Test(
    "while two of three writers are killed repeatedly the third continues, and no acknowledged commit is lost"
  )
  func killedTurns() async throws {
    try await withTemporaryFolder { folder in
      let path = folder.appending("shared.db")
      let helper = WriterProcess(file: path, seed: seed)
      let rounds = 8
      async let lasting = helper.run(["turns", "200"])
      let said = try await withThrowingTaskGroup(of: [Int].self) { group in
        for process in 0..<2 {
          group.addTask {
            var random = SeededRandom(seed: seed &+ UInt64(process))
            var said: [Int] = []
            for round in 0..<rounds {
              let run = try await helper.runAndKill(
                after: 1 + random.below(12), plusNanoseconds: UInt64(random.below(2_000_000)),
                ["turns", "1000000"])
              #expect(run.ending == .signalled(SIGKILL), "SEED=\(seed), round \(round)")
              said += run.said
            }
            return said
          }
        }
        return try await group.reduce(into: []) { $0 += $1 }
      }
      let outcome = try await lasting
      #expect(outcome.ending.isSuccess, "\(outcome.outputText)\(outcome.errorText)")
      let own = outcome.outputText.split(separator: "\n").compactMap { Int($0) }
      #expect(own.count == 200)
      let all = said + own
      #expect(Set(all).count == all.count, "SEED=\(seed): a number was made twice")
      let number = try verify(path, "killed turns")
      // A killed writer may have committed once more without reporting it.
      #expect(number >= all.max() ?? 0, "SEED=\(seed)")
      #expect((0...2 * rounds).contains(number - all.count), "SEED=\(seed)")
      print("killed turns: \(2 * rounds) kills, \(number) commits, seed \(seed)")
      #expect(try FileSystem.list(folder) == ["shared.db"])
    }
  }

  @Test(
    "four processes of random readers and writers agree on every version, and leave a sound file"
  )
  func soak() async throws {
    try await withTemporaryFolder { folder in
      let path = folder.appending("shared.db")
      let helper = WriterProcess(file: path, seed: seed)
      let seconds = getenv("SOAK_SECONDS").map { ["seconds", String(cString: $0)] } ?? []
      try await withThrowingTaskGroup(of: ChildProcess.Outcome.self) { group in
        for _ in 0..<4 {
          group.addTask {
            try await helper.run(["soak", "25", seconds.isEmpty ? "6" : "24"] + seconds)
          }
        }
        for try await outcome in group {
          #expect(
            outcome.ending.isSuccess, "SEED=\(seed): \(outcome.outputText)\(outcome.errorText)")
        }
      }
      let number = try verify(path, "soak")
      print("soak: \(number) commits, seed \(seed)")
      #expect(number > 0)
      #expect(try FileSystem.list(folder) == ["shared.db"])
    }
  }
}
