// A scenario as values: what is in the database, which clients work on it, in which phases, and what is expected. The file
// format is ScenarioParser's; this module does not depend on YAML.
package import Generators
package import MetricModel
package import Objective
package import Policies

/// An experiment: data, clients, phases, launches, policies and expectations.
package struct Scenario: Hashable, Sendable, Codable {
  /// The name in kebab-case, equal to the file's.
  package var name: String
  /// The question that the experiment answers.
  package var question: String
  /// A description of how the problem arises, in a few sentences.
  package var description: String
  /// The documents and threads that report the problem.
  package var sources: [String]
  package var keywords: [String]
  package var seed: UInt64
  package var isDurable: Bool
  package var tables: [TableSpec]
  /// The ways in which the clients may behave: at least one, the first is what users do; the others are mitigations.
  package var arms: [ArmSpec]
  package var phases: [PhaseSpec]
  /// The number of launches. Each goes through the phases, and the database is closed and opened in between.
  package var launches: Int
  /// Virtual time between the end of a launch and the next.
  package var gapBetweenLaunches: VirtualTime
  package var lifecycle: LifecycleSpec = LifecycleSpec()
  package var engines: [String]
  /// The engines of its file, where it is run on others too; nil where it is not.
  package var statedEngines: [String]?
  package var policies: [Policy]
  /// The policy that the others are compared with; nil for `never`.
  package var comparator: Comparator?
  /// The name of the policy that `addingComparator` put before those of the scenario; nil where it put none.
  package var addedComparator: String?
  package var sampling: SamplingSpec
  package var expectations: [Expectation]
  /// The values of the parameters, which are in place wherever they are used; nil without parameters.
  package var parameters: [String: String]?
  /// What policies are ranked by; nil for the default.
  package var objective: Objective?

  package init(
    name: String, question: String, description: String = "", sources: [String] = [],
    keywords: [String] = [], seed: UInt64 = 1, isDurable: Bool = false, tables: [TableSpec],
    arms: [ArmSpec], phases: [PhaseSpec], launches: Int = 1,
    gapBetweenLaunches: VirtualTime = VirtualTime(seconds: 8 * 3600),
    engines: [String] = ["native", "lmdb", "sqlite"], policies: [Policy],
    sampling: SamplingSpec = SamplingSpec(), expectations: [Expectation] = []
  ) {
    self.name = name
    self.question = question
    self.description = description
    self.sources = sources
    self.keywords = keywords
    self.seed = seed
    self.isDurable = isDurable
    self.tables = tables
    self.arms = arms
    self.phases = phases
    self.launches = launches
    self.gapBetweenLaunches = gapBetweenLaunches
    self.engines = engines
    self.policies = policies
    self.sampling = sampling
    self.expectations = expectations
  }
}

/// A table and the rows that it begins with: keys 0 ..< rows, loaded before the first phase of the first launch.
package struct TableSpec: Hashable, Sendable, Codable {
  package var name: String
  package var rows: Int
  package var valueSize: SizeDistribution
  /// What each row has besides its bytes; nil for nothing.
  package var shape: RowShape?

  package init(name: String, rows: Int, valueSize: SizeDistribution) {
    self.name = name
    self.rows = rows
    self.valueSize = valueSize
  }

  /// The bytes of the values that the table begins with, by their mean size.
  package var initialBytes: Int { Int(min(Double(rows) * valueSize.mean, 1e15)) }
}

extension Scenario {
  /// The bytes of the values that the tables begin with, by their mean sizes.
  package var initialBytes: Int { tables.reduce(0) { min($0 + $1.initialBytes, 1 << 50) } }
}

/// A variant of the scenario: one way in which all clients behave.
package struct ArmSpec: Hashable, Sendable, Codable {
  package var name: String
  /// A line for the report: `invalidate() before blocking`.
  package var summary: String
  package var clients: [ClientSpec]
  /// The clients that behave differently in a phase, by the phase's name.
  package var inPhases: [String: [ClientSpec]] = [:]
  /// Whether the database is encrypted, on an engine that can.
  package var isEncrypted = false
  /// Which rows a phase deletes if it deletes a share of them.
  package var deletedRows = DeletedRows.spread
  /// The policies that this arm is crossed with, by name; nil for all.
  package var policies: [String]?
  /// The number of commits of a phase in this arm, by the phase's name; nil if all are the phases' own.
  package var commits: [String: Int]?
  /// Limits of the database; nil for none.
  package var limits: LimitSpec?
  /// Settings of the log; nil for the engine's default. Has no effect on engines without a log.
  package var log: LogSpec?
  /// Settings of the file's growth; nil for the engine's default. Has no effect on engines that offer no choice.
  package var geometry: GeometrySpec?
  /// Whether the file is laid out to be shortened on request; nil for not.
  package var autoVacuum: AutoVacuumSpec?
  /// Over how many files the rows are divided by their keys, 2 ... 64; nil for one.
  package var files: Int?
  /// Whether the database is opened on a background thread, while the one that launches goes on; nil for not.
  package var opensInBackground: Bool?

  package init(
    name: String, summary: String = "", clients: [ClientSpec], policies: [String]? = nil
  ) {
    self.name = name
    self.summary = summary
    self.clients = clients
    self.policies = policies
  }
}

/// Which rows a phase deletes.
package enum DeletedRows: String, Hashable, Sendable, Codable, CaseIterable {
  /// Evenly over the keys.
  case spread
  /// The oldest: a contiguous range, where nothing was deleted before.
  case first
  /// Drawn from the seed.
  case random
}

/// An operation that gives the database another key.
package enum NewKey: String, Hashable, Sendable, Codable, CaseIterable {
  /// The open database is compacted under it, and has it from then on.
  case compaction
  /// A compacted copy is made under it, compared with all rows, and removed. The database retains its own key.
  case copy
}

/// A part of a launch, in which the named clients run until the writers made `commits` write transactions.
package struct PhaseSpec: Hashable, Sendable, Codable {
  package var name: String
  /// Write transactions in this phase, over all writers.
  package var commits: Int
  /// The share of each table's rows deleted before the clients run, 0 ... 1, as the arm's `deletedRows` has it, in
  /// transactions of `deleteBatch` rows. Every transaction counts as a commit of its own, beside `commits`.
  package var deleteShare: Double
  package var deleteBatch: Int
  /// Whether rows missing from 0 ..< rows are inserted again before the clients run, in transactions of `deleteBatch`.
  package var refill: Bool
  /// Virtual time that passes before the clients run, without any operation.
  package var idle: VirtualTime
  /// Whether the engine is asked, before the clients run, to free the reader-table entries of dead processes.
  package var checksReaders: Bool
  /// The amount by which the file is shortened before the clients run; nil for not at all.
  package var shortens: ShortenSpec?
  /// The migration of all tables before the clients run; nil for none.
  package var migration: RowMigration?
  /// The change of the key before the clients run, if the arm is encrypted; nil for none.
  package var newKey: NewKey?
  /// Read transactions of each client of lookups, in a phase without commits; nil where those or a time end it.
  package var lookupTransactions: Int?
  /// How long lookups go on in a phase without commits; nil where commits or transactions end it.
  package var lookupTime: VirtualTime?
  /// The launches in which this phase takes place; nil for all.
  package var onlyInLaunches: [Int]?
  /// Clients by name.
  package var clients: [String]

  package init(
    name: String, commits: Int = 0, deleteShare: Double = 0, deleteBatch: Int = 1000,
    refill: Bool = false, idle: VirtualTime = .zero, checksReaders: Bool = false,
    onlyInLaunches: [Int]? = nil, clients: [String] = []
  ) {
    self.name = name
    self.commits = commits
    self.deleteShare = deleteShare
    self.deleteBatch = deleteBatch
    self.refill = refill
    self.idle = idle
    self.checksReaders = checksReaders
    self.onlyInLaunches = onlyInLaunches
    self.clients = clients
  }
}

/// The sampling interval. A sample is also taken at every phase boundary.
package struct SamplingSpec: Hashable, Sendable, Codable {
  package var everyCommits: Int
  /// Wall-clock samples of file size and process memory, for timings.csv.
  package var everyMilliseconds: Int

  package init(everyCommits: Int = 50, everyMilliseconds: Int = 100) {
    self.everyCommits = everyCommits
    self.everyMilliseconds = everyMilliseconds
  }
}
