// The state of a database at one moment, which policies and expectations are evaluated on, and the one table of the variables
// that they may name.

/// The state of a database at one moment of a run.
package struct Observation: Hashable, Sendable, Codable {
  package var time: VirtualTime
  /// Launches so far: 1 during the first.
  package var launch: Int
  /// Write transactions committed since the scenario began.
  package var commits: Int
  package var space: SpaceUsage
  /// Versions that the engine must keep readable, the newest among them; nil if the engine does not report it.
  package var liveVersions: Int?
  /// Snapshots that clients hold.
  package var pins: Int
  /// The commits since the oldest held snapshot; 0 without pins.
  package var oldestPinLag: Int
  /// The age of the oldest held snapshot.
  package var oldestPinAge: VirtualTime
  /// The bytes written and compacted so far; nil if they are not counted.
  package var work: WorkDone?
  /// Transactions and openings that were refused because of a limit, since the scenario began.
  package var refusals: Int
  /// What is left on the disk; known at launches only.
  package var freeDisk: ByteCount?
  /// What happened since the last compaction at a launch; known at launches only.
  package var history: LaunchHistory?
  /// The opening at which a policy decides; nil elsewhere.
  package var opening: Opening?

  package init(
    time: VirtualTime = .zero, launch: Int = 1, commits: Int = 0, space: SpaceUsage,
    liveVersions: Int? = nil, pins: Int = 0, oldestPinLag: Int = 0,
    oldestPinAge: VirtualTime = .zero, refusals: Int = 0
  ) {
    self.time = time
    self.launch = launch
    self.commits = commits
    self.space = space
    self.liveVersions = liveVersions
    self.pins = pins
    self.oldestPinLag = oldestPinLag
    self.oldestPinAge = oldestPinAge
    self.refusals = refusals
  }
}

/// The work of the engine since the scenario began.
package struct WorkDone: Hashable, Sendable, Codable {
  /// Bytes passed to the operating system; nil if not known.
  package var written: ByteCount?
  /// Bytes of data written again by compactions; nil if not known.
  package var rewritten: ByteCount?
  /// Compactions that finished.
  package var compactions: Int

  package init(written: ByteCount?, rewritten: ByteCount?, compactions: Int) {
    self.written = written
    self.rewritten = rewritten
    self.compactions = compactions
  }
}

/// A name that predicates and expectations may use, with its meaning.
package struct ObservedVariable: Sendable {
  package enum Unit: Hashable, Sendable {
    case bytes
    case seconds
    /// Bytes × the seconds that they lasted.
    case byteSeconds
    /// A number of things of this name: `commits`.
    case count(of: String)
    /// 1 or 0, which a condition may use without a comparison.
    case truth

    package var text: String {
      switch self {
      case .bytes: "bytes"
      case .seconds: "seconds"
      case .byteSeconds: "byte-seconds"
      case .count(let things): things
      case .truth: "true or false"
      }
    }

    /// Returns whether values of the two units may be compared.
    package func fits(_ other: Unit) -> Bool {
      switch (self, other) {
      case (.bytes, .bytes), (.seconds, .seconds), (.byteSeconds, .byteSeconds), (.count, .count):
        true
      default: false
      }
    }
  }

  package let name: String
  /// Other names for the same value: those of Realm's documentation.
  package let aliases: [String]
  package let unit: Unit
  /// The variable of which this one is a part: `usedBytes` of `totalBytes`.
  package let whole: String?
  package let meaning: String
  /// The value, or nil if the engine does not report it.
  package let value: @Sendable (Observation) -> Double?

  /// All variables. Policies, expectations and the runner use this one table.
  package static let all: [ObservedVariable] =
    [
      bytes("totalBytes", ["realmFileSizeInBytes", "fileBytes"], "length of the database file") {
        $0.space.file
      },
      part("usedBytes", "the file less all free-list space (what a launch callback is given)") {
        $0.space.usedAtLaunch
      },
      part("liveBytes", "reachable from the newest version") { $0.space.live },
      part("freeBytes", "reusable by the next commit") { $0.space.free },
      part("pinnedBytes", "kept only for snapshots") { $0.space.pinned },
      part("pendingBytes", "kept only for the last durable version") { $0.space.pending },
      part("overheadBytes", "headers, free list, padding") { $0.space.overhead },
      bytes("sidecarBytes", [], "files beside the main one, such as a write-ahead log") {
        $0.space.sidecar
      },
      bytes("allBytes", [], "the main file and the files beside it") { $0.space.total },
      bytes("writtenBytes", [], "handed to the operating system since the scenario began") {
        $0.work?.written
      },
      bytes("rewrittenBytes", [], "of data, written again by compactions since the scenario began")
      {
        $0.work?.rewritten
      },
      bytes(
        "freeDiskBytes", [],
        "left on the disk, at launches only; 64 GiB where the arm has no disk of limited size"
      ) {
        $0.freeDisk
      },
      count("compactions", "compactions", "that ended since the scenario began") {
        $0.work.map { Double($0.compactions) }
      },
      count("liveVersions", "versions", "versions kept readable") {
        $0.liveVersions.map(Double.init)
      },
      count("pins", "snapshots", "snapshots held by clients") { Double($0.pins) },
      count("pinLag", "commits", "commits since the oldest held snapshot") {
        Double($0.oldestPinLag)
      },
      seconds("pinAge", "age of the oldest held snapshot") { $0.oldestPinAge.seconds },
      count(
        "refusals", "refusals",
        "transactions and openings refused because of a limit, since the scenario began"
      ) {
        Double($0.refusals)
      },
      count("commits", "commits", "write transactions since the scenario began") {
        Double($0.commits)
      },
      count("launch", "launches", "1 during the first launch") { Double($0.launch) },
      seconds("time", "virtual seconds since the scenario began") { $0.time.seconds },
    ] + sinceCompaction + atOpenings

  /// What policies remember, at launches only. Before the first compaction it counts since the scenario began.
  private static let sinceCompaction: [ObservedVariable] = [
    count(
      "launchesSinceCompaction", "launches",
      "since the last compaction at a launch, at launches only"
    ) {
      $0.history.map { Double($0.launches) }
    },
    count("commitsSinceCompaction", "commits", "write transactions since that launch") {
      $0.history.map { Double($0.commits) }
    },
    seconds("timeSinceCompaction", "virtual seconds since that launch") {
      $0.history?.time.seconds
    },
    bytes("rewrittenSinceCompaction", [], "of data, written again by compactions since then") {
      $0.history?.rewritten
    },
    ObservedVariable(
      name: "wasteSinceCompaction", aliases: [], unit: .byteSeconds, whole: nil,
      meaning:
        "sum over launches since then: bytes above `usedBytes` × the time since the launch before",
      value: { $0.history?.waste }),
    bytes(
      "peakPinnedBytes", [],
      "the most that `pinnedBytes` was in the previous launch, at launches only"
    ) {
      $0.history?.peakPinned
    },
  ]

  /// What tells moments in the background from launches, where a policy decides. A policy that uses none of these decides at
  /// launches only.
  package static let atOpenings: [ObservedVariable] =
    BackgroundMoment.allCases.map { moment in
      ObservedVariable(
        name: moment.variable, aliases: [], unit: .truth, whole: nil,
        meaning: "whether it is a moment in the background of kind `\(moment.rawValue)`",
        value: { $0.opening.map { $0.moment == moment ? 1 : 0 } })
    } + [
      count(
        "opening", "openings", "1 at the first launch; moments in the background count, too"
      ) {
        $0.opening.map { Double($0.number) }
      }
    ]

  /// All names of variables, each variable's own before its aliases.
  package static let names: [String] = all.flatMap { [$0.name] + $0.aliases }

  /// Returns the variable with the name or alias.
  package static func named(_ name: String) -> ObservedVariable? {
    all.first { $0.name == name || $0.aliases.contains(name) }
  }

  /// Returns a variable for a part of the database file, in bytes.
  private static func part(
    _ name: String, _ meaning: String, _ value: @escaping @Sendable (Observation) -> ByteCount?
  ) -> ObservedVariable {
    bytes(name, [], whole: "totalBytes", meaning, value)
  }

  private static func bytes(
    _ name: String, _ aliases: [String], whole: String? = nil, _ meaning: String,
    _ value: @escaping @Sendable (Observation) -> ByteCount?
  ) -> ObservedVariable {
    ObservedVariable(name: name, aliases: aliases, unit: .bytes, whole: whole, meaning: meaning) {
      value($0).map { Double($0.bytes) }
    }
  }

  private static func seconds(
    _ name: String, _ meaning: String, _ value: @escaping @Sendable (Observation) -> Double?
  ) -> ObservedVariable {
    ObservedVariable(
      name: name, aliases: [], unit: .seconds, whole: nil, meaning: meaning, value: value)
  }

  private static func count(
    _ name: String, _ things: String, _ meaning: String,
    _ value: @escaping @Sendable (Observation) -> Double?
  ) -> ObservedVariable {
    ObservedVariable(
      name: name, aliases: [], unit: .count(of: things), whole: nil, meaning: meaning, value: value)
  }
}
