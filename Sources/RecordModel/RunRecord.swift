// The record of a run, saved as record.json with the sample files beside it.
package import MetricModel
package import Objective
package import ScenarioModel

/// One scenario's run, except the sample rows, which are in samples.csv and timings.csv.
package struct RunRecord: Sendable, Codable, Equatable {
  /// Raised when a reader of the older one would misread the newer, or refuse the files beside it: 2 since
  /// samples.csv has `events`, 3 since it has `tail_bytes` and `automatic_state`, 4 since timings.csv has latencies of
  /// writes and from intended times, memory by kind, bytes written and free disk, 5 since
  /// samples.csv has `refusals`, 6 since the record has digests of itself and of the files beside it, 7 since a cell may
  /// have runs on real threads beside its stepped ones and timings.csv has lookups and the wait for the write lock. Not
  /// raised since `rewritten_bytes` can be empty, for an engine that does not report it: older records are read as before,
  /// and an older reader refuses such rows with their line.
  package static let currentFormat = 7
  /// The formats that are read. Of the first, records have no digests.
  package static let readableFormats = unsealedFormat...currentFormat
  /// The last format without digests.
  package static let unsealedFormat = 5

  package var format: Int
  package var scenario: Scenario
  package var provenance: Provenance
  package var cells: [CellRecord]
  /// The files beside record.json; nil in records of earlier versions.
  package var files: [RecordedFile]?
  /// The result of checking the digests; not part of the file.
  package var integrity = RecordIntegrity.verified

  private enum CodingKeys: String, CodingKey { case format, scenario, provenance, cells, files }

  package init(
    format: Int = Self.currentFormat, scenario: Scenario, provenance: Provenance,
    cells: [CellRecord]
  ) {
    self.format = format
    self.scenario = scenario
    self.provenance = provenance
    self.cells = cells
  }
}

/// The environment and the parameters of the run.
package struct Provenance: Sendable, Codable, Equatable {
  package var toolVersion: String
  /// The command that repeats the run.
  package var command: String
  package var schedule: RunSchedule
  package var seed: UInt64
  /// Runs of each cell; under both schedules, those on real threads.
  package var repetitions: Int
  /// ISO 8601, UTC.
  package var startedAt: String
  package var operatingSystem: String
  package var processor: String
  package var cores: Int
  package var memory: ByteCount
  package var fileSystem: String
  /// Engine id → version text.
  package var engineVersions: [String: String]
  /// Engine id → its accounting and mechanisms, for the report.
  package var engineNotes: [String: EngineNote]
  /// The run was interrupted; some cells lack repetitions.
  package var interrupted: Bool
  /// Further facts of the machine; nil in records of earlier versions.
  package var platform: Platform?
  /// The machine while timed figures were measured; nil in records of earlier versions.
  package var conditions: MachineConditions?
  /// The digest of the plan: scenario, engines with versions, seed and options; nil in records of earlier versions.
  package var plan: String?
  /// Why the peak of disk use was not measured; nil where it was, or where a run without it is the default.
  package var peakDiskAbsence: String?
  /// The shards that the record was merged from, and their machines; nil for a run of one process.
  package var shards: [ShardOrigin]?

  package init(
    toolVersion: String, command: String, schedule: RunSchedule, seed: UInt64, repetitions: Int,
    startedAt: String, operatingSystem: String, processor: String, cores: Int, memory: ByteCount,
    fileSystem: String, engineVersions: [String: String], engineNotes: [String: EngineNote] = [:],
    interrupted: Bool = false, platform: Platform? = nil
  ) {
    self.toolVersion = toolVersion
    self.command = command
    self.schedule = schedule
    self.seed = seed
    self.repetitions = repetitions
    self.startedAt = startedAt
    self.operatingSystem = operatingSystem
    self.processor = processor
    self.cores = cores
    self.memory = memory
    self.fileSystem = fileSystem
    self.engineVersions = engineVersions
    self.engineNotes = engineNotes
    self.interrupted = interrupted
    self.platform = platform
  }
}

/// The rest of a machine's fingerprint.
package struct Platform: Sendable, Codable, Equatable {
  /// The frequency governor of the processors: `performance`, `powersave`; empty if the machine does not report it, as a
  /// virtual one.
  package var governor: String
  package var pageBytes: Int
  package var byteOrder: String
  /// Library → version: those that take part in a measurement besides the engines.
  package var libraryVersions: [String: String]
  /// The file systems of the database files and of the output folder, with the options that they are mounted with:
  /// `ext4 (rw,relatime)`; nil in records of earlier versions, and where the system does not report options.
  package var databaseMount: String?
  package var outputMount: String?

  package init(
    governor: String, pageBytes: Int, byteOrder: String,
    libraryVersions: [String: String]
  ) {
    self.governor = governor
    self.pageBytes = pageBytes
    self.byteOrder = byteOrder
    self.libraryVersions = libraryVersions
  }
}

/// An engine's capabilities in words, so that a record can be rendered without the engine.
package struct EngineNote: Sendable, Codable, Equatable {
  /// A line that describes the engine.
  package var summary: String
  /// Whether every byte of its files is counted once.
  package var isExact: Bool
  /// The parts of the accounting that are estimated or missing; empty if none.
  package var accounting: String
  /// The mechanisms of policies: `automatic` → `auto_vacuum and checkpoints`.
  package var mechanisms: [String: String]

  package init(
    summary: String, isExact: Bool, accounting: String = "", mechanisms: [String: String] = [:]
  ) {
    self.summary = summary
    self.isExact = isExact
    self.accounting = accounting
    self.mechanisms = mechanisms
  }
}

/// A cell of the matrix: engine × policy × arm.
package struct CellKey: Hashable, Sendable, Codable {
  package var engine: String
  package var policy: String
  package var arm: String

  package init(engine: String, policy: String, arm: String) {
    self.engine = engine
    self.policy = policy
    self.arm = arm
  }
}

package struct CellRecord: Sendable, Codable, Equatable {
  package enum Status: Sendable, Codable, Equatable {
    case measured
    /// The engine does not support the policy or the arm.
    case notApplicable(reason: String)
    /// This machine lacks the engine, or something that the cell needs, such as the right to mount a limited disk.
    case unavailable(reason: String)
    case failed(reason: String)
  }

  package var key: CellKey
  package var status: Status
  /// Under both schedules, the stepped runs, which have the exact figures.
  package var repetitions: [RepetitionRecord]
  /// Under both schedules, the runs on real threads, which have the timed figures; nil under one schedule.
  package var threadedRepetitions: [RepetitionRecord]?
  /// Second runs on real threads within the blocks, for the A/A check; nil without one.
  package var controls: [ControlRun]?

  package init(
    key: CellKey, status: Status, repetitions: [RepetitionRecord] = [],
    threadedRepetitions: [RepetitionRecord]? = nil
  ) {
    self.key = key
    self.status = status
    self.repetitions = repetitions
    self.threadedRepetitions = threadedRepetitions
  }

  /// The runs that timed figures come from.
  package var timedRepetitions: [RepetitionRecord] { threadedRepetitions ?? repetitions }
  package var hasFailed: Bool {
    if case .failed = status { true } else { false }
  }
  /// All runs, in the order of their indexes.
  package var allRepetitions: [RepetitionRecord] { repetitions + (threadedRepetitions ?? []) }
}

/// One run of a cell, in a process of its own.
package struct RepetitionRecord: Sendable, Codable, Equatable {
  /// The maximum number of pins in a record.
  package static let maxPins = 200

  /// From 1 on, each once in a cell; those on real threads come after the stepped ones.
  package var index: Int
  package var exact: ExactSummary
  package var timing: TimingSummary
  /// Launch decisions and compactions, in order.
  package var events: [RunEvent]
  /// The beginning and end of each phase, for plots.
  package var phases: [PhaseSpan]
  /// The times for which pins were held, for plots; at most `maxPins`, longest first.
  package var pins: [PinSpan]
  /// Refusals because of a limit; nil for none.
  package var refusals: [Refusal]?
  /// The page fill of each table at the end of the last launch; nil if the engine does not report it.
  package var tables: [TableStatistics]?
  /// The clients of lookups, by name; nil for none.
  package var lookups: [LookupFigures]?
  /// Clients and events over time; nil under the stepped schedule, and in records of earlier versions.
  package var timeline: Timeline?
  /// The launches before which files were dropped from the page cache; nil for none.
  package var coldStarts: [ColdStart]?

  package init(
    index: Int, exact: ExactSummary, timing: TimingSummary, events: [RunEvent],
    phases: [PhaseSpan], pins: [PinSpan]
  ) {
    self.index = index
    self.exact = exact
    self.timing = timing
    self.events = events
    self.phases = phases
    self.pins = pins
  }
}

/// Figures that are reproducible bit for bit under the stepped schedule.
package struct ExactSummary: Sendable, Codable, Equatable {
  /// The maximum of `SpaceUsage.total` over all samples.
  package var highWater: ByteCount
  /// `SpaceUsage.total` of the last sample.
  package var final: ByteCount
  package var finalLive: ByteCount?
  /// Mean of `SpaceUsage.total` over virtual time, including the time between launches.
  package var timeWeighted: ByteCount
  /// The same over the time within launches only.
  package var timeWeightedOpen: ByteCount
  /// Bytes that compactions wrote again; nil if the engine does not report them.
  package var rewritten: ByteCount?
  /// Bytes that the engine passed to the operating system; nil if it does not report them.
  package var written: ByteCount?
  /// Bytes of keys and values that the clients wrote.
  package var requested: ByteCount
  package var commits: Int
  package var operations: Int
  /// The most bytes that all files of the database had allocated at once; nil where it was not measured.
  package var peakDisk: ByteCount?
  /// All files over virtual time, from the first sample to the last; nil in records of earlier versions.
  package var area: ByteTime?
  /// Live data over the same time; nil in records of earlier versions, and if the engine does not report live bytes.
  package var liveArea: ByteTime?
  /// How long the run was, on the virtual clock; nil in records of earlier versions.
  package var time: VirtualTime?
  /// `SampleDigest` of the sample rows, in hex: equal rows, equal digest.
  package var samplesDigest: String

  package init(
    highWater: ByteCount, final: ByteCount, finalLive: ByteCount?, timeWeighted: ByteCount,
    timeWeightedOpen: ByteCount, rewritten: ByteCount?, written: ByteCount?, requested: ByteCount,
    commits: Int, operations: Int, samplesDigest: String
  ) {
    self.highWater = highWater
    self.final = final
    self.finalLive = finalLive
    self.timeWeighted = timeWeighted
    self.timeWeightedOpen = timeWeightedOpen
    self.rewritten = rewritten
    self.written = written
    self.requested = requested
    self.commits = commits
    self.operations = operations
    self.samplesDigest = samplesDigest
  }
}

/// A compaction, or a launch's decision, with where it happened.
package struct RunEvent: Sendable, Codable, Equatable {
  package var launch: Int
  package var phase: String
  package var commit: Int
  package var time: VirtualTime
  package var event: CompactionEvent

  package init(
    launch: Int, phase: String, commit: Int, time: VirtualTime, event: CompactionEvent
  ) {
    self.launch = launch
    self.phase = phase
    self.commit = commit
    self.time = time
    self.event = event
  }
}

/// Refusals with one code in one phase of one launch, with the first message.
package struct Refusal: Sendable, Codable, Equatable {
  package var launch: Int
  /// `open` for an opening.
  package var phase: String
  /// Commits before the first of them.
  package var commit: Int
  package var count: Int
  /// The engine's error code: `outOfSpace`.
  package var code: String
  /// The engine's message of the first.
  package var reason: String

  package init(
    launch: Int, phase: String, commit: Int, count: Int = 1, code: String, reason: String
  ) {
    self.launch = launch
    self.phase = phase
    self.commit = commit
    self.count = count
    self.code = code
    self.reason = reason
  }
}

package struct PhaseSpan: Sendable, Codable, Equatable {
  package var launch: Int
  package var phase: String
  package var firstCommit: Int
  package var lastCommit: Int

  package init(launch: Int, phase: String, firstCommit: Int, lastCommit: Int) {
    self.launch = launch
    self.phase = phase
    self.firstCommit = firstCommit
    self.lastCommit = lastCommit
  }
}

package struct PinSpan: Sendable, Codable, Equatable {
  package var holder: String
  package var firstCommit: Int
  package var lastCommit: Int
  /// The maxima of bytes retained for it, and of those exclusively for it; nil if the engine does not report them.
  package var retained: ByteCount?
  package var exclusive: ByteCount?

  package init(
    holder: String, firstCommit: Int, lastCommit: Int, retained: ByteCount? = nil,
    exclusive: ByteCount? = nil
  ) {
    self.holder = holder
    self.firstCommit = firstCommit
    self.lastCommit = lastCommit
    self.retained = retained
    self.exclusive = exclusive
  }
}
