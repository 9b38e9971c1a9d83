// The repetitions of a run or a sweep that have not begun, and those that run: each begins when it fits beside the others.
import RecordModel
import SystemIO

struct WaitingCells {
  struct Cell: Sendable {
    /// The index of the plan in a sweep.
    var group = 0
    var run: PlannedRun
    var estimate: CellNeeds

    var request: CellAdmission.Request {
      CellAdmission.Request(
        kind: CellAdmission.Kind(engine: run.cell.engine, arm: run.cell.arm), estimate: estimate)
    }
  }

  /// The number of cells among which one that fits is looked for.
  private static let maxLookahead = 256

  private var cells: [Cell]
  private var first = 0
  private var admission: CellAdmission
  private let folder: FilePath
  /// Whether cells begin in their order, as the blocks of timed repetitions do. Otherwise a smaller one may begin before a
  /// larger one that does not fit yet.
  private let isOrdered: Bool

  init(_ cells: [Cell], jobs: Int, folder: FilePath, isOrdered: Bool) {
    self.cells = cells
    self.folder = folder
    self.isOrdered = isOrdered
    admission = CellAdmission(maxRunning: jobs)
  }

  var isEmpty: Bool { first == cells.count }

  /// Removes cells, and returns their number.
  mutating func removeAll(where isRemoved: (Cell) -> Bool) -> Int {
    let before = cells.count - first
    cells = cells[first...].filter { !isRemoved($0) }
    first = 0
    return before - cells.count
  }

  /// Returns a cell that begins now; nil if none fits beside those that run.
  mutating func next() -> Cell? {
    guard admission.hasFreeProcessor else { return nil }
    if admission.isIdle, admission.isLimitedBySpace { admission.set(.available(in: folder)) }
    for index in cells[first...].indices.prefix(isOrdered ? 1 : Self.maxLookahead)
    where admission.begin(cells[index].request) {
      let cell = cells[index]
      // Those before it stay in their order.
      for moved in stride(from: index, to: first, by: -1) { cells[moved] = cells[moved - 1] }
      first += 1
      return cell
    }
    return nil
  }

  /// Corrects the estimates by a result that the journal has.
  mutating func restore(_ cell: Cell, _ result: RepetitionResult) {
    admission.correct(cell.request, measured: CellNeeds(measuredIn: result.record))
  }

  /// Releases what the cell had.
  mutating func end(_ cell: Cell, _ result: Result<CellOutput, any Error>) {
    let output = try? result.get()
    admission.end(
      cell.request, measured: output.map { CellNeeds(measuredIn: $0.result.record) })
  }
}
