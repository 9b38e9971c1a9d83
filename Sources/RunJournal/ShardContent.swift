// What the journal of a shard has besides its results, so that `merge` makes the record from journals alone: without the
// engines, the scenario file, and the machines.
package import FleetModel
package import RecordModel

/// The plan of which the shard is a part. It is in the journal's first line.
package struct ShardContent: Sendable, Codable, Equatable {
  package enum Command: String, Sendable, Codable {
    case run, sweep, agreement, fleet
  }

  /// What the page of an agreement needs.
  package struct Agreement: Sendable, Codable, Equatable {
    package var engines: [String]
    package var reference: String
    package var size: String

    package init(engines: [String], reference: String, size: String) {
      (self.engines, self.reference, self.size) = (engines, reference, size)
    }
  }

  /// What the record of a sweep needs.
  package struct Sweep: Sendable, Codable, Equatable {
    package var axes: [SweepRecord.Axis]
    package var points: [SweepRecord.Point]
    /// The column of the figure in the pictures.
    package var figure: String

    package init(axes: [SweepRecord.Axis], points: [SweepRecord.Point], figure: String) {
      (self.axes, self.points, self.figure) = (axes, points, figure)
    }
  }

  /// What the curves of a fleet need.
  package struct Fleet: Sendable, Codable, Equatable {
    package var population: Population
    package var stratification: Stratification
    /// Devices of each group that curves are compared with.
    package var leftOut: Int

    package init(_ population: Population, _ stratification: Stratification, leftOut: Int) {
      (self.population, self.stratification, self.leftOut) = (population, stratification, leftOut)
    }
  }

  package var shard: Shard
  package var command: Command
  /// The names of the folders below `--output` that the record is in.
  package var folder: [String]
  /// The scenario of a run, or those of a sweep, each with all cells of the plan and no results.
  package var groups: [SweepRecord.Group]
  /// The runs of this shard.
  package var runs: [JournalRun]
  /// Runs of another shard that this one runs too, to check that both have the same bytes.
  package var checks: [JournalRun]
  /// The number of runs of all shards, without checks.
  package var total: Int
  package var sweep: Sweep?
  package var agreement: Agreement?
  package var fleet: Fleet?
  package var writesReport = true
  package var comparesTwice = false

  package init(
    _ shard: Shard, of command: Command, folder: [String], groups: [SweepRecord.Group],
    runs: [JournalRun], checks: [JournalRun], total: Int
  ) {
    (self.shard, self.command, self.folder, self.groups) = (shard, command, folder, groups)
    (self.runs, self.checks, self.total) = (runs, checks, total)
  }
}

/// The end of a shard. It is in the journal's last line.
package struct ShardEnd: Sendable, Codable, Equatable {
  /// A cell that has no results, with the reason.
  package struct Cell: Sendable, Codable, Equatable {
    /// The index of its group in a sweep; nil in a run.
    package var point: Int?
    package var key: CellKey
    package var status: CellRecord.Status

    package init(point: Int? = nil, _ cell: CellRecord) {
      (self.point, key, status) = (point, cell.key, cell.status)
    }
  }

  package var provenance: Provenance
  /// The cells of the shard that failed, or could not be run on its machine.
  package var cells: [Cell]

  package init(_ provenance: Provenance, cells: [Cell]) {
    (self.provenance, self.cells) = (provenance, cells)
  }

  package var hasFailedCell: Bool {
    cells.contains { if case .failed = $0.status { true } else { false } }
  }
}
