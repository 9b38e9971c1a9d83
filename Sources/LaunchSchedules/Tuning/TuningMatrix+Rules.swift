// What a rule comes to on a matrix, by look-ups: a search does this a million times.

/// What a rule comes to on matrices.
package struct TuningScore: Hashable, Sendable {
  package var cost = 0.0
  /// The number of matrices on which a limit is exceeded.
  package var violations = 0

  package static func < (a: Self, b: Self) -> Bool {
    (a.violations, a.cost) < (b.violations, b.cost)
  }

  static func += (sum: inout Self, score: Self) {
    sum.cost += score.cost
    sum.violations += score.violations
  }
}

extension TuningMatrix {
  /// Adds what the rule costs.
  @inline(__always)
  func add(to score: inout TuningScore, _ compacts: (_ total: Double, _ used: Double) -> Bool) {
    let run = slots.withUnsafeBufferPointer { slots in
      launches.withUnsafeBufferPointer { launches in
        var run = Run()
        for index in launches.indices {
          let slot = slots[run.state &* launches.count &+ index]
          let isCompacted = slot.total >= 0 && compacts(slot.total, slot.used)
          run.pass(index, launches, slots, compacts: isCompacted)
        }
        return run
      }
    }
    run.add(to: &score, limits)
  }

  /// Adds what a rule with memory costs.
  @inline(__always)
  func add(
    to score: inout TuningScore,
    remembering compacts: (_ memory: RuleMemory, _ used: Double) -> Bool
  ) {
    let run = slots.withUnsafeBufferPointer { slots in
      launches.withUnsafeBufferPointer { launches in
        var run = Run()
        var memory = RuleMemory()
        for index in launches.indices {
          let slot = slots[run.state &* launches.count &+ index]
          guard !launches[index].isInBackground else {
            run.pass(index, launches, slots, compacts: false)
            continue
          }
          memory.arrive(
            at: launches[index], wasted: slot.total >= 0 ? slot.total - slot.used : 0)
          let isCompacted = run.pass(
            index, launches, slots, compacts: slot.total >= 0 && compacts(memory, slot.used))
          if isCompacted { memory.forget(at: launches[index]) }
        }
        return run
      }
    }
    run.add(to: &score, limits)
  }

  /// A run by look-ups.
  private struct Run {
    var state = 0
    var cost = 0.0
    var highWater = 0.0
    var rewritten = 0.0
    var peakDisk = 0.0
    var longestLaunch = 0.0

    /// Goes through a launch; returns whether it was compacted, which is not possible at each.
    @inline(__always) @discardableResult
    mutating func pass(
      _ index: Int, _ launches: UnsafeBufferPointer<Launch>, _ slots: UnsafeBufferPointer<Slot>,
      compacts: Bool
    ) -> Bool {
      let next = launches[index].state
      let isCompacted = compacts && next > 0
      let before = slots[state &* launches.count &+ index]
      longestLaunch = max(longestLaunch, isCompacted ? before.compacting : before.opening)
      if isCompacted {
        peakDisk = max(peakDisk, before.copyDisk)
        cost += before.blockedCost
        state = next
      }
      let slot = slots[state &* launches.count &+ index]
      cost += slot.cost
      highWater = max(highWater, slot.highWater)
      rewritten += slot.rewritten
      return isCompacted
    }

    @inline(__always)
    func add(to score: inout TuningScore, _ limits: ScheduleLimits) {
      score.cost += cost
      let isExceeded =
        limits.highWater.map { highWater > Double($0) } ?? false
        || limits.peakDisk.map { max(highWater, peakDisk) > Double($0) } ?? false
        || limits.longestLaunch.map { longestLaunch > Double($0) } ?? false
        || limits.rewritten.map { rewritten > Double($0) } ?? false
      if isExceeded { score.violations += 1 }
    }
  }
}

/// What an app remembers between launches, as the variables `launchesSinceCompaction` and so on have it.
struct RuleMemory {
  private(set) var launches = 0.0
  private(set) var seconds = 0.0
  /// Byte-seconds.
  private(set) var waste = 0.0
  private var compaction = 0.0

  fileprivate mutating func arrive(at launch: TuningMatrix.Launch, wasted: Double) {
    launches += 1
    seconds = launch.time - compaction
    waste += wasted * launch.span
  }

  fileprivate mutating func forget(at launch: TuningMatrix.Launch) {
    compaction = launch.time
    (launches, waste) = (0, 0)
  }
}
