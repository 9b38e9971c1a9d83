// The probes that run while the database is opened. Those of a second database start before the opening; those of the
// database itself start when the policy decides to compact, since before that they would prevent the compaction.
import ScenarioModel
import SystemIO

final class OpeningProbes: Sendable {
  private nonisolated(unsafe) var running: [Probe] = []
  private nonisolated(unsafe) var waiting: [Probe] = []

  /// `start` starts a probe; if its last argument is true, the probe waits for `beginCompaction`.
  init(
    _ probes: [(client: ClientSpec, spec: ProbeSpec)],
    start: (String, ProbeSpec, Bool) throws -> Probe?
  ) throws {
    do {
      for (client, spec) in probes {
        let waits = spec.target == .this
        guard let probe = try start(client.name, spec, waits) else { continue }
        if waits { waiting.append(probe) } else { running.append(probe) }
      }
    } catch {
      stop()
      throw error
    }
  }

  /// Starts the probes of the database itself.
  func beginCompaction() {
    for probe in waiting { probe.begin() }
  }

  func stop() {
    for probe in running + waiting { probe.stop() }
  }
}
