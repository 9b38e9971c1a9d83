// A probe that runs while its phase lasts. The probes that run while the database is opened are in OpeningProbes.swift.
final class ProbeClient: CommitDrivenClient {
  let name: String
  let nextDue: Int? = nil
  private let start: () throws -> Probe?
  private var probe: Probe?

  /// `start` returns nil where there is nothing to time.
  init(_ name: String, start: @escaping () throws -> Probe?) {
    self.name = name
    self.start = start
  }

  func begin() throws { probe = try start() }
  func act() {}

  func end() {
    probe?.stop()
    probe = nil
  }
}
