// The identity of a plan: everything that its results depend on, as facts.
package import RecordModel
package import RunJournal
import ScenarioModel
package import SystemIO
import WorkloadRunner

import class Foundation.JSONEncoder

extension PlanIdentity {
  /// - Parameters:
  ///   - program: the name and version of the program.
  ///   - provenance: what the run is made with.
  ///   - executable: the file of the program: another build may give other results under the same version.
  package init(
    of plan: ExperimentPlan, program: String, _ provenance: Provenance, executable: FilePath
  ) throws {
    let fingerprint = Fingerprint(provenance)
    var facts = [
      Fingerprint.Fact("program", program),
      Fingerprint.Fact("scenario", digestOf: try Self.json(plan.scenario)),
      Fingerprint.Fact("seed", String(plan.seed)),
      Fingerprint.Fact("schedules", plan.schedule.rawValue),
      Fingerprint.Fact("repetitions", String(plan.repetitions)),
      Fingerprint.Fact("stepped repetitions", String(plan.steppedRepetitions)),
      Fingerprint.Fact("A/A check", plan.certifies ? "yes" : "no"),
      Fingerprint.Fact("peak of disk use", plan.measuresPeakDisk ? "yes" : "no"),
      Fingerprint.Fact("recorded interleavings", plan.keepsInterleavings ? "yes" : "no"),
    ]
    if let interleaving = plan.interleaving {
      facts.append(Fingerprint.Fact("interleaving", digestOf: try Self.json(interleaving)))
    }
    if case .replay(let file, let speed) = plan.trace {
      facts.append(Fingerprint.Fact("trace", try Self.digest(of: FilePath(file))))
      facts.append(Fingerprint.Fact("speed", speed.map { "\($0)" } ?? "max"))
    }
    var localFacts = [Fingerprint.Fact("build", "\(try FileStamp(of: executable))")]
    if plan.schedule != .stepped {
      localFacts += fingerprint.ofTimes
    }
    if let kept = plan.keptFiles {
      localFacts.append(Fingerprint.Fact("--keep-files", kept.string))
    }
    self.init(facts: facts + fingerprint.ofBytes, localFacts: localFacts)
  }

  private static func json(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return Array(try encoder.encode(value))
  }

  /// Returns the digest of a file of any size.
  package static func digest(of file: FilePath) throws(SystemError) -> String {
    let reader = try FileReader(file)
    var digest = SampleDigest()
    var offset = 0
    while true {
      let piece = try reader.bytes(at: offset, count: 1 << 20)
      if piece.isEmpty { return digest.hex }
      digest.feed(piece)
      offset += piece.count
    }
  }
}

extension PlannedRun {
  /// The key of its result in a journal.
  func journalRun(point: Int? = nil) -> JournalRun {
    JournalRun(
      point: point, cell: cell, repetition: repetition, schedule: schedule, isControl: isControl)
  }
}
