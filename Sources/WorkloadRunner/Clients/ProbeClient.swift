// A probe while its phase lasts. While the database is opened there is none of these: see CellRun+Probes.swift.
final class ProbeClient: PinningClient {
  let name: String
  let nextDue: Int? = nil
  private let start: () throws -> Probe?
  private var probe: Probe?

  /// `start` answers nil where there is nothing to time.
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
