// One row of samples.csv and one of timings.csv.
package import MetricModel

/// What is exact, at one moment of a run.
package struct Sample: Hashable, Sendable, Codable {
  package var phase: String
  package var observation: Observation
  /// Since the scenario began; nil where the engine cannot tell.
  package var written: ByteCount?
  /// Compactions that ended since the scenario began.
  package var compactions: Int
  /// Bytes that compactions wrote again since the scenario began.
  package var rewritten: ByteCount
  /// What automatic compaction is doing; nil where the engine has no states, or was not asked for it.
  package var automatic: AutomaticStage?
  /// What compaction did, or why it did not, since the sample before; empty for nothing.
  package var events: String

  package init(
    phase: String, observation: Observation, written: ByteCount?, compactions: Int,
    rewritten: ByteCount, automatic: AutomaticStage? = nil, events: String = ""
  ) {
    self.phase = phase
    self.observation = observation
    self.written = written
    self.compactions = compactions
    self.rewritten = rewritten
    self.automatic = automatic
    self.events = events
  }
}

/// What the machine showed at one moment of a run.
package struct TimingSample: Hashable, Sendable, Codable {
  /// Since the repetition began.
  package var elapsedNanoseconds: Int
  package var launch: Int
  package var phase: String
  package var commits: Int
  /// `st_size` and 512 × `st_blocks` of all files of the database.
  package var statSize: ByteCount
  package var statAllocated: ByteCount
  package var residentMemory: ByteCount
  /// How long the newest launch took to open the database, in nanoseconds; nil before the first had it.
  package var openNanoseconds: Int?
  /// Of write transactions and of reads that ended since the row before.
  package var commitLatency: LatencySummary
  package var readLatency: LatencySummary

  package init(
    elapsedNanoseconds: Int, launch: Int, phase: String, commits: Int, statSize: ByteCount,
    statAllocated: ByteCount, residentMemory: ByteCount, openNanoseconds: Int? = nil,
    commitLatency: LatencySummary = .none, readLatency: LatencySummary = .none
  ) {
    self.elapsedNanoseconds = elapsedNanoseconds
    self.launch = launch
    self.phase = phase
    self.commits = commits
    self.statSize = statSize
    self.statAllocated = statAllocated
    self.residentMemory = residentMemory
    self.openNanoseconds = openNanoseconds
    self.commitLatency = commitLatency
    self.readLatency = readLatency
  }
}

/// What a cell's process gives back.
package struct RepetitionResult: Sendable, Codable {
  package var record: RepetitionRecord
  package var samples: [Sample]
  package var timings: [TimingSample]

  package init(record: RepetitionRecord, samples: [Sample], timings: [TimingSample]) {
    self.record = record
    self.samples = samples
    self.timings = timings
  }
}
