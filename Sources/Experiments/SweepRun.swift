// Carries out a sweep: the cells of all points, several at a time. Of each run the record is retained and not its samples,
// since a sweep may have many thousands of them.
package import RecordModel
package import RunJournal
package import SystemIO

package struct SweepRun: Sendable {
  private let plan: SweepPlan
  private let runs: [ExperimentRun]
  private let jobs: Int

  package init(_ plan: SweepPlan, executable: FilePath, workFolder: FilePath, jobs: Int) {
    self.plan = plan
    self.jobs = jobs
    runs = plan.groups.map {
      ExperimentRun($0, executable: executable, workFolder: workFolder, jobs: [.stepped: jobs])
    }
  }

  package struct Outcome: Sendable {
    /// The cells of each group.
    package var cells: [[CellRecord]]
    package var interrupted = false
    /// Why a result could not be added to the journal, which ended the sweep; nil if all were.
    package var journalFailure: SystemError?
  }

  /// Runs until all is done or a stop is requested, and returns the results so far.
  package func run(
    journal: Journal, cancellation: Cancellation?,
    progress: @escaping @Sendable (RunProgress) -> Void
  ) -> Outcome {
    let queue = SweepQueue(plan, journal, cancellation, progress)
    journal.begin(maxWaiting: jobs)
    let helpers = (1..<max(2, jobs)).prefix(jobs - 1).compactMap { number in
      try? SystemThread.start(name: "cell \(number)") { serve(queue, cancellation, progress) }
    }
    serve(queue, cancellation, progress)
    for helper in helpers { helper.join() }
    return queue.outcome()
  }

  private func serve(
    _ queue: SweepQueue, _ cancellation: Cancellation?,
    _ progress: @escaping @Sendable (RunProgress) -> Void
  ) {
    while let (group, planned) = queue.next() {
      let result = Result {
        try Self.withoutSamples(try runs[group].run(planned, cancellation, progress))
      }
      queue.end(group, planned, result)
    }
  }

  private static func withoutSamples(_ output: CellOutput) throws -> CellOutput {
    var result = output.result
    (result.samples, result.timings) = ([], [])
    return try CellOutput(result)
  }
}

/// The runs of a sweep, distributed one by one, and their results. Safe to use from many threads.
private final class SweepQueue: @unchecked Sendable {
  private let lock = ThreadMutex()
  private let cancellation: Cancellation?
  private let progress: @Sendable (RunProgress) -> Void
  private let journal: Journal
  private let total: Int
  private var order: [(group: Int, run: PlannedRun)] = []
  private var first = 0
  private var done = 0
  private var cells: [[CellRecord]]
  private var indexes: [[CellKey: Int]]

  init(
    _ plan: SweepPlan, _ journal: Journal, _ cancellation: Cancellation?,
    _ progress: @escaping @Sendable (RunProgress) -> Void
  ) {
    self.journal = journal
    self.cancellation = cancellation
    self.progress = progress
    total = plan.runCount
    cells = plan.groups.map(\.cells)
    indexes = cells.map { cells in
      Dictionary(uniqueKeysWithValues: cells.enumerated().map { ($1.key, $0) })
    }
    for (group, plan) in plan.groups.enumerated() {
      for planned in plan.parts.flatMap(\.runs) {
        if let result = journal.takeResult(of: planned.journalRun(point: group)) {
          add(result, group, planned)
        } else {
          order.append((group, planned))
        }
      }
    }
  }

  private var isStopped: Bool {
    cancellation?.isRequested == true || journal.failure != nil
  }

  private func add(_ result: RepetitionResult, _ group: Int, _ planned: PlannedRun) {
    done += 1
    guard let index = indexes[group][planned.cell] else { return }
    cells[group][index].repetitions.append(result.record)
  }

  /// Returns the next run; nil after the last one or a requested stop.
  func next() -> (group: Int, run: PlannedRun)? {
    lock.withLock {
      while first < order.count, hasFailed(order[first]) {
        first += 1
        done += 1
      }
      guard first < order.count, !isStopped else { return nil }
      first += 1
      let (group, planned) = order[first - 1]
      progress(
        .began(planned.cell, repetition: planned.repetition, done: done, total: total))
      return (group, planned)
    }
  }

  private func hasFailed(_ run: (group: Int, run: PlannedRun)) -> Bool {
    guard let index = indexes[run.group][run.run.cell] else { return false }
    if case .failed = cells[run.group][index].status { return true }
    return false
  }

  func end(_ group: Int, _ planned: PlannedRun, _ result: Result<CellOutput, any Error>) {
    if case .success(let output) = result {
      // A failure is the journal's own, and ends the sweep.
      try? journal.append(planned.journalRun(point: group), resultJSON: output.json)
    }
    lock.withLock {
      switch result {
      case .success(let output):
        add(output.result, group, planned)
        progress(
          .ended(planned.cell, repetition: planned.repetition, done: done, total: total))
      case .failure where cancellation?.isRequested == true: break
      case .failure(let error):
        done += 1
        if let index = indexes[group][planned.cell] {
          cells[group][index].status = .failed(reason: "\(error)")
        }
        progress(.failed(planned.cell, reason: "\(error)"))
      }
    }
  }

  /// Returns the results when they are durable. Called when no run is running.
  func outcome() -> SweepRun.Outcome {
    lock.withLock {
      for group in cells.indices {
        for index in cells[group].indices {
          cells[group][index].repetitions.sort { $0.index < $1.index }
        }
      }
      return SweepRun.Outcome(
        cells: cells, interrupted: cancellation?.isRequested == true,
        journalFailure: journal.finish())
    }
  }
}
