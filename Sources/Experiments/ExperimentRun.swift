// Carries out a plan: runs cells one after the other (or a few at a time) and collects their results, so that an interrupted
// run has the results so far. Stepped runs come first, since their bytes do not depend on how many run at a time.
package import RecordModel
package import RunJournal
package import SystemIO
import WorkloadRunner

/// A report on the progress of a run.
package enum RunProgress: Sendable {
  /// A repetition began, after `done` of `total`.
  case began(CellKey, repetition: Int, done: Int, total: Int)
  case moved(CellKey, ProgressLine)
  case ended(CellKey, repetition: Int, done: Int, total: Int)
  case failed(CellKey, reason: String)
}

/// The results of a plan: its cells, and the sample rows beside them.
package struct RunOutcome: Sendable {
  package var cells: [CellRecord]
  /// The rows of the first repetition, and of every other one that differs from it. No stepped one does.
  package var samples: [CellRows<Sample>]
  package var timings: [CellRows<TimingSample>]
  package var interrupted: Bool
  /// The machine while timed figures were measured; nil if that was not begun.
  package var conditions: MachineConditions?
  /// The order of turns of each repetition, if the plan records it.
  package var interleavings: [(cell: CellKey, repetition: Int, order: Interleaving)] = []
  /// Why a result could not be added to the journal, which ended the run; nil if all were.
  package var journalFailure: SystemError?
}

package struct ExperimentRun: Sendable {
  private let plan: ExperimentPlan
  private let executable: FilePath
  /// The folder in which cells create theirs.
  private let workFolder: FilePath
  /// The number of cells at a time. More than one makes times longer, and never changes bytes of stepped runs.
  private let jobs: [Schedule: Int]

  package init(
    _ plan: ExperimentPlan, executable: FilePath, workFolder: FilePath, jobs: [Schedule: Int]
  ) {
    self.plan = plan
    self.executable = executable
    self.workFolder = workFolder
    self.jobs = jobs
  }

  /// Runs until all is done or a stop is requested, and returns the results so far. Each running cell has a thread that waits
  /// for it; the first is the caller's. If the system refuses further threads, the run is only slower.
  ///
  /// - Parameter journal: has the results of an earlier process, which are not run again, and receives those of this one.
  package func run(
    journal: Journal? = nil, cancellation: Cancellation? = nil,
    progress: @escaping @Sendable (RunProgress) -> Void
  ) -> RunOutcome {
    let cells = CellQueue(plan, journal, cancellation, workFolder, progress)
    journal?.begin(maxWaiting: jobs.values.max() ?? 1)
    for (schedule, runs) in plan.parts {
      let jobs = jobs[schedule] ?? 1
      cells.begin(
        runs, jobs: jobs, isOrdered: schedule == .threads,
        isTimed: schedule == plan.schedule.ofTimes)
      let helpers = (1..<max(2, min(jobs, runs.count))).prefix(jobs - 1).compactMap { number in
        try? SystemThread.start(name: "cell \(number)") { serve(cells, cancellation, progress) }
      }
      serve(cells, cancellation, progress)
      for helper in helpers { helper.join() }
    }
    return cells.outcome()
  }

  private func serve(
    _ cells: CellQueue, _ cancellation: Cancellation?,
    _ progress: @escaping @Sendable (RunProgress) -> Void
  ) {
    while let cell = cells.next() {
      let result = Result { try run(cell.run, cancellation, progress) }
      cells.end(cell, result)
    }
  }

  /// Runs one repetition in a process of its own.
  func run(
    _ planned: PlannedRun, _ cancellation: Cancellation?,
    _ progress: @escaping @Sendable (RunProgress) -> Void
  ) throws -> CellOutput {
    let (cell, repetition) = (planned.cell, planned.repetition)
    var job = CellJob(
      scenario: plan.scenario, key: cell, repetition: repetition, schedule: planned.schedule,
      seed: plan.seed, folder: "",
      interleaving: planned.schedule == .stepped ? plan.interleaving : nil,
      keepsInterleaving: plan.keepsInterleavings,
      trace: plan.trace, keptFiles: keptFolder(planned))
    job.allowsPrograms = plan.allowsPrograms
    guard plan.measuresPeakDisk, job.schedule == .stepped else {
      return try run(job, cancellation, progress)
    }
    let disk = MeasuredDisk.sharedMemory(among: jobs[.stepped] ?? 1)
    job.measuredDisk = disk
    var measured = try? run(job, cancellation, progress)
    if let output = measured, !disk.isAmple(for: output.result) { measured = nil }
    if let measured, !plan.enginesThatDifferInMemory.contains(cell.engine) { return measured }
    // Memory is too small for the database, or the cell fails anywhere, or the engine accounts otherwise in memory.
    job.measuredDisk = nil
    if let kept = job.keptFiles { try? FileSystem.removeTree(FilePath(kept)) }
    var result = try run(job, cancellation, progress).result
    result.record.exact.peakDisk = measured?.result.record.exact.peakDisk
    return try CellOutput(result)
  }

  private func run(
    _ job: CellJob, _ cancellation: Cancellation?,
    _ progress: @escaping @Sendable (RunProgress) -> Void
  ) throws -> CellOutput {
    let work = try FileSystem.makeTemporaryFolder(prefix: "cell", in: workFolder)
    return try CellProcess.output(
      of: job, executable: executable, work: work, on: plan.limitedDisk, cancellation: cancellation
    ) {
      progress(.moved(job.key, $0))
    }
  }

  /// Returns the folder that receives the database's files of the cell's first repetition; nil if files are not retained.
  private func keptFolder(_ planned: PlannedRun) -> String? {
    // The shard that owns a cell has its files, and not the one that checks it.
    guard let folder = plan.keptFiles, planned.repetition == 1,
      plan.share?.owns(planned) ?? true
    else { return nil }
    return KeptFiles.folders(of: plan.cells.map(\.key), below: folder)[planned.cell]?.string
  }
}

/// The repetitions of a plan, distributed one by one, and their results. Safe to use from many threads.
private final class CellQueue: @unchecked Sendable {
  private let lock = ThreadMutex()
  private let ended = ThreadCondition()
  private let total: Int
  private let estimate: CellNeeds
  private let workFolder: FilePath
  /// Under both schedules, repetitions on threads are separate from the stepped ones.
  private let separatesThreads: Bool
  private var waiting: WaitingCells
  private let cancellation: Cancellation?
  private let progress: @Sendable (RunProgress) -> Void
  private let journal: Journal?
  private var outcomeSoFar: RunOutcome
  private var failed: Set<CellKey> = []
  private var done = 0
  /// Observes the machine during the part that timed figures come from.
  private var watch: MachineWatch?

  init(
    _ plan: ExperimentPlan, _ journal: Journal?, _ cancellation: Cancellation?,
    _ workFolder: FilePath, _ progress: @escaping @Sendable (RunProgress) -> Void
  ) {
    self.journal = journal
    self.workFolder = workFolder
    estimate = CellNeeds(estimateFor: plan.scenario)
    waiting = WaitingCells([], jobs: 1, folder: workFolder, isOrdered: true)
    total = plan.parts.reduce(0) { $0 + $1.runs.count }
    separatesThreads = plan.schedule == .both
    self.cancellation = cancellation
    self.progress = progress
    outcomeSoFar = RunOutcome(cells: plan.cells, samples: [], timings: [], interrupted: false)
    guard separatesThreads else { return }
    for index in outcomeSoFar.cells.indices
    where outcomeSoFar.cells[index].status == .measured {
      outcomeSoFar.cells[index].threadedRepetitions = []
    }
  }

  /// Begins a part of the plan. Called when no repetition is running.
  ///
  /// - Parameters:
  ///   - isOrdered: whether repetitions begin in the order of the plan.
  ///   - isTimed: whether timed figures come from it.
  func begin(_ runs: [PlannedRun], jobs: Int, isOrdered: Bool, isTimed: Bool) {
    lock.withLock {
      var left: [WaitingCells.Cell] = []
      var restored: [(cell: WaitingCells.Cell, result: RepetitionResult)] = []
      for run in runs {
        let cell = WaitingCells.Cell(run: run, estimate: estimate)
        if let result = restore(run) { restored.append((cell, result)) } else { left.append(cell) }
      }
      let cells = left.filter { !failed.contains($0.run.cell) }
      done += left.count - cells.count
      waiting = WaitingCells(cells, jobs: jobs, folder: workFolder, isOrdered: isOrdered)
      for (cell, result) in restored { waiting.restore(cell, result) }
      watch = isTimed ? MachineWatch() : nil
    }
  }

  /// Adds the result that the journal has of the run, and returns it; nil if there is none.
  private func restore(_ planned: PlannedRun) -> RepetitionResult? {
    guard let result = journal?.takeResult(of: planned.journalRun()) else { return nil }
    done += 1
    add(result, of: planned)
    return result
  }

  private func add(_ result: RepetitionResult, of planned: PlannedRun) {
    if planned.isControl {
      outcomeSoFar.add(control: result, to: planned.cell, repetition: planned.repetition)
    } else {
      outcomeSoFar.add(
        result, to: planned.cell, isSeparate: separatesThreads && planned.schedule == .threads)
    }
  }

  private var isCancelled: Bool { cancellation?.isRequested == true }

  /// Returns the next repetition of the part to run, when it fits beside those that run; nil after the last one or a requested
  /// stop.
  func next() -> WaitingCells.Cell? {
    lock.withLock {
      while true {
        guard !waiting.isEmpty, !isCancelled, journal?.failure == nil else { return nil }
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
    let planned = waited.run
    if case .success(let output) = result, let journal {
      // A failure is the journal's own, and ends the run.
      try? journal.append(planned.journalRun(), resultJSON: output.json)
      // The disk is idle again before the next run whose times are measured.
      if planned.schedule == .threads { journal.flush() }
    }
    lock.withLock {
      defer { ended.broadcast() }
      done += 1
      waiting.end(waited, result)
      watch?.observe()
      outcomeSoFar.conditions = watch?.conditions ?? outcomeSoFar.conditions
      let cell = planned.cell
      switch result {
      case .success(let output):
        add(output.result, of: planned)
        progress(.ended(cell, repetition: planned.repetition, done: done, total: total))
      case .failure where isCancelled: break
      case .failure(let error):
        // A cell that failed once is not run again.
        failed.insert(cell)
        done += waiting.removeAll { $0.run.cell == cell }
        outcomeSoFar.fail(cell, "\(error)")
        progress(.failed(cell, reason: "\(error)"))
      }
    }
  }

  /// Returns the results when they are durable. Called when no repetition is running.
  func outcome() -> RunOutcome {
    lock.withLock {
      outcomeSoFar.journalFailure = journal?.finish()
      outcomeSoFar.interrupted = isCancelled
      outcomeSoFar.arrange()
      return outcomeSoFar
    }
  }
}

extension RunOutcome {
  /// - Parameter isSeparate: whether the run is on threads beside stepped ones.
  mutating func add(
    _ result: RepetitionResult, to key: CellKey, isSeparate: Bool
  ) {
    guard let index = cells.firstIndex(where: { $0.key == key }) else {
      preconditionFailure("a result of \(key), which is not in the plan")
    }
    if isSeparate {
      cells[index].threadedRepetitions?.append(result.record)
    } else {
      cells[index].repetitions.append(result.record)
    }
    let repetition = result.record.index
    samples.append(CellRows(key: key, repetition: repetition, rows: result.samples))
    if let order = result.interleaving { interleavings.append((key, repetition, order)) }
    timings.append(CellRows(key: key, repetition: repetition, rows: result.timings))
  }

  mutating func add(control result: RepetitionResult, to key: CellKey, repetition: Int) {
    guard let index = cells.firstIndex(where: { $0.key == key }) else { return }
    let control = ControlRun(repetition: repetition, timing: result.record.timing)
    cells[index].controls = (cells[index].controls ?? []) + [control]
  }

  fileprivate mutating func fail(_ key: CellKey, _ reason: String) {
    guard let index = cells.firstIndex(where: { $0.key == key }) else { return }
    cells[index].status = .failed(reason: reason)
  }

  /// Sorts the results into the order of the plan, and drops rows that equal those of the first repetition.
  mutating func arrange() {
    for index in cells.indices {
      // Whether memory was large enough may differ between two runs; what they measured otherwise does not.
      if cells[index].repetitions.contains(where: { $0.exact.peakDisk == nil }) {
        for run in cells[index].repetitions.indices {
          cells[index].repetitions[run].exact.peakDisk = nil
        }
      }
      cells[index].repetitions.sort { $0.index < $1.index }
      cells[index].threadedRepetitions?.sort { $0.index < $1.index }
    }
    let positions = Dictionary(uniqueKeysWithValues: cells.enumerated().map { ($1.key, $0) })
    samples.sort { (positions[$0.key]!, $0.repetition) < (positions[$1.key]!, $1.repetition) }
    timings.sort { (positions[$0.key]!, $0.repetition) < (positions[$1.key]!, $1.repetition) }
    var first: CellRows<Sample>?
    samples = samples.filter { rows in
      if rows.key != first?.key { first = rows }
      return rows.repetition == first?.repetition || rows.rows != first?.rows
    }
  }
}
