// A scenario that was fitted to traces: what it has, and beside each number what speaks for it.
package import MetricModel
package import ScenarioModel

package struct FittedScenario: Sendable, Equatable {
  package struct Table: Sendable, Equatable {
    package var spec: TableSpec
    package var evidence: [String]
  }

  package struct Client: Sendable, Equatable {
    package var spec: ClientSpec
    package var evidence: [String]
  }

  package struct Phase: Sendable, Equatable {
    package var spec: PhaseSpec
    package var evidence: [String]
  }

  package struct Launches: Sendable, Equatable {
    package var count: Int
    package var gap: VirtualTime
    /// The spread of the gaps in thousandths; 0 for equal ones.
    package var gapSigmaPermille: Int
    package var evidence: String
  }

  package var name: String
  package var question: String
  /// What was recorded, and how much of it.
  package var description: String
  /// Where the traces come from: files and digests.
  package var sources: [String]
  /// How it was fitted, and what a scenario cannot express.
  package var notes: [String]
  package var seed: UInt64
  package var isDurable: Bool
  package var tables: [Table]
  package var clients: [Client]
  package var deletedRows: DeletedRows
  package var phases: [Phase]
  package var launches: Launches
  package var sampleEveryCommits: Int
}
