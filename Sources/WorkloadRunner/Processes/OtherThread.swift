// Another thread of this process that opens the database a second time. It takes the same requests as another process.
import SystemIO

/// Used by one thread at a time.
final class OtherThread: Conversation, @unchecked Sendable {
  private let lock = ThreadMutex()
  private let changed = ThreadCondition()
  private nonisolated(unsafe) var request: String?
  private nonisolated(unsafe) var response: String?
  private nonisolated(unsafe) var isOver = false
  private var thread: SystemThread?

  /// Starts a thread that serves requests; the server must not be used elsewhere.
  init(_ server: ProcessServer, name: String) throws {
    let box = ServerBox(server: server)
    thread = try SystemThread.start(name: name) { [self] in serve(box.server) }
  }

  /// Moves the server to its thread.
  private struct ServerBox: @unchecked Sendable {
    var server: ProcessServer
  }

  var processID: Int32 { SystemThread.currentProcess }

  @discardableResult
  func send(_ line: String) -> Bool { ask(line) != nil }

  func ask(_ line: String) -> String? {
    lock.withLock {
      guard !isOver else { return nil }
      (request, response) = (line, nil)
      changed.broadcast()
      while response == nil, !isOver { changed.wait(lock) }
      return response
    }
  }

  private func serve(_ server: ProcessServer) {
    while let line = next() {
      let response = server.respond(to: line)
      lock.withLock {
        self.response = response
        isOver = response == nil
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
    preconditionFailure(
      "a signal cannot be sent to one thread; the parser lets a thread only close")
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
