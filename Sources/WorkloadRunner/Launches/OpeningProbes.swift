// The probes of one opening: those of a second database from before it begins, those of the database itself from when the
// policy says yes, since before that they would keep it from being compacted.
import ScenarioModel
import SystemIO

final class OpeningWatch: Sendable {
  private nonisolated(unsafe) var running: [Probe] = []
  private nonisolated(unsafe) var waiting: [Probe] = []

  /// `start` starts a probe, which waits for `compactionBegins` where its last argument is true. Both lists are complete
  /// when this returns.
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

  func compactionBegins() {
    for probe in waiting { probe.begin() }
  }

  func stop() {
    for probe in running + waiting { probe.stop() }
  }
}
