// One row of samples.csv, and the result of a repetition.
package import MetricModel

/// The exact state at one moment of a run.
package struct Sample: Hashable, Sendable, Codable {
  package var phase: String
  package var observation: Observation
  /// The bytes written since the scenario began; nil if the engine does not report them.
  package var written: ByteCount?
  /// Compactions that finished since the scenario began.
  package var compactions: Int
  /// Bytes that compactions wrote again since the scenario began; nil once one of them did not report it.
  package var rewritten: ByteCount?
  /// The stage of automatic compaction; nil if the engine has none, or is not asked for it.
  package var automatic: AutomaticStage?
  /// The compaction events since the sample before; empty for none.
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

  /// The observation with the work done so far, as an expectation sees it.
  package var seen: Observation {
    var seen = observation
    seen.work = WorkDone(written: written, rewritten: rewritten, compactions: compactions)
    return seen
  }
}

/// The result of a cell's process.
package struct RepetitionResult: Sendable, Codable {
  package var record: RepetitionRecord
  package var samples: [Sample]
  package var timings: [TimingSample]
  /// The order of the clients' turns; nil if it was not recorded.
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
