// Another process that has the database open while the phase lasts, or longer.
import ScenarioModel
import SystemIO

final class ProcessClient: PinningClient {
  let name: String
  private let spec: ProcessSpec
  private let context: ClientContext
  private let start: () throws -> OtherProcess
  private var process: OtherProcess?
  private var nextWork: Int?
  private var endDue: Int?

  /// `start` starts the process where it is not there from a phase before.
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
    if let there = context.leftovers.process(of: name) {
      there.enter(context)
      process = there
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
      if try process.meetItsEnd() { gone() }
    } else {
      try process.work()
      nextWork = commits + spec.everyCommits
    }
  }

  func end() throws {
    (nextWork, endDue) = (nil, nil)
    guard let process, spec.openUntil == .phase else { return }
    gone()
    try process.finish()
  }

  private func gone() {
    if let process { context.leftovers.remove(process) }
    process = nil
  }
}
