// Carries a plan out: cells one after the other (or a few at a time), results gathered as they come, so that an
// interrupt keeps what is done.
package import RecordModel
package import SystemIO
import WorkloadRunner

/// What a run hears of itself.
package enum RunProgress: Sendable {
  /// A repetition began: the `done`-th of `total` is next.
  case began(CellKey, repetition: Int, done: Int, total: Int)
  case moved(CellKey, ProgressLine)
  case ended(CellKey, repetition: Int, done: Int, total: Int)
  case failed(CellKey, reason: String)
}

/// A carried out plan: the record, and the sample rows that go beside it.
package struct RunOutcome: Sendable {
  package var cells: [CellRecord]
  /// The rows of every repetition that differs from the first: under the stepped schedule the first alone.
  package var samples: [CellRows<Sample>]
  package var timings: [CellRows<TimingSample>]
  package var interrupted: Bool
  /// The order of turns of each repetition, where it was asked for.
  package var interleavings: [(cell: CellKey, repetition: Int, order: Interleaving)] = []
}

package struct ExperimentRun: Sendable {
  private let plan: ExperimentPlan
  private let executable: FilePath
  /// The folder under which cells make theirs.
  private let workFolder: FilePath
  /// Cells at a time. More than one makes times worse, bytes never.
  private let jobs: Int

  package init(
    _ plan: ExperimentPlan, executable: FilePath, workFolder: FilePath, jobs: Int
  ) {
    self.plan = plan
    self.executable = executable
    self.workFolder = workFolder
    self.jobs = jobs
  }

  /// Runs until all is done, or the request to stop comes: then what is done is returned. Each cell at work has a thread
  /// that waits for it, the first one the caller's: a system that gives no more threads makes the run slower, and no more.
  package func run(
    cancellation: Cancellation? = nil, progress: @escaping @Sendable (RunProgress) -> Void
  ) -> RunOutcome {
    let cells = CellQueue(plan, cancellation, progress)
    let helpers = (1..<max(2, min(jobs, plan.order.count))).prefix(jobs - 1).compactMap { number in
      try? SystemThread.start(name: "cell \(number)") { serve(cells, cancellation, progress) }
    }
    serve(cells, cancellation, progress)
    for helper in helpers { helper.join() }
    return cells.outcome()
  }

  private func serve(
    _ cells: CellQueue, _ cancellation: Cancellation?,
    _ progress: @escaping @Sendable (RunProgress) -> Void
  ) {
    while let (cell, repetition) = cells.next() {
      let result = Result { try run(cell, repetition, cancellation, progress) }
      cells.end(cell, repetition, result)
    }
  }

  private func run(
    _ cell: CellKey, _ repetition: Int, _ cancellation: Cancellation?,
    _ progress: @escaping @Sendable (RunProgress) -> Void
  ) throws -> RepetitionResult {
    let job = CellJob(
      scenario: plan.scenario, key: cell, repetition: repetition, schedule: plan.schedule,
      seed: plan.seed, folder: "", interleaving: plan.interleaving,
      keepsInterleaving: plan.keepsInterleavings,
      trace: plan.trace, keptFiles: keptFolder(cell, repetition))
    let work = try FileSystem.makeTemporaryFolder(prefix: "cell", in: workFolder)
    return try CellProcess.run(
      job, executable: executable, work: work, on: plan.limitedDisk, cancellation: cancellation
    ) {
      progress(.moved(cell, $0))
    }
  }

  /// The folder for the database files that the cell's first repetition leaves; nil where none are kept.
  private func keptFolder(_ cell: CellKey, _ repetition: Int) -> String? {
    guard let folder = plan.keptFiles, repetition == 1 else { return nil }
    return KeptFiles.folders(of: plan.cells.map(\.key), below: folder)[cell]?.string
  }
}

/// The repetitions of a plan, given out one by one, and what came of them. Used by several threads.
private final class CellQueue: @unchecked Sendable {
  private let lock = ThreadMutex()
  private let order: [(cell: CellKey, repetition: Int)]
  private let cancellation: Cancellation?
  private let progress: @Sendable (RunProgress) -> Void
  private var gathered: RunOutcome
  private var failed: Set<CellKey> = []
  private var first = 0
  private var done = 0

  init(
    _ plan: ExperimentPlan, _ cancellation: Cancellation?,
    _ progress: @escaping @Sendable (RunProgress) -> Void
  ) {
    order = plan.order
    self.cancellation = cancellation
    self.progress = progress
    gathered = RunOutcome(cells: plan.cells, samples: [], timings: [], interrupted: false)
  }

  private var isCancelled: Bool { cancellation?.isRequested == true }

  /// The repetition that is to be run next; nil where there is none, or no more is to begin.
  func next() -> (CellKey, Int)? {
    lock.withLock {
      // A cell that failed once is not tried again.
      while first < order.count, failed.contains(order[first].cell) {
        first += 1
        done += 1
      }
      guard first < order.count, !isCancelled else { return nil }
      let (cell, repetition) = order[first]
      first += 1
      progress(.began(cell, repetition: repetition, done: done, total: order.count))
      return (cell, repetition)
    }
  }

  func end(_ cell: CellKey, _ repetition: Int, _ result: Result<RepetitionResult, any Error>) {
    lock.withLock {
      done += 1
      switch result {
      case .success(let result):
        gathered.add(result, to: cell)
        progress(.ended(cell, repetition: repetition, done: done, total: order.count))
      case .failure where isCancelled: break
      case .failure(let error):
        failed.insert(cell)
        gathered.fail(cell, "\(error)")
        progress(.failed(cell, reason: "\(error)"))
      }
    }
  }

  /// What is done; no repetition is at work any more.
  func outcome() -> RunOutcome {
    lock.withLock {
      gathered.interrupted = isCancelled
      gathered.arrange()
      return gathered
    }
  }
}

extension RunOutcome {
  fileprivate mutating func add(_ result: RepetitionResult, to key: CellKey) {
    guard let index = cells.firstIndex(where: { $0.key == key }) else {
      preconditionFailure("a result of \(key), which was not planned")
    }
    cells[index].repetitions.append(result.record)
    let repetition = result.record.index
    samples.append(CellRows(key: key, repetition: repetition, rows: result.samples))
    if let order = result.interleaving { interleavings.append((key, repetition, order)) }
    timings.append(CellRows(key: key, repetition: repetition, rows: result.timings))
  }

  fileprivate mutating func fail(_ key: CellKey, _ reason: String) {
    guard let index = cells.firstIndex(where: { $0.key == key }) else { return }
    cells[index].status = .failed(reason: reason)
  }

  /// Puts all in the order of the plan, whatever the order in which it came, and drops rows that repeat.
  fileprivate mutating func arrange() {
    for index in cells.indices { cells[index].repetitions.sort { $0.index < $1.index } }
    let places = Dictionary(uniqueKeysWithValues: cells.enumerated().map { ($1.key, $0) })
    samples.sort { (places[$0.key]!, $0.repetition) < (places[$1.key]!, $1.repetition) }
    timings.sort { (places[$0.key]!, $0.repetition) < (places[$1.key]!, $1.repetition) }
    var first: CellRows<Sample>?
    samples = samples.filter { rows in
      if rows.key != first?.key { first = rows }
      return rows.repetition == first?.repetition || rows.rows != first?.rows
    }
  }
}
