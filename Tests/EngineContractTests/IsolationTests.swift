// A snapshot sees one version, wherever it is used and whatever is committed meanwhile.
import EngineInterface
import SystemIO
import TestSupport
import Testing

@Suite("Every engine isolates snapshots")
struct IsolationTests {
  @Test(
    "a snapshot that has read nothing yet sees the version of its beginning",
    arguments: EngineUnderTest.all)
  func pinnedAtBegin(_ test: EngineUnderTest) throws {
    try test.withSession { session, _ in
      try session.write { try $0.put(1, [1]) }
      let snapshot = try session.beginSnapshot(label: "pin")
      try session.write { try $0.put(1, [2]) }
      try #expect(snapshot.value(1) == [1])
      snapshot.end()
      snapshot.end()
    }
  }

  @Test(
    "a snapshot keeps its version over many commits; refresh moves it",
    arguments: EngineUnderTest.all)
  func refresh(_ test: EngineUnderTest) throws {
    var workload = Workload(seed: testSeed(5))
    try test.withSession { session, _ in
      for _ in 0..<20 { try workload.commit(session, operations: 30) }
      let snapshot = try session.beginSnapshot(label: "holder")
      for _ in 0..<4 {
        let pinned = workload.rows()
        for _ in 0..<60 {
          try workload.commit(session, operations: 30)
        }
        try #expect(snapshot.rows() == pinned, "\(workload.seedText)")
        try #expect(snapshot.count(0) == pinned.count)
        try snapshot.refresh()
        try #expect(snapshot.rows() == workload.rows(), "\(workload.seedText)")
      }
      snapshot.end()
    }
  }

  @Test(
    "a snapshot that a thread renews holds nothing in between, sees the newest version each time, and is one to end",
    arguments: EngineUnderTest.all)
  func renewed(_ test: EngineUnderTest) throws {
    try test.withSession { session, _ in
      try session.write { try $0.put(1, [1]) }
      let snapshot = try session.beginSnapshot(label: "thread")
      defer { snapshot.end() }
      guard let renewable = snapshot as? any RenewableSnapshot else { return }
      for round in UInt8(2)...20 {
        renewable.reset()
        renewable.reset()
        for _ in 0..<5 { try session.write { try $0.put(1, [round]) } }
        // Nothing is held back for it: as many bytes as without it, or the engine does not report them.
        #expect(try session.spaceUsage().pinned ?? .zero == .zero, "round \(round)")
        try renewable.refresh()
        #expect(try renewable.value(1) == [round])
        try session.write { try $0.put(1, [0]) }
        #expect(try renewable.value(1) == [round])
      }
      renewable.reset()
      #expect(throws: EngineError.self) { try session.close() }
      renewable.end()
    }
  }

  @Test(
    "a hundred snapshots see their hundred versions, ended in any order",
    arguments: EngineUnderTest.all)
  func manySnapshots(_ test: EngineUnderTest) throws {
    var workload = Workload(seed: testSeed(7))
    var random = SeededRandom(seed: testSeed(8))
    workload.keys = 40
    try test.withSession { session, _ in
      var held: [(snapshot: any EngineSnapshot, rows: [Row])] = []
      for index in 0..<100 {
        try workload.commit(session, operations: 8)
        held.append((try session.beginSnapshot(label: "\(index)"), workload.rows()))
      }
      while !held.isEmpty {
        let (snapshot, rows) = held.remove(at: random.below(held.count))
        try #expect(snapshot.rows() == rows, "\(workload.seedText)")
        snapshot.end()
        try workload.commit(session, operations: 8)
      }
    }
  }

  @Test(
    "a snapshot may be used and ended on another thread than it began on",
    arguments: EngineUnderTest.all)
  func otherThread(_ test: EngineUnderTest) throws {
    try test.withSession { session, _ in
      try session.write { try $0.put(1, [1]) }
      let snapshot = try session.beginSnapshot(label: "traveller")
      try session.write { try $0.put(1, [2]) }
      let seen = Answer()
      let thread = try SystemThread.start(name: "reader") {
        seen.set { try snapshot.value(1) }
        snapshot.end()
      }
      thread.join()
      try #expect(seen.get() == [1])
      // And several began on one thread and lived on it at once.
      let second = try session.beginSnapshot(label: "second")
      let third = try session.beginSnapshot(label: "third")
      try #expect(second.value(1) == third.value(1))
      second.end()
      third.end()
    }
  }

  @Test(
    "readers on threads see whole commits while a writer goes on", arguments: EngineUnderTest.all)
  func concurrentReaders(_ test: EngineUnderTest) throws {
    let keys: Int64 = 64
    let commits = 400
    try test.withSession { session, _ in
      try session.write { transaction in
        for key in 0..<keys { try transaction.put(key, [UInt8](repeating: 0, count: 200)) }
      }
      let finished = Flag()
      let answers = (0..<3).map { _ in Answer() }
      let threads = try answers.map { answer in
        try SystemThread.start(name: "reader") {
          answer.set {
            var last: [UInt8]?
            repeat {
              try session.read { snapshot in
                let rows = try snapshot.rows()
                let stamps = Set(rows.map { Array($0.value.prefix(4)) })
                if rows.count != keys || stamps.count != 1 { throw HalfCommit(stamps: stamps) }
                last = stamps.first
              }
            } while !finished.isSet
            return last
          }
        }
      }
      for commit in 1...commits {
        let stamp = withUnsafeBytes(of: UInt32(commit)) { Array($0) }
        let value = stamp + [UInt8](repeating: UInt8(commit % 251), count: 200)
        try session.write { transaction in
          for key in 0..<keys { try transaction.put(key, value) }
        }
      }
      finished.set()
      for thread in threads { thread.join() }
      for answer in answers { try #expect(answer.get() != nil) }
    }
  }

  @Test("two writers take turns and lose nothing", arguments: EngineUnderTest.all)
  func writersTakeTurns(_ test: EngineUnderTest) throws {
    let increments = 200
    try test.withSession { session, _ in
      try session.write { try $0.put(0, [0, 0]) }
      let answers = (0..<2).map { _ in Answer() }
      let threads = try answers.map { answer in
        try SystemThread.start(name: "writer") {
          answer.set {
            for _ in 0..<increments {
              try session.write { transaction in
                let old = try transaction.value(0) ?? []
                let sum = Int(old[0]) + 256 * Int(old[1]) + 1
                try transaction.put(0, [UInt8(sum % 256), UInt8(sum / 256)])
              }
            }
            return nil
          }
        }
      }
      for thread in threads { thread.join() }
      for answer in answers { try #expect(answer.get() == nil) }
      let sum = 2 * increments
      try #expect(session.read { try $0.value(0) } == [UInt8(sum % 256), UInt8(sum / 256)])
    }
  }
}

/// A reader saw rows of several commits.
struct HalfCommit: Error { let stamps: Set<[UInt8]> }

/// What a thread found, or the error that stopped it.
final class Answer: @unchecked Sendable {
  private let mutex = ThreadMutex()
  private var result: Result<[UInt8]?, any Error> = .success(nil)

  func set(_ body: () throws -> [UInt8]?) {
    let found = Result { try body() }
    mutex.withLock { result = found }
  }

  func get() throws -> [UInt8]? { try mutex.withLock { result }.get() }
}

/// Set once, seen by all threads.
final class Flag: @unchecked Sendable {
  private let mutex = ThreadMutex()
  private var value = false

  var isSet: Bool { mutex.withLock { value } }
  func set() { mutex.withLock { value = true } }
}
