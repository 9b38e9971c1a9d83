// The threads of one process of a soak.
import Synchronization
import SystemIO

package enum SoakThreads {
  /// Runs `work` on so many threads at once, on this one where it is one. Returns the sum of what they did.
  ///
  /// Errors: the first that any of them throws, once all have ended.
  package static func run(
    _ count: Int, _ work: @escaping @Sendable (Int) throws -> SoakWorker.Tally
  ) throws -> SoakWorker.Tally {
    guard count > 1 else { return try work(0) }
    let sum = Mutex<Result<SoakWorker.Tally, any Error>>(.success(SoakWorker.Tally()))
    let threads = try (0..<count).map { number in
      try SystemThread.start(name: "soak \(number)") {
        let outcome = Result { try work(number) }
        sum.withLock { sum in
          sum = sum.flatMap { so in
            outcome.map { tally in
              var total = so
              total += tally
              return total
            }
          }
        }
      }
    }
    for thread in threads { thread.join() }
    return try sum.withLock { $0 }.get()
  }
}
