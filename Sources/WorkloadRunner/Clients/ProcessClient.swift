// A client in another process, which has the database open for the phase or longer.
import ScenarioModel
import SystemIO

final class ProcessClient: CommitDrivenClient {
  let name: String
  let holdsBackWriters = false
  private let spec: ProcessSpec
  private let context: ClientContext
  private let start: () throws -> OtherProcess
  private var process: OtherProcess?
  private var nextWork: Int?
  private var endDue: Int?

  /// `start` starts the process, unless it is still running from an earlier phase.
  init(
    _ name: String, _ spec: ProcessSpec, _ context: ClientContext,
    start: @escaping () throws -> OtherProcess
  ) {
    self.name = name
    self.spec = spec
    self.context = context
    self.start = start
  }

  func begin() throws {
    let commits = context.recorder.position.commits
    if let running = context.leftovers.process(of: name) {
      running.join(context.recorded)
      process = running
    } else {
      let started = try start()
      context.leftovers.add(started)
      process = started
      endDue = spec.endsAfterCommits.map { commits + $0 }
    }
    let works = spec.work == .reads || spec.work == .writes
    nextWork = works ? commits + spec.everyCommits : nil
  }

  var nextDue: Int? { [endDue, nextWork].compactMap { $0 }.min() }

  func act() throws {
    guard let process else { return }
    let commits = context.recorder.position.commits
    if let endDue, endDue <= commits {
      self.endDue = nil
      nextWork = nil
      if try process.end() { forgetProcess() }
    } else {
      try process.work()
      nextWork = commits + spec.everyCommits
    }
  }

  func end() throws {
    (nextWork, endDue) = (nil, nil)
    guard let process, spec.openUntil == .phase else { return }
    forgetProcess()
    try process.finish()
  }

  private func forgetProcess() {
    if let process { context.leftovers.remove(process) }
    process = nil
  }
}
