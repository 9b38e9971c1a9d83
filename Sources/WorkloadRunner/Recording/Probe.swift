// Looks how long others wait: a thread that does an operation at each of its times, whatever became of those before, and
// keeps how long each took from its intended time and from its beginning. Threads schedule only: on the virtual clock
// nothing takes time.
import EngineInterface
import SystemIO

final class Probe: @unchecked Sendable {
  struct Operation {
    var late: UInt64
    var intended: UInt64
    var service: UInt64
  }

  /// What is done each time. Used by the probe's thread alone.
  typealias Work = () throws -> Void

  private let name: String
  private let ratePerSecond: Double
  private let recorder: Recorder
  private let lock = ThreadMutex()
  private let changed = ThreadCondition()
  private var isBegun: Bool
  private var isStopped = false
  private var operations: [Operation] = []
  private var failures = 0
  private var firstFailure: String?
  private var thread: SystemThread?

  /// `prepare` is called at once on the probe's thread; what it answers is done at its times, which begin now or, where it
  /// waits, with `begin`.
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
      } catch { failed(error) }
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
    // Once at least, however soon it is stopped.
    repeat {
      let due = begin + UInt64(Double(count) * gap)
      count += 1
      Clock.wait(untilNanoseconds: due)
      let start = Clock.monotonicNanoseconds()
      do { try work() } catch { failed(error) }
      let end = Clock.monotonicNanoseconds()
      operations.append(
        Operation(late: start - min(start, due), intended: end - due, service: end - start))
    } while !lock.withLock({ isStopped })
  }

  private func failed(_ error: any Error) {
    failures += 1
    if firstFailure == nil { firstFailure = "\(error)" }
  }

  /// Ends it after the operation that it is in, and enters what it saw in the record.
  func stop() {
    lock.withLock {
      isStopped = true
      changed.broadcast()
    }
    thread?.join()
    thread = nil
    recorder.keptSchedule(name, perSecond: ratePerSecond, operations)
    if let firstFailure {
      recorder.tell(
        "\(name): \(failures) of \(operations.count) operations were refused, the first: \(firstFailure)"
      )
    }
  }
}
