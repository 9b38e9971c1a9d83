// Which cells run at the same time: as many as processors, memory and disk space allow. What a cell needs is estimated from its
// scenario, and corrected by the cells that ended.

/// Bytes that a cell takes while it runs, or that the machine has.
package struct CellNeeds: Sendable, Equatable {
  package var memory: Int
  package var disk: Int

  package init(memory: Int, disk: Int) { (self.memory, self.disk) = (memory, disk) }
}

/// What the machine has for cells; nil where that is not known.
package struct CellSpace: Sendable, Equatable {
  package var memory: Int?
  package var disk: Int?

  package init(memory: Int?, disk: Int?) { (self.memory, self.disk) = (memory, disk) }
}

/// Admits cells to the machine. A value without clocks and files: its decisions follow from what it was told.
package struct CellAdmission: Sendable {
  /// Cells that deviate from their estimates by about the same factor.
  package struct Kind: Hashable, Sendable {
    package var engine: String
    package var arm: String

    package init(engine: String, arm: String) { (self.engine, self.arm) = (engine, arm) }
  }

  /// A cell that wants to run.
  package struct Request: Sendable, Equatable {
    package var kind: Kind
    package var estimate: CellNeeds

    package init(kind: Kind, estimate: CellNeeds) { (self.kind, self.estimate) = (kind, estimate) }
  }

  /// The share of the machine's space that cells are admitted to.
  static let usablePercent = 90

  private let maxRunning: Int
  /// What there was when no cell was running.
  private var space = CellSpace(memory: nil, disk: nil)
  private var running: [(request: Request, needs: CellNeeds)] = []
  /// The largest measured need of each kind, in percent of its estimate.
  private var percentages: [Kind: (memory: Int, disk: Int)] = [:]

  /// - Parameter maxRunning: the greatest number of cells at a time.
  package init(maxRunning: Int) { self.maxRunning = max(1, maxRunning) }

  package var isIdle: Bool { running.isEmpty }
  package var hasFreeProcessor: Bool { running.count < maxRunning }
  /// Whether memory and disk space make a difference.
  package var isLimitedBySpace: Bool { maxRunning > 1 }

  /// Sets what the machine has. Only where no cell is running, since those that run have taken a part of it.
  package mutating func set(_ space: CellSpace) {
    guard isIdle else { return }
    self.space = space
  }

  /// Returns what a cell is expected to need.
  package func needs(of request: Request) -> CellNeeds {
    let percentage = percentages[request.kind] ?? (100, 100)
    return CellNeeds(
      memory: Self.scaled(request.estimate.memory, percentage.memory),
      disk: Self.scaled(request.estimate.disk, percentage.disk))
  }

  /// Admits the cell if it fits beside those that are running, and returns whether it did. A machine without running cells
  /// admits any: an estimate may be too high, and waiting would not change it.
  package mutating func begin(_ request: Request) -> Bool {
    guard hasFreeProcessor else { return false }
    let needs = needs(of: request)
    guard isIdle || fits(needs) else { return false }
    running.append((request, needs))
    return true
  }

  /// Releases what the cell had, and corrects the estimates of its kind.
  ///
  /// - Parameter measured: nil for a cell that failed.
  package mutating func end(_ request: Request, measured: CellNeeds?) {
    guard let index = running.firstIndex(where: { $0.request == request }) else {
      preconditionFailure("a cell ends that was not admitted")
    }
    running.remove(at: index)
    if let measured { correct(request, measured: measured) }
  }

  /// Corrects the estimates of a kind by what a cell took, here or in the process that a journal is of.
  package mutating func correct(_ request: Request, measured: CellNeeds) {
    let (memory, disk) = (
      Self.percentage(measured.memory, request.estimate.memory),
      Self.percentage(measured.disk, request.estimate.disk)
    )
    let known = percentages[request.kind]
    percentages[request.kind] = (max(memory, known?.memory ?? 0), max(disk, known?.disk ?? 0))
  }

  private func fits(_ needs: CellNeeds) -> Bool {
    func fits(_ part: KeyPath<CellNeeds, Int>, _ available: Int?) -> Bool {
      guard let available else { return true }
      let taken = running.reduce(needs[keyPath: part]) { sum, cell in
        let (next, isTooLarge) = sum.addingReportingOverflow(cell.needs[keyPath: part])
        return isTooLarge ? .max : next
      }
      return taken <= available / 100 * Self.usablePercent
    }
    return fits(\.memory, space.memory) && fits(\.disk, space.disk)
  }

  private static func percentage(_ measured: Int, _ estimate: Int) -> Int {
    let percentage = 100 * Double(measured) / Double(max(1, estimate))
    return Int(min(max(1, percentage.rounded(.up)), 1_000_000))
  }

  private static func scaled(_ bytes: Int, _ percentage: Int) -> Int {
    Int(min(Double(bytes) * Double(percentage) / 100, 1e18))
  }
}
