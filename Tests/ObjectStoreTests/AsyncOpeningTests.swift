// What an asynchronous opening leaves free while it compacts the file.
import Foundation
import SystemIO
import TestSupport
import Testing

@testable import ObjectStore

// One after the other: each needs the main actor.
@Suite("Asynchronous opening", .serialized)
struct AsyncOpeningTests {
  private func makeSparse(_ folder: RealmFolder) throws {
    let realm = try folder.open([Note.self])
    try realm.write {
      for order in 0..<20_000 {
        realm.create(
          Note.self, value: ["text": String(repeating: "x", count: 200), "order": order])
      }
    }
    try realm.write { realm.delete(realm.objects(Note.self).where { $0.order >= 10_000 }) }
  }

  /// The longest time between two turns of the main actor.
  @MainActor
  private final class StallMeter {
    private(set) var longest: UInt64 = 0
    private(set) var turns = 0
    private var last = Clock.monotonicNanoseconds()
    var isEnded = false

    func run() async {
      while !isEnded {
        turn()
        await Task.yield()
      }
      turn()
    }

    private func turn() {
      let now = Clock.monotonicNanoseconds()
      longest = max(longest, now &- last)
      last = now
      turns += 1
    }
  }

  @Test(
    "while an asynchronous opening compacts, the main actor goes on; a synchronous one stalls it for its duration"
  )
  @MainActor
  func compaction() async throws {
    let folder = try RealmFolder()
    try makeSparse(folder)
    // The opening waits, on its own thread, until the main actor has had a turn.
    let turn = DispatchSemaphore(value: 0)
    let meter = StallMeter()
    let measuring = Task { await meter.run() }
    do {
      let configuration = folder.configuration([Note.self]) {
        $0.shouldCompactOnLaunch = { _, _ in
          Task { @MainActor in turn.signal() }
          if turn.wait(timeout: HangGuard.waitEnd) == .timedOut {
            Issue.record("The main actor was blocked by the opening.")
          }
          return true
        }
      }
      let realm = try await Realm(configuration: configuration)
      guard case .compacted = realm.instance.coordinator.database.launchOutcome else {
        Issue.record("\(realm.instance.coordinator.database.launchOutcome)")
        return
      }
      #expect(realm.objects(Note.self).count == 10_000)
    }
    meter.isEnded = true
    await measuring.value
    #expect(meter.turns > 1)
    let began = Clock.monotonicNanoseconds()
    let compacts: (inout Realm.Configuration) -> Void = {
      $0.shouldCompactOnLaunch = { _, _ in true }
    }
    let open: () throws -> Realm = { try folder.open([Note.self], "test.realm", compacts) }
    #expect(try open().objects(Note.self).count == 10_000)
    let stall = Clock.monotonicNanoseconds() &- began
    print(
      "longest stall of the main actor: \(meter.longest / 1000) µs beside an asynchronous opening that compacts, "
        + "\(stall / 1000) µs for a synchronous one")
  }

  /// A file of which most is unused, on a disk whose next sync after the launch block waits for `release`.
  private final class HeldCompaction: Sendable {
    let configuration: Realm.Configuration
    private let isHolding = LockedValue(false)
    private let held = LockedValue(0)
    private let gate = DispatchSemaphore(value: 0)

    /// How often a sync of the compaction was held.
    var heldCount: Int { held.withLock { $0 } }

    init(_ folder: RealmFolder) throws {
      let volume = FaultyVolume()
      var configuration = folder.configuration([Note.self]) { $0.volume = volume }
      try Self.makeSparse(configuration)
      let isHolding = isHolding
      configuration.shouldCompactOnLaunch = { _, _ in
        isHolding.withLock { $0 = true }
        return true
      }
      self.configuration = configuration
      volume.beforeOperation = { [isHolding, held, gate] _, operation, _ in
        let isFirst = isHolding.withLock { isHolding in
          defer { if operation == .sync { isHolding = false } }
          return isHolding && operation == .sync
        }
        guard isFirst else { return }
        held.withLock { $0 += 1 }
        if gate.wait(timeout: HangGuard.waitEnd) == .timedOut {
          Issue.record("Nothing was done while the compaction was held.")
        }
      }
    }

    private static func makeSparse(_ configuration: Realm.Configuration) throws {
      let realm = try Realm(configuration: configuration)
      try realm.write {
        for order in 0..<2000 {
          realm.create(
            Note.self, value: ["text": String(repeating: "x", count: 200), "order": order])
        }
      }
      try realm.write { realm.delete(realm.objects(Note.self).where { $0.order >= 1000 }) }
    }

    func release() { gate.signal() }
  }

  @Test(
    "while the sync of an asynchronous compaction is held, the main actor takes any number of turns"
  )
  @MainActor
  func heldAsynchronously() async throws {
    let compaction = try HeldCompaction(try RealmFolder())
    let isOpen = LockedValue(false)
    let opening = Task { @MainActor in
      let realm = try await Realm(configuration: compaction.configuration)
      isOpen.withLock { $0 = true }
      return realm.objects(Note.self).count
    }
    while compaction.heldCount == 0, !isOpen.withLock({ $0 }) { await Task.yield() }
    for _ in 0..<1000 {
      await Task.yield()
      #expect(!isOpen.withLock { $0 })
    }
    compaction.release()
    #expect(try await opening.value == 1000)
    #expect(compaction.heldCount == 1)
  }

  @Test("while the sync of a synchronous compaction is held, the main actor takes no turn")
  @MainActor
  func heldSynchronously() async throws {
    let compaction = try HeldCompaction(try RealmFolder())
    let turns = LockedValue(0)
    let others = (0..<10).map { _ in
      Task { @MainActor in turns.withLock { $0 += 1 } }
    }
    // From a thread that is not of the task pool, once the compaction is held.
    Thread.detachNewThread {
      while compaction.heldCount == 0 { Thread.sleep(forTimeInterval: 0.001) }
      compaction.release()
    }
    let configuration = compaction.configuration
    let open: () throws -> Realm = { try Realm(configuration: configuration) }
    let realm = try open()
    #expect(turns.withLock { $0 } == 0)
    #expect(compaction.heldCount == 1)
    #expect(realm.objects(Note.self).count == 1000)
    for other in others { await other.value }
    #expect(turns.withLock { $0 } == 10)
  }
}
