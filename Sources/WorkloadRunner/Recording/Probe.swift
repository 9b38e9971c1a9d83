// Measures how long others wait: a thread carries out an operation at each of its scheduled times, whether or not earlier
// ones were late, and records how long each took from its scheduled time and from its beginning. Threads schedule only: on
// the virtual clock nothing takes time.
import EngineInterface
import SystemIO

final class Probe: @unchecked Sendable {
  /// The operation. Called only on the probe's thread.
  typealias Work = () throws -> Void

  private let name: String
  private let ratePerSecond: Double
  private let recorder: Recorder
  private let lock = ThreadMutex()
  private let changed = ThreadCondition()
  private var isBegun: Bool
  private var isStopped = false
  private var operations: [OpenLoopOperation] = []
  private var failures = 0
  private var firstFailure: String?
  private var thread: SystemThread?

  /// Calls `prepare` at once on the probe's thread. The operation that `prepare` returns is carried out at its times, which
  /// start now or, with `waits`, at the call of `begin`.
  init(
    _ name: String, perSecond ratePerSecond: Double, waits: Bool, _ recorder: Recorder,
    _ prepare: @escaping () throws -> (work: Work, end: () throws -> Void)
  ) throws {
    self.name = name
    self.ratePerSecond = ratePerSecond
    self.recorder = recorder
    isBegun = !waits
    nonisolated(unsafe) let prepare = prepare
    thread = try SystemThread.start(name: "probe") { [self] in
      do {
        let (work, end) = try prepare()
        operate(work)
        try end()
      } catch { addFailure(error) }
    }
  }

  func begin() {
    lock.withLock {
      isBegun = true
      changed.broadcast()
    }
  }

  private func operate(_ work: Work) {
    let begins = lock.withLock {
      while !isBegun, !isStopped { changed.wait(lock) }
      return isBegun
    }
    guard begins else { return }
    let begin = Clock.monotonicNanoseconds()
    let gap = 1e9 / ratePerSecond
    var count = 0
    // At least once, however soon the probe is stopped.
    repeat {
      let due = begin + UInt64(Double(count) * gap)
      count += 1
      Clock.wait(untilNanoseconds: due)
      let start = Clock.monotonicNanoseconds()
      do { try work() } catch { addFailure(error) }
      let end = Clock.monotonicNanoseconds()
      operations.append(
        OpenLoopOperation(
          end: end, delay: start - min(start, due), intended: end - due, service: end - start))
    } while !lock.withLock({ isStopped })
  }

  private func addFailure(_ error: any Error) {
    failures += 1
    if firstFailure == nil { firstFailure = "\(error)" }
  }

  /// Stops the probe after its current operation, and records its figures.
  func stop() {
    lock.withLock {
      isStopped = true
      changed.broadcast()
    }
    thread?.join()
    thread = nil
    recorder.record(openLoop: operations, perSecond: ratePerSecond, of: name)
    if let firstFailure {
      recorder.annotateNextSample(
        "\(name): \(failures) of \(operations.count) operations were refused, the first: \(firstFailure)"
      )
    }
  }
}
