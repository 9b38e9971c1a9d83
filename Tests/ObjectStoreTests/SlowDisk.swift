// A disk on which a test decides when a sync ends.
import Foundation
import StorageEngine
import TestSupport
import Testing

@testable import ObjectStore

/// A file whose syncs can be held up, and realms in it.
final class SlowDisk: Sendable {
  let realms: DatabaseRealms
  private let state = LockedValue((isHolding: false, isHeld: false))
  private let gate = DispatchSemaphore(value: 0)
  private let file: FaultyStorageFile

  init() throws {
    file = FaultyStorageFile()
    realms = try DatabaseRealms(
      Database.open(file: file), name: "slow", classes: [(Note.self, "Note")])
    file.beforeSync = { [state, gate] _ in
      guard state.withLock({ $0.isHolding }) else { return }
      state.withLock { $0.isHeld = true }
      if gate.wait(timeout: HangGuard.waitEnd) == .timedOut {
        Issue.record("The actor did nothing while the commit was synced.")
      }
      // That it was held stays known, so that a test that comes to look for it after the limit does not wait for ever.
      state.withLock { $0.isHolding = false }
    }
  }

  func hold() { state.withLock { $0 = (isHolding: true, isHeld: false) } }
  func release() { gate.signal() }

  /// Ends the sync after a moment, from a thread that is not of the task pool, whose threads may all be blocked.
  func releaseSoon() {
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(20)) { self.release() }
  }

  /// Returns once a sync is held up.
  func waitUntilHeld() async throws {
    while !state.withLock({ $0.isHeld }) { try await Task.sleep(nanoseconds: 1_000_000) }
  }

  func failNextSync() { file.fail(.sync, code: 5) }

  var database: Database { realms.database }
}
