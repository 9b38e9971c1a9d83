// Another process with the database, seen from the one that runs the cell: started, asked line by line, killed,
// suspended. What it pins is entered in the ledger like everybody's.
import Generators
import ScenarioModel
package import SystemIO

/// How another process is started: a program that hands its first line, and then all others, to a `ProcessServer`.
package struct OtherProgram: Sendable {
  package var executable: FilePath
  package var arguments: [String]
  /// The job as one line.
  package var line: @Sendable (ProcessJob) throws -> String

  package init(
    _ executable: FilePath, arguments: [String],
    line: @escaping @Sendable (ProcessJob) throws -> String
  ) {
    self.executable = executable
    self.arguments = arguments
    self.line = line
  }
}

/// Who is asked, line by line: another process, or another thread of this one.
protocol Conversation: AnyObject {
  /// The system's number of the process.
  var processID: Int32 { get }
  @discardableResult func send(_ line: String) -> Bool
  /// The answer; nil where there is nobody any more.
  func ask(_ line: String) -> String?
  func deliver(_ signal: InteractiveProcess.Signal)
  /// Waits until it has ended; answers how it did.
  @discardableResult func wait() -> ChildProcess.Ending
}

extension InteractiveProcess: Conversation {}

final class OtherProcess: @unchecked Sendable {
  // One client at a time has it; between phases the run has.
  private let child: any Conversation
  private var context: ClientContext
  let name: String
  let spec: ProcessSpec
  /// The launch in which it began.
  let launch: Int
  private(set) var isSuspended = false
  private var pin: Int?

  /// Has it open the database.
  init(_ child: any Conversation, _ job: ProcessJob, _ context: ClientContext, launch: Int) throws {
    self.child = child
    self.context = context
    self.launch = launch
    (name, spec) = (job.name, job.spec)
    try ask(.open)
    if spec.work == .pins {
      try ask(.pin)
      let (commits, time) = context.recorder.position
      pin = context.ledger.begin(name, commit: commits, time: time)
    }
  }

  /// The system's number of it.
  var number: Int32 { child.processID }

  /// A phase begins that it takes part in, in this launch or the next.
  func enter(_ context: ClientContext) { self.context = context }

  /// One read or one commit, whichever is its work.
  func work() throws {
    guard !isSuspended else { return }
    switch spec.work {
    case .idles, .pins: break
    case .reads: try ask(.read)
    case .writes:
      let numbers = try ask(.write).split(separator: " ").compactMap { Int($0) }
      guard numbers.count == 2 else { throw RunnerError("\(name): a commit was not told of") }
      // Its commits take no virtual time: those of the scenario's own writers do.
      var work = CommittedWork(pace: .rate(.infinity, think: .zero))
      (work.operations, work.requestedBytes) = (numbers[0], numbers[1])
      try context.recorder.committed(work, context.session)
    }
  }

  /// Ends it as its ending says, if that is to happen before its stay is over; a suspended one stays. Answers whether it
  /// is gone.
  func meetItsEnd() throws -> Bool {
    switch spec.ending {
    case .closes: try close()
    case .exits:
      child.send(ProcessRequest.exit.rawValue)
      child.wait()
      leave()
    case .killed:
      child.deliver(.kill)
      leave()
    case .suspended:
      child.deliver(.suspend)
      isSuspended = true
      return false
    }
    return true
  }

  /// Its stay is over.
  func finish() throws {
    if isSuspended {
      child.deliver(.resume)
      isSuspended = false
      try close()
    } else if spec.ending == .suspended {
      try close()
    } else {
      _ = try meetItsEnd()
    }
  }

  /// A held snapshot must see to the end what it saw at first.
  private func close() throws {
    if pin != nil { try ask(.check) }
    try ask(.close)
    child.send(ProcessRequest.exit.rawValue)
    child.wait()
    leave()
  }

  private func leave() {
    guard let pin else { return }
    context.ledger.end(pin, commit: context.recorder.position.commits)
    self.pin = nil
  }

  @discardableResult
  private func ask(_ request: ProcessRequest) throws -> String {
    guard let answer = child.ask(request.rawValue) else {
      throw RunnerError("\(name): the other process is gone (\(child.wait()))")
    }
    guard answer == "ok" || answer.hasPrefix("ok ") else {
      throw RunnerError("\(name), in another process: \(answer)")
    }
    return String(answer.dropFirst(3))
  }
}
