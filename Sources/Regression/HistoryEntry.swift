// One figure of one commit in a history.
package import RecordModel

/// One figure at one commit.
package struct HistoryEntry: Sendable, Equatable {
  package var commit: String
  /// The series that the value belongs to.
  package var series: HistorySeriesKey
  package var value: Double

  package init(commit: String, series: HistorySeriesKey, value: Double) {
    self.commit = commit
    self.series = series
    self.value = value
  }
}

package struct HistorySeriesKey: Hashable, Sendable {
  package var scenario: String
  package var cell: CellKey
  package var seed: UInt64
  package var figure: String
  /// The machine of a noisy figure: another machine is another series. Empty for exact figures.
  package var machine: String

  package init(
    scenario: String, cell: CellKey, seed: UInt64, figure: String, machine: String
  ) {
    self.scenario = scenario
    self.cell = cell
    self.seed = seed
    self.figure = figure
    self.machine = machine
  }

  package var words: String {
    "\(scenario) · \(cell.words): \(figure)" + (machine.isEmpty ? "" : " on machine \(machine)")
  }

  var order: [String] {
    [scenario, cell.engine, cell.policy, cell.arm, String(seed), figure, machine]
  }
}
