// The claims of writers beside clients that are due.
import SystemIO
import TestSupport
import Testing

@testable import WorkloadRunner

@Suite("The commits of a phase")
struct CommitCounterTests {
  /// What happened, in order.
  private final class Log: @unchecked Sendable {
    private let lock = ThreadMutex()
    private var entries: [String] = []

    func add(_ entry: String) { lock.withLock { entries.append(entry) } }
    var all: [String] { lock.withLock { entries } }
  }

  private func claimBeside(
    done: Int, waits: Bool = true, _ release: (CommitCounter) -> Void
  ) throws -> [String] {
    let counter = CommitCounter(start: 0, limit: 1000)
    counter.expect("reader", at: 10)
    counter.advance(to: done)
    let log = Log()
    let thread = try SystemThread.start(name: "writer") {
      log.add(counter.claim(waits: waits) ? "claimed" : "ended")
    }
    // Long enough for a claim that does not wait; one that waits is not changed by it.
    Clock.sleep(untilNanoseconds: Clock.monotonicNanoseconds() + 200_000_000)
    log.add("acted")
    release(counter)
    thread.join()
    return log.all
  }

  @Test("a writer waits for a client that is due for more than 32 commits, until it has acted")
  func waits() throws {
    #expect(
      try claimBeside(done: 43) { $0.expect("reader", at: 53) } == ["acted", "claimed"])
    #expect(try claimBeside(done: 43) { $0.expect("reader", at: nil) } == ["acted", "claimed"])
  }

  @Test("a client that is due for less holds back no writer, and one that is behind no open loop")
  func runsOn() throws {
    let counter = CommitCounter(start: 0, limit: 2)
    counter.expect("reader", at: 10)
    counter.advance(to: 42)
    #expect(counter.claim())
    counter.advance(to: 43)
    #expect(counter.claim(waits: false))
    // All are claimed: there is nothing to wait for.
    #expect(!counter.claim())
  }

  @Test("a writer that waits goes on to the end if the client fails")
  func failure() throws {
    #expect(
      try claimBeside(done: 43) { $0.fail(RunnerError("broken")) } == ["acted", "ended"])
  }

  @Test(
    "a client that waits for a later count than it announced before holds back no writer",
    .timeLimit(.minutes(HangGuard.minutes)))
  func changedDue() throws {
    let counter = CommitCounter(start: 0, limit: 1000)
    counter.expect("reader", at: 10)
    counter.advance(to: 43)
    let reader = try SystemThread.start(name: "reader") {
      _ = counter.wait(for: 60, announcedAs: "reader")
    }
    #expect(counter.claim())
    counter.end()
    reader.join()
  }
}
