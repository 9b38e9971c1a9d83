// One row of samples.csv, and what a repetition gives back.
package import MetricModel

/// What is exact, at one moment of a run.
package struct Sample: Hashable, Sendable, Codable {
  package var phase: String
  package var observation: Observation
  /// Since the scenario began; nil where the engine cannot tell.
  package var written: ByteCount?
  /// Compactions that ended since the scenario began.
  package var compactions: Int
  /// Bytes that compactions wrote again since the scenario began; nil once one did not tell.
  package var rewritten: ByteCount?
  /// What automatic compaction is doing; nil where the engine has no states, or was not asked for it.
  package var automatic: AutomaticStage?
  /// What compaction did, or why it did not, since the sample before; empty for nothing.
  package var events: String

  package init(
    phase: String, observation: Observation, written: ByteCount?, compactions: Int,
    rewritten: ByteCount?, automatic: AutomaticStage? = nil, events: String = ""
  ) {
    self.phase = phase
    self.observation = observation
    self.written = written
    self.compactions = compactions
    self.rewritten = rewritten
    self.automatic = automatic
    self.events = events
  }

  /// The observation with what was written and compacted up to then: what an expectation sees.
  package var seen: Observation {
    var seen = observation
    seen.work = WorkDone(written: written, rewritten: rewritten, compactions: compactions)
    return seen
  }
}

/// What a cell's process gives back.
package struct RepetitionResult: Sendable, Codable {
  package var record: RepetitionRecord
  package var samples: [Sample]
  package var timings: [TimingSample]
  /// The order of the clients' turns; nil where it was not asked for.
  package var interleaving: Interleaving?

  package init(
    record: RepetitionRecord, samples: [Sample], timings: [TimingSample],
    interleaving: Interleaving? = nil
  ) {
    self.record = record
    self.samples = samples
    self.timings = timings
    self.interleaving = interleaving
  }
}
