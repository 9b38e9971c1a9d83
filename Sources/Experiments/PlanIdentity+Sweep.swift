// The identity of a sweep: the scenarios of all its points, and what they are run with.
package import RecordModel
package import RunJournal
package import SystemIO

import class Foundation.JSONEncoder

extension PlanIdentity {
  package init(
    of plan: SweepPlan, _ axes: [SweepRecord.Axis], program: String, _ provenance: Provenance,
    executable: FilePath
  ) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let scenarios = try plan.groups.map { Array(try encoder.encode($0.scenario)) }
    let facts =
      [
        Fingerprint.Fact("program", program),
        Fingerprint.Fact("varied", axes.map { "\($0.name)=\($0.text)" }.joined(separator: "; ")),
        Fingerprint.Fact("scenarios", digestOf: Array(scenarios.joined())),
        Fingerprint.Fact("points", digestOf: Array(try encoder.encode(plan.points))),
        Fingerprint.Fact("seed", String(provenance.seed)),
        Fingerprint.Fact("repetitions", String(provenance.repetitions)),
      ] + Fingerprint(provenance).ofBytes
    self.init(
      facts: facts,
      localFacts: [Fingerprint.Fact("build", "\(try FileStamp(of: executable))")])
  }
}
