// The schedule of one repetition, and that of a run, which may have repetitions of both.

/// How one repetition runs its clients.
package enum Schedule: String, Sendable, Codable, CaseIterable {
  /// One thread steps all clients in a seeded order on the virtual clock: every byte count repeats.
  case stepped
  /// Real threads and queues on the wall clock.
  case threads
}

/// How a run runs its cells.
package enum RunSchedule: String, Sendable, Codable, CaseIterable {
  /// Each cell stepped once for the exact figures, and repeatedly on real threads for the timed ones.
  case both
  case stepped
  case threads

  /// Whether byte counts are of stepped runs, and so repeat.
  package var hasExactFigures: Bool { self != .threads }
  /// The schedule of the runs that byte counts come from.
  package var ofBytes: Schedule { self == .threads ? .threads : .stepped }
  /// The schedule of the runs that timed figures come from.
  package var ofTimes: Schedule { self == .stepped ? .stepped : .threads }
}

extension RunRecord {
  /// The record without its runs on real threads: what a run under the stepped schedule alone would have recorded. A
  /// record of one schedule is returned as it is.
  package var steppedPart: RunRecord {
    guard provenance.schedule == .both else { return self }
    var record = self
    record.provenance.schedule = .stepped
    record.provenance.conditions = nil
    record.provenance.repetitions = cells.map(\.repetitions.count).max() ?? 0
    for index in record.cells.indices {
      record.cells[index].threadedRepetitions = nil
      record.cells[index].controls = nil
    }
    return record
  }

  /// Returns the rows of the runs that byte counts come from.
  package func rowsOfBytes(_ rows: [CellRows<Sample>]) -> [CellRows<Sample>] {
    let threaded = threadedIndexes
    return rows.filter { !(threaded[$0.key]?.contains($0.repetition) ?? false) }
  }

  /// Returns the rows of the runs on real threads beside stepped ones; none under one schedule.
  package func rowsOfThreads(_ rows: [CellRows<Sample>]) -> [CellRows<Sample>] {
    let threaded = threadedIndexes
    return rows.filter { threaded[$0.key]?.contains($0.repetition) ?? false }
  }

  private var threadedIndexes: [CellKey: Set<Int>] {
    Dictionary(
      cells.map { ($0.key, Set(($0.threadedRepetitions ?? []).map(\.index))) },
      uniquingKeysWith: { first, _ in first })
  }
}
