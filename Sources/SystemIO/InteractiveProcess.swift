// A child process that is asked line by line: requests and replies are lines of text over one socket pair, which is its
// standard input and output. A socket, because a line to a child that is dead must be an error and
// never a signal, and because what is sent is then no part of the bytes that this process writes to files.
import CPlatform

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A child that replies to each line with a line. Used by one thread at a time. Children have every signal at its default and
/// are in the process group of their parent, as those of `ChildProcess`.
package final class InteractiveProcess: @unchecked Sendable {
  package let processID: Int32
  private let socket: Int32
  private var received: [UInt8] = []
  private var ending: ChildProcess.Ending?

  /// Starts the program. Errors: no socket, or nothing to spawn.
  package init(_ executable: FilePath, arguments: [String]) throws(SystemError) {
    var pair: [Int32] = [0, 0]
    let code = cplatform_socket_pair(&pair)
    guard code == 0 else { throw SystemError(code: code, call: "socketpair") }
    let (own, others) = (pair[0], pair[1])
    defer { _ = close(others) }
    #if !canImport(Glibc)
      var on: Int32 = 1
      setsockopt(own, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
    #endif
    do throws(SystemError) {
      processID = try Spawning.start(executable.string, arguments) { actions in
        for standard: Int32 in [0, 1] {
          posix_spawn_file_actions_adddup2(&actions, others, standard)
        }
      }
    } catch {
      _ = close(own)
      throw error
    }
    socket = own
  }

  deinit {
    if ending == nil {
      kill(processID, SIGKILL)
      _ = wait()
    }
    _ = close(socket)
  }

  /// Sends a line and returns the child's next one; nil where the child is gone.
  package func ask(_ line: String) -> String? {
    send(line) ? receive() : nil
  }

  /// Sends a line; returns false where the child is gone.
  @discardableResult
  package func send(_ line: String) -> Bool {
    var bytes = Array(line.utf8)[...]
    bytes.append(UInt8(ascii: "\n"))
    while !bytes.isEmpty {
      #if canImport(Glibc)
        let flags = Int32(MSG_NOSIGNAL)
      #else
        let flags: Int32 = 0
      #endif
      let sent = bytes.withUnsafeBytes { sendBytes(socket, $0.baseAddress, $0.count, flags) }
      if sent < 0, errno == EINTR { continue }
      guard sent > 0 else { return false }
      bytes = bytes.dropFirst(sent)
    }
    return true
  }

  /// Waits for the child's next line; nil where it is gone.
  package func receive() -> String? {
    while true {
      if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: received[..<end], as: UTF8.self)
        received.removeSubrange(...end)
        return line
      }
      var piece = [UInt8](repeating: 0, count: 4096)
      let count = recv(socket, &piece, piece.count, 0)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      received += piece[..<count]
    }
  }

  /// A signal that is sent to a process.
  package enum Signal: Sendable {
    case kill
    case suspend
    case resume

    fileprivate var number: Int32 {
      switch self {
      case .kill: SIGKILL
      case .suspend: SIGSTOP
      case .resume: SIGCONT
      }
    }
  }

  /// Sends the signal; a killed child is gone, and a suspended one stands still, when this returns.
  package func deliver(_ signal: Signal) {
    guard ending == nil else { return }
    kill(processID, signal.number)
    switch signal {
    case .kill: _ = wait()
    case .suspend:
      var status: Int32 = 0
      while waitpid(processID, &status, WUNTRACED) < 0, errno == EINTR {}
    case .resume: break
    }
  }

  /// Waits until the child has ended.
  @discardableResult
  package func wait() -> ChildProcess.Ending {
    if let ending { return ending }
    var status: Int32 = 0
    while waitpid(processID, &status, 0) < 0 {
      precondition(errno == EINTR, "a child was waited for that is not ours")
    }
    return note(status)
  }

  var hasEnded: Bool { ending != nil }

  /// The child has ended with this status of the system's.
  @discardableResult
  func note(_ status: Int32) -> ChildProcess.Ending {
    let found = ChildProcess.Ending(status: status)
    ending = found
    return found
  }

  /// Sends the signal and waits for nothing.
  func sendKill() { kill(processID, SIGKILL) }

  /// Ends this process with status 0 at once: nothing is closed or written. For child processes.
  package static func exitAtOnce() -> Never { _exit(0) }
}

/// The C function: inside the class its name would be searched among the members first.
private func sendBytes(
  _ socket: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32
) -> Int {
  send(socket, bytes, count, flags)
}
