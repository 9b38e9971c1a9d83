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

  /// Runs until all is done, or the task is cancelled: then what is done is returned.
  package func run(
    progress: @escaping @Sendable (RunProgress) -> Void
  ) async -> RunOutcome {
    var outcome = RunOutcome(cells: plan.cells, samples: [], timings: [], interrupted: false)
    var failed: Set<CellKey> = []
    let order = plan.order
    var next = 0
    var done = 0
    await withTaskGroup(of: (CellKey, Int, Result<RepetitionResult, any Error>).self) { group in
      func startOne() {
        while next < order.count, failed.contains(order[next].cell) {
          next += 1
          done += 1
        }
        guard next < order.count, !Task.isCancelled else { return }
        let (cell, repetition) = order[next]
        next += 1
        progress(.began(cell, repetition: repetition, done: done, total: order.count))
        group.addTask { (cell, repetition, await self.result(cell, repetition, progress)) }
      }
      for _ in 0..<jobs { startOne() }
      while let (cell, repetition, result) = await group.next() {
        done += 1
        switch result {
        case .success(let result):
          outcome.add(result, to: cell)
          progress(.ended(cell, repetition: repetition, done: done, total: order.count))
        case .failure where Task.isCancelled: break
        case .failure(let error):
          failed.insert(cell)
          outcome.fail(cell, "\(error)")
          progress(.failed(cell, reason: "\(error)"))
        }
        startOne()
      }
    }
    outcome.interrupted = Task.isCancelled
    outcome.arrange()
    return outcome
  }

  private func result(
    _ cell: CellKey, _ repetition: Int, _ progress: @escaping @Sendable (RunProgress) -> Void
  ) async -> Result<RepetitionResult, any Error> {
    let kept = plan.keptFiles.flatMap { folder in
      repetition == 1
        ? KeptFiles.folders(of: plan.cells.map(\.key), below: folder)[cell]?.string : nil
    }
    let job = CellJob(
      scenario: plan.scenario, key: cell, repetition: repetition, schedule: plan.schedule,
      seed: plan.seed, folder: "", interleaving: plan.interleaving,
      keepsInterleaving: plan.keepsInterleavings,
      trace: plan.trace, keptFiles: kept)
    do {
      let work = try FileSystem.makeTemporaryFolder(prefix: "cell", in: workFolder)
      return .success(
        try await CellProcess.run(job, executable: executable, work: work, on: plan.limitedDisk) {
          progress(.moved(cell, $0))
        })
    } catch {
      return .failure(error)
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
