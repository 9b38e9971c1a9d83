// A client that measures how long operations wait, at fixed times, also while a database is opened and compacted.
package import Generators

package struct ProbeSpec: Hashable, Sendable, Codable {
  package enum Target: String, Hashable, Sendable, Codable, CaseIterable {
    /// A second database of the same engine, with the table's rows, in the same process.
    case another = "another database"
    /// The database of the run, by another process.
    case this = "this database"
  }

  package enum Work: String, Hashable, Sendable, Codable, CaseIterable {
    /// Begins a snapshot, reads a row and ends it, in a database that stays open.
    case reads
    /// Opens the database, reads a row and closes it, each time.
    case opens
  }

  package var table: String
  package var target: Target
  package var work: Work
  package var ratePerSecond: Double
  package var keys: KeyDistribution

  package init(
    table: String, target: Target, work: Work, ratePerSecond: Double = 100,
    keys: KeyDistribution = .uniform
  ) {
    self.table = table
    self.target = target
    self.work = work
    self.ratePerSecond = ratePerSecond
    self.keys = keys
  }
}
