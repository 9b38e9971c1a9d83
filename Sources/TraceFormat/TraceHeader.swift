// What a trace says of itself before its records: what must be known to replay it on another engine, and where it is
// from. It is JSON, so that a later version may say more; readers leave alone what they do not know.

package struct TraceHeader: Sendable, Codable, Hashable {
  package struct Table: Sendable, Codable, Hashable {
    package var name: String
    /// Rows that it begins with.
    package var rows: Int

    package init(name: String, rows: Int) {
      self.name = name
      self.rows = rows
    }
  }

  package enum Clock: String, Sendable, Codable {
    /// Moved by commits and gaps, as the stepped schedule has it: the same operations have the same times.
    case virtual
    /// The machine's, with the gaps between launches added.
    case machine
  }

  /// The run that was recorded.
  package struct Origin: Sendable, Codable, Hashable {
    package var scenario: String
    package var arm: String
    package var engine: String
    package var engineVersion: String
    package var policy: String
    /// What the policy does, in the words of a scenario.
    package var policyRule: String
    /// The program and its version.
    package var program: String

    package init(
      scenario: String, arm: String, engine: String, engineVersion: String, policy: String,
      policyRule: String, program: String
    ) {
      self.policyRule = policyRule
      self.scenario = scenario
      self.arm = arm
      self.engine = engine
      self.engineVersion = engineVersion
      self.policy = policy
      self.program = program
    }
  }

  package var origin: Origin
  package var tables: [Table]
  package var clock: Clock
  /// Whether a commit is on disk when it returns.
  package var durable: Bool
  /// Commits between two samples.
  package var sampleEveryCommits: Int
  /// Seeds the bytes of values, of which a trace has the sizes only.
  package var seed: UInt64

  package init(
    origin: Origin, tables: [Table], clock: Clock, durable: Bool, sampleEveryCommits: Int,
    seed: UInt64
  ) {
    self.origin = origin
    self.tables = tables
    self.clock = clock
    self.durable = durable
    self.sampleEveryCommits = sampleEveryCommits
    self.seed = seed
  }
}

/// What is known when a recording ends.
package struct TraceTotals: Sendable, Codable, Hashable {
  package var records = 0
  /// Records of `enter`.
  package var commits = 0
  package var blocks = 0

  package init(records: Int = 0, commits: Int = 0, blocks: Int = 0) {
    self.records = records
    self.commits = commits
    self.blocks = blocks
  }
}

/// Places and sizes within a trace file, in bytes. Numbers are little-endian. Docs/TraceFormat.md has them as a table.
package enum TraceLayout {
  package static let version: UInt32 = 1
  static let magic: [UInt8] = Array("CLTRACE\0".utf8)
  static let blockMagic: UInt32 = 0x4B4C_4254  // "TBLK"
  static let endMagic: UInt32 = 0x444E_4554  // "TEND"
  static let frontLength = 16
  static let blockHeaderLength = 24
  static let endLength = 32
  /// A block is written when it has so many bytes of records …
  static let fullBlock = 1 << 16
  /// … and a reader takes no larger one, so that a damaged length asks for no memory.
  package static let largestBlock = 1 << 17
  static let largestHeader = 1 << 20
  /// Of a text, in UTF-8.
  package static let longestText = 4096
  /// Of a value.
  package static let largestValue = 1 << 30
}
