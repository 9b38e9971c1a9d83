// Another thread of this process that has an opening of its own: asked as another process is, and it answers alike.
import SystemIO

/// Used by one thread at a time, as a process is.
final class OtherThread: Conversation, @unchecked Sendable {
  private let lock = ThreadMutex()
  private let changed = ThreadCondition()
  private nonisolated(unsafe) var request: String?
  private nonisolated(unsafe) var answer: String?
  private nonisolated(unsafe) var isOver = false
  private var thread: SystemThread?

  /// The thread has the server alone.
  init(_ server: ProcessServer, name: String) throws {
    let handed = Handed(server: server)
    thread = try SystemThread.start(name: name) { [self] in serve(handed.server) }
  }

  private struct Handed: @unchecked Sendable {
    var server: ProcessServer
  }

  var processID: Int32 { SystemThread.currentProcess }

  @discardableResult
  func send(_ line: String) -> Bool { ask(line) != nil }

  func ask(_ line: String) -> String? {
    lock.withLock {
      guard !isOver else { return nil }
      (request, answer) = (line, nil)
      changed.broadcast()
      while answer == nil, !isOver { changed.wait(lock) }
      return answer
    }
  }

  private func serve(_ server: ProcessServer) {
    while let line = next() {
      let answer = server.answer(line)
      lock.withLock {
        self.answer = answer
        isOver = answer == nil
        changed.broadcast()
      }
    }
  }

  private func next() -> String? {
    lock.withLock {
      while request == nil, !isOver { changed.wait(lock) }
      defer { request = nil }
      return isOver ? nil : request
    }
  }

  func deliver(_ signal: InteractiveProcess.Signal) {
    preconditionFailure("no signal goes to one thread; the parser lets it only close")
  }

  @discardableResult
  func wait() -> ChildProcess.Ending {
    lock.withLock {
      isOver = true
      changed.broadcast()
    }
    thread?.join()
    thread = nil
    return .exited(0)
  }
}
