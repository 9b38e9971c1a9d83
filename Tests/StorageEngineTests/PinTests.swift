// The exclusive bytes of a pin, as predicted by `oldestPins`, are exactly what ending it frees.
import SystemIO
import TestSupport
import Testing

@testable import StorageEngine

@Suite("Pins")
struct PinTests {
  private func churn(_ database: Database, _ random: inout SeededRandom) throws {
    let generation = random.below(1000)
    try database.write { transaction, table in
      for _ in 0..<1 + random.below(12) {
        let key = Int64(random.below(300))
        if random.oneIn(5) {
          _ = try transaction.delete(table, key)
        } else {
          try transaction.put(table, key, row(key, generation, count: random.below(400)))
        }
      }
    }
  }

  @Test(
    "ending any pin frees exactly its exclusive bytes, also beside another pin of its version",
    arguments: [DatabaseOptions.Reclamation.exact, .oldestReader])
  func exclusiveIsExact(_ reclamation: DatabaseOptions.Reclamation) throws {
    let bench = try Workbench()
    var random = SeededRandom(seed: testSeed())
    let database = try bench.open(
      "data", DatabaseOptions(durability: .none, reclamation: reclamation))
    var held: [String: Snapshot] = [:]
    var (sole, none) = (0, 0)
    for step in 0..<600 {
      try churn(database, &random)
      for twin in 0..<random.below(3) {
        held["\(step).\(twin)"] = try database.beginSnapshot(label: "\(step).\(twin)")
      }
      while held.count > 12 || random.oneIn(3), !held.isEmpty {
        let pins = database.oldestPins()
        #expect(pins.count == held.count)
        #expect(pins.map(\.version) == pins.map(\.version).sorted())
        let pin = pins[random.below(pins.count)]
        let snapshot = try #require(held[pin.label])
        held[pin.label] = nil
        #expect(pin.version == snapshot.version)
        let before = database.usage()
        snapshot.end()
        let after = database.usage()
        #expect(after.free - before.free == pin.exclusive, "seed \(random.seed), step \(step)")
        #expect(before.pinned - after.pinned == pin.exclusive, "seed \(random.seed), step \(step)")
        #expect(pin.retained <= before.pinned)
        if pin.exclusive > 0 { sole += 1 } else { none += 1 }
      }
    }
    #expect(sole > 20 && none > 20, "seed \(random.seed): \(sole) and \(none)")
    try database.checkedAudit()
  }

  @Test("bytes that two pins retain are shared until one of them ends, and then exclusive")
  func sharedBecomesExclusive() throws {
    let bench = try Workbench()
    let database = try bench.open()
    try database.write { transaction, table in
      for key in Int64(0)..<100 { try transaction.put(table, key, row(key, 0, count: 200)) }
    }
    let first = try database.beginSnapshot(label: "first")
    let second = try database.beginSnapshot(label: "second")
    #expect(database.oldestPins().map(\.retained) == [0, 0])
    try database.write { transaction, table in
      for key in Int64(0)..<100 { try transaction.put(table, key, row(key, 1, count: 200)) }
    }
    let pinned = database.usage().pinned
    #expect(pinned > 100 * 200)
    #expect(database.oldestPins().map(\.exclusive) == [0, 0])
    #expect(database.oldestPins().map(\.shared) == [pinned, pinned])
    first.end()
    #expect(database.oldestPins().map(\.label) == ["second"])
    #expect(database.oldestPins().map(\.exclusive) == [pinned])
    second.end()
    #expect(database.oldestPins() == [])
  }

  @Test("a pin reports its process, thread and start time, and a refresh makes it younger")
  func names() throws {
    let bench = try Workbench()
    let database = try bench.open()
    let before = (Clock.monotonicNanoseconds(), Clock.wallNanoseconds())
    let snapshot = try database.beginSnapshot(label: "list of orders")
    let pin = try #require(database.oldestPins().first)
    #expect(pin.label == "list of orders")
    #expect(pin.version == snapshot.version)
    #expect(pin.process == SystemThread.currentProcess)
    #expect(pin.thread == SystemThread.currentID)
    let began = try #require(pin.beganMonotonic)
    #expect(began >= before.0 && began <= Clock.monotonicNanoseconds())
    // The wall clock may be set back during the test, so only its plausibility is checked.
    #expect(pin.beganWall > 1_500_000_000_000_000_000)
    try database.write { transaction, table in try transaction.put(table, 1, [1]) }
    try snapshot.refresh()
    let refreshed = try #require(database.oldestPins().first)
    #expect(refreshed.version == pin.version + 1)
    #expect(try #require(refreshed.beganMonotonic) > began)
    snapshot.end()
    try database.close()
    #expect(database.oldestPins() == [])
  }

  @Test(
    "a commit beyond the limit on versions is refused with a list of pins, and succeeds later"
  )
  func versionLimit() throws {
    let bench = try Workbench()
    var options = Workbench.fast
    options.maximumNumberOfActiveVersions = 3
    let database = try bench.open("data", options)
    func write(_ generation: Int) throws {
      try database.write { transaction, table in
        try transaction.put(table, 1, row(1, generation, count: 100))
      }
    }
    try write(0)
    let first = try database.beginSnapshot(label: "list of orders")
    let twin = try database.beginSnapshot(label: "twin")
    try write(1)
    let second = try database.beginSnapshot(label: "search")
    try write(2)
    let third = try database.beginSnapshot(label: "export")
    let before = (database.version, database.usage(), database.bytesWritten)
    let refused = #expect(throws: StorageError.self) { try write(3) }
    #expect(refused?.code == .tooManyVersions)
    for word in [
      "4 versions", "is 3", "\"list of orders\"", "\"twin\"", "\"search\"", "\"export\"",
    ] {
      #expect(refused?.message.contains(word) == true, "\(word): \(refused?.message ?? "")")
    }
    #expect((database.version, database.usage(), database.bytesWritten) == before)
    #expect(try third.value(try #require(third.table("rows")), 1) == row(1, 2, count: 100))
    // Another pin still holds the version.
    first.end()
    #expect(throws: StorageError.self) { try write(3) }
    twin.end()
    try write(3)
    second.end()
    third.end()
    try database.checkedAudit()
  }
}
