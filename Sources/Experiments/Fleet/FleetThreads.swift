// A simulation on several threads: each takes the next block of devices until there is none. Counts are whole numbers, so
// which thread walks which device leaves no trace.
package import FleetModel
package import SystemIO

extension FleetSimulation {
  private static let blockLength = 256

  /// Walks the devices of these numbers on so many threads; nil where a stop was requested. `progress` is called with the
  /// number of devices that are done.
  package func run(
    devices: Range<Int>, threads: Int, cancellation: Cancellation?,
    progress: @escaping @Sendable (Int) -> Void
  ) -> [PolicyTally]? {
    let state = Guarded(Progress(tallies: emptyTallies, devices: devices))
    let work: @Sendable () -> Void = {
      var own = emptyTallies
      while cancellation?.isRequested != true {
        let block = state.withLock { $0.take(Self.blockLength) }
        guard let block else { break }
        add(block, to: &own)
        progress(state.withLock { $0.end(block.count) })
      }
      state.withLock { FleetSimulation.merge(own, into: &$0.tallies) }
    }
    let helpers = (1..<max(2, threads)).prefix(threads - 1).compactMap { number in
      try? SystemThread.start(name: "devices \(number)", work)
    }
    work()
    for helper in helpers { helper.join() }
    return cancellation?.isRequested == true ? nil : state.withLock { $0.tallies }
  }
}

private struct Progress {
  var tallies: [PolicyTally]
  private var left: Range<Int>
  private var done = 0

  init(tallies: [PolicyTally], devices: Range<Int>) {
    (self.tallies, left) = (tallies, devices)
  }

  mutating func take(_ length: Int) -> Range<Int>? {
    guard !left.isEmpty else { return nil }
    let block = left.prefix(length)
    left = left.dropFirst(length)
    return block
  }

  mutating func end(_ devices: Int) -> Int {
    done += devices
    return done
  }
}
