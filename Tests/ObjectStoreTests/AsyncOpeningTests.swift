// What an asynchronous opening leaves free while it compacts the file.
import Foundation
import SystemIO
import Testing

@testable import ObjectStore

@Suite("Asynchronous opening")
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
          if turn.wait(timeout: .now() + 20) == .timedOut {
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
}
