// Carries out a sweep: the cells of all points, several at a time. Of each run the record is retained and not its samples,
// since a sweep may have many thousands of them; the measurement of a fleet, which has some hundreds, retains both.
package import RecordModel
package import RunJournal
package import SystemIO

package struct SweepRun: Sendable {
  private let plan: SweepPlan
  private let runs: [ExperimentRun]
  private let jobs: Int
  private let workFolder: FilePath
  private let keepsSamples: Bool

  package init(
    _ plan: SweepPlan, executable: FilePath, workFolder: FilePath, jobs: Int,
    keepsSamples: Bool = false
  ) {
    self.plan = plan
    self.jobs = jobs
    self.keepsSamples = keepsSamples
    self.workFolder = workFolder
    runs = plan.groups.map {
      ExperimentRun($0, executable: executable, workFolder: workFolder, jobs: [.stepped: jobs])
    }
  }

  package struct Outcome: Sendable {
    /// The cells of each group.
    package var cells: [[CellRecord]]
    /// The rows of each group's runs, where they are retained.
    package var samples: [[CellRows<Sample>]] = []
    package var interrupted = false
    /// Why a result could not be added to the journal, which ended the sweep; nil if all were.
    package var journalFailure: SystemError?

    /// Why runs that all were to end failed, each with its engine; empty if none did.
    var failures: [String] {
      cells.joined().compactMap { cell in
        switch cell.status {
        case .measured: cell.repetitions.isEmpty ? "\(cell.key.engine): not run" : nil
        case .failed(let reason), .unavailable(let reason), .notApplicable(let reason):
          "\(cell.key.engine): \(reason)"
        }
      }
    }

    /// The digests of all rows, in the order of the runs.
    var digests: [String] {
      cells.joined().flatMap { $0.repetitions.map(\.exact.samplesDigest) }
    }
  }

  /// Runs until all is done or a stop is requested, and returns the results so far.
  package func run(
    journal: Journal, cancellation: Cancellation?,
    progress: @escaping @Sendable (RunProgress) -> Void
  ) -> Outcome {
    let queue = SweepQueue(plan, journal, cancellation, jobs, workFolder, progress)
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
    while let cell = queue.next() {
      let result = Result {
        try retained(try runs[cell.group].run(cell.run, cancellation, progress))
      }
      queue.end(cell, result)
    }
  }

  private func retained(_ output: CellOutput) throws -> CellOutput {
    var result = output.result
    result.timings = []
    if !keepsSamples { result.samples = [] }
    return try CellOutput(result)
  }
}

/// The runs of a sweep, distributed one by one, and their results. Safe to use from many threads.
private final class SweepQueue: @unchecked Sendable {
  private let lock = ThreadMutex()
  private let ended = ThreadCondition()
  private let cancellation: Cancellation?
  private let progress: @Sendable (RunProgress) -> Void
  private let journal: Journal
  private let total: Int
  private var waiting: WaitingCells
  private var done = 0
  private var cells: [[CellRecord]]
  private var samples: [[CellRows<Sample>]]
  private var indexes: [[CellKey: Int]]

  init(
    _ plan: SweepPlan, _ journal: Journal, _ cancellation: Cancellation?, _ jobs: Int,
    _ workFolder: FilePath, _ progress: @escaping @Sendable (RunProgress) -> Void
  ) {
    self.journal = journal
    self.cancellation = cancellation
    self.progress = progress
    total = plan.runCount
    cells = plan.groups.map(\.cells)
    samples = plan.groups.map { _ in [] }
    indexes = cells.map { cells in
      Dictionary(uniqueKeysWithValues: cells.enumerated().map { ($1.key, $0) })
    }
    waiting = WaitingCells([], jobs: jobs, folder: workFolder, isOrdered: false)
    var left: [WaitingCells.Cell] = []
    var restored: [(cell: WaitingCells.Cell, result: RepetitionResult)] = []
    for (group, plan) in plan.groups.enumerated() {
      let estimate = CellNeeds(estimateFor: plan.scenario)
      for planned in plan.parts.flatMap(\.runs) {
        let cell = WaitingCells.Cell(group: group, run: planned, estimate: estimate)
        if let result = journal.takeResult(of: planned.journalRun(point: group)) {
          add(result, group, planned)
          restored.append((cell, result))
        } else {
          left.append(cell)
        }
      }
    }
    waiting = WaitingCells(left, jobs: jobs, folder: workFolder, isOrdered: false)
    for (cell, result) in restored { waiting.restore(cell, result) }
  }

  private var isStopped: Bool {
    cancellation?.isRequested == true || journal.failure != nil
  }

  private func add(_ result: RepetitionResult, _ group: Int, _ planned: PlannedRun) {
    done += 1
    guard let index = indexes[group][planned.cell] else { return }
    cells[group][index].repetitions.append(result.record)
    guard !result.samples.isEmpty else { return }
    samples[group].append(
      CellRows(key: planned.cell, repetition: planned.repetition, rows: result.samples))
  }

  /// Returns the next run, when it fits beside those that run; nil after the last one or a requested stop.
  func next() -> WaitingCells.Cell? {
    lock.withLock {
      while true {
        guard !waiting.isEmpty, !isStopped else { return nil }
        if let cell = waiting.next() {
          let run = cell.run
          progress(.began(run.cell, repetition: run.repetition, done: done, total: total))
          return cell
        }
        ended.wait(lock)
      }
    }
  }

  func end(_ waited: WaitingCells.Cell, _ result: Result<CellOutput, any Error>) {
    let (group, planned) = (waited.group, waited.run)
    if case .success(let output) = result {
      // A failure is the journal's own, and ends the sweep.
      try? journal.append(planned.journalRun(point: group), resultJSON: output.json)
    }
    lock.withLock {
      defer { ended.broadcast() }
      waiting.end(waited, result)
      switch result {
      case .success(let output):
        add(output.result, group, planned)
        progress(
          .ended(planned.cell, repetition: planned.repetition, done: done, total: total))
      case .failure where cancellation?.isRequested == true: break
      case .failure(let error):
        if let index = indexes[group][planned.cell] {
          cells[group][index].status = .failed(reason: "\(error)")
        }
        // A cell that failed once is not run again.
        done += 1 + waiting.removeAll { $0.group == group && $0.run.cell == planned.cell }
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
        cells: cells, samples: samples, interrupted: cancellation?.isRequested == true,
        journalFailure: journal.finish())
    }
  }
}
