// The header of a trace: what a replay on another engine needs, and the run from which the trace comes. It is JSON, so that
// later versions can add members; readers ignore unknown ones.

package struct TraceHeader: Sendable, Codable, Hashable {
  package struct Table: Sendable, Codable, Hashable {
    package var name: String
    /// The number of rows at the beginning.
    package var rows: Int

    package init(name: String, rows: Int) {
      self.name = name
      self.rows = rows
    }
  }

  package enum Clock: String, Sendable, Codable {
    /// The clock of the stepped schedule, which commits and gaps move: the same operations have the same times.
    case virtual
    /// The machine's clock plus the gaps between launches.
    case machine
  }

  /// The run that was recorded.
  package struct Origin: Sendable, Codable, Hashable {
    package var scenario: String
    package var arm: String
    package var engine: String
    package var engineVersion: String
    package var policy: String
    /// The policy's rule as scenarios write it.
    package var policyRule: String
    /// The name and version of the recording program.
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
  /// Whether commits are durable when they return.
  package var durable: Bool
  /// The number of commits between two samples.
  package var sampleEveryCommits: Int
  /// The seed of the bytes of values; a trace has only their sizes.
  package var seed: UInt64
  /// The number of transactions that the recording left out because it had no memory for them; nil for none.
  package var dropped: Int?

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

/// The totals of a trace, stored at its end.
package struct TraceTotals: Sendable, Codable, Hashable {
  package var records = 0
  /// The number of `enter` records.
  package var commits = 0
  package var blocks = 0

  package init(records: Int = 0, commits: Int = 0, blocks: Int = 0) {
    self.records = records
    self.commits = commits
    self.blocks = blocks
  }

  /// Decodes totals that may lack `blocks`, since programs that write JSON lines have none.
  package init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    records = try members.decode(Int.self, forKey: .records)
    commits = try members.decode(Int.self, forKey: .commits)
    blocks = try members.decodeIfPresent(Int.self, forKey: .blocks) ?? 0
  }
}

/// Offsets and lengths within a trace file, in bytes. Numbers are little-endian. Docs/TraceFormat.md has them as a table.
package enum TraceLayout {
  package static let version: UInt32 = 1
  static let magic: [UInt8] = Array("CLTRACE\0".utf8)
  static let blockMagic: UInt32 = 0x4B4C_4254  // "TBLK"
  static let endMagic: UInt32 = 0x444E_4554  // "TEND"
  static let frontLength = 16
  static let blockHeaderLength = 24
  static let endLength = 32
  /// A block is written as soon as it has this many bytes of records …
  static let targetBlockLength = 1 << 16
  /// … and a reader refuses longer ones, so that a damaged length does not allocate much memory.
  package static let maxBlockLength = 1 << 17
  static let maxHeaderLength = 1 << 20
  /// The greatest length of a text in UTF-8.
  package static let maxTextLength = 4096
  /// The greatest length of a value.
  package static let maxValueLength = 1 << 30
}
