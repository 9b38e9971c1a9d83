// Another process that has the database open, as the cell's process controls it: it is started, gets requests line by
// line, is killed or suspended. Its pins are entered in the ledger as those of all clients.
import Generators
import ScenarioModel
package import SystemIO

/// How to start another process: a program that makes a `ProcessServer` of its first line and passes all other lines to
/// it.
package struct OtherProgram: Sendable {
  package var executable: FilePath
  package var arguments: [String]
  /// Encodes the job as one line.
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

/// The other end of a conversation line by line: another process, or another thread of this one.
protocol Conversation: AnyObject {
  /// The system's identifier of the process.
  var processID: Int32 { get }
  @discardableResult func send(_ line: String) -> Bool
  /// Sends a request and returns the response; nil if the other end has ended.
  func ask(_ line: String) -> String?
  func deliver(_ signal: InteractiveProcess.Signal)
  /// Waits until it has ended, and returns how it ended.
  @discardableResult func wait() -> ChildProcess.Ending
}

extension InteractiveProcess: Conversation {}

final class OtherProcess: @unchecked Sendable {
  // Used by one client at a time, and between phases by the run.
  private let child: any Conversation
  private var session: RecordedSession
  let name: String
  let spec: ProcessSpec
  /// The launch in which it was started.
  let launch: Int
  private(set) var isSuspended = false
  private var pin: PinEntry?

  /// Has the process open the database, and take its snapshot if it is there to pin.
  init(
    _ child: any Conversation, _ job: ProcessJob, _ session: RecordedSession, launch: Int
  ) throws {
    self.child = child
    self.session = session
    self.launch = launch
    (name, spec) = (job.name, job.spec)
    try ask(.open)
    if spec.work == .pins {
      try ask(.pin)
      pin = session.enterPin(of: name)
    }
  }

  /// The system's identifier of the process.
  var identifier: Int32 { child.processID }

  /// Joins a phase of this launch or the next one.
  func join(_ session: RecordedSession) { self.session = session }

  /// Carries out one read or one commit, depending on the client's specification.
  func work() throws {
    guard !isSuspended else { return }
    switch spec.work {
    case .idles, .pins: break
    case .reads: try ask(.read)
    case .writes:
      let numbers = try ask(.write).split(separator: " ").compactMap { Int($0) }
      guard numbers.count == 2 else {
        throw RunnerError("\(name): the response to a commit lacks its figures")
      }
      // Its commits take no virtual time; only those of the scenario's own writers do.
      var work = CommittedWork(pace: .rate(.infinity, think: .zero))
      (work.operations, work.requestedBytes) = (numbers[0], numbers[1])
      try session.recorder.record(commit: work, session.session)
    }
  }

  /// Ends the process in the specified way. Returns false for a process that is suspended and so continues to exist.
  func end() throws -> Bool {
    switch spec.ending {
    case .closes: try close()
    case .exits:
      child.send(ProcessRequest.exit.rawValue)
      child.wait()
      endPin()
    case .killed:
      child.deliver(.kill)
      endPin()
    case .suspended:
      child.deliver(.suspend)
      isSuspended = true
      return false
    }
    return true
  }

  /// Ends the process at the end of its stay; a suspended one is resumed and closes the database.
  func finish() throws {
    if isSuspended {
      child.deliver(.resume)
      isSuspended = false
      try close()
    } else if spec.ending == .suspended {
      try close()
    } else {
      _ = try end()
    }
  }

  /// Has the process check its held snapshot, close the database and exit.
  private func close() throws {
    if pin != nil { try ask(.check) }
    try ask(.close)
    child.send(ProcessRequest.exit.rawValue)
    child.wait()
    endPin()
  }

  private func endPin() {
    pin?.end()
    pin = nil
  }

  @discardableResult
  private func ask(_ request: ProcessRequest) throws -> String {
    guard let response = child.ask(request.rawValue) else {
      throw RunnerError("\(name): the other process has ended (\(child.wait()))")
    }
    guard response == "ok" || response.hasPrefix("ok ") else {
      throw RunnerError("\(name), in another process: \(response)")
    }
    return String(response.dropFirst(3))
  }
}
