// Killing a child at a chosen point of its work on files. The point is a count of system calls, never a time, so that
// the same child dies with the same bytes on disk. The child is traced from the request on, and never outlives it.
import CPlatform

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The progress of a child at the moment when it was killed.
package struct CutShort: Sendable, Equatable {
  /// Calls that wrote, synced, renamed or removed, and were made.
  package var changes: Int
  /// The call that it was killed before; nil where it replied first.
  package var call: String?
}

extension InteractiveProcess {
  /// Sends a line, and kills the child: before its n-th call that changes files, where `change` is given and it comes so
  /// far, else before it replies. Errors: the system allows no tracing (`ENOSYS`, `EPERM`), or the child is gone.
  package func cutShort(
    whileDoing line: String, beforeChange change: Int?
  ) throws(SystemError) -> CutShort {
    defer { die() }
    var changes = 0
    var cut: String?
    try follow(line) { thread in
      var name = [CChar](repeating: 0, count: 32)
      switch cplatform_traced_call(thread, &name) {
      case 1 where changes + 1 == change:
        cut = Self.text(name)
        return false
      case 1: changes += 1
      case 2: return false
      default: break
      }
      return true
    }
    return CutShort(changes: changes, call: cut)
  }

  /// Sends a line, and stops the child at the beginning and the end of each of its system calls, in all its threads, until
  /// `atCall` returns false for a thread that is stopped there. The child is to be killed then: it stays stopped.
  func follow(
    _ line: String, _ atCall: (Int32) throws(SystemError) -> Bool
  ) throws(SystemError) {
    for thread in try FileSystem.list(FilePath("/proc/\(processID)/task")).compactMap({ Int32($0) })
    {
      try traced(cplatform_trace_thread(thread))
    }
    send(line)
    while true {
      var status: Int32 = 0
      let thread = cplatform_trace_wait(&status)
      if thread == -EINTR { continue }
      guard thread > 0 else { throw SystemError(code: -thread, call: "waitpid") }
      guard status & 0xFF == 0x7F else {
        guard thread == processID else { continue }
        note(status)
        throw SystemError(code: ECHILD, call: "the child ended by itself")
      }
      let signal = status >> 8 & 0xFF
      let isCall = signal == SIGTRAP | 0x80
      if isCall, !(try atCall(thread)) { return }
      // What stopped it was the tracing itself, but for a signal of its own, which it gets.
      let isOwnSignal = !isCall && status >> 16 == 0 && signal != SIGTRAP
      let code = cplatform_trace_continue(thread, isOwnSignal ? signal : 0)
      // A thread may be gone by the time.
      if code != 0, code != ESRCH { throw SystemError(code: code, call: "ptrace") }
    }
  }

  /// A process is over when its last thread is, and each that was traced is waited for by its tracer.
  func die() {
    while !hasEnded {
      sendKill()
      var status: Int32 = 0
      let thread = cplatform_trace_wait(&status)
      if thread == processID, status & 0xFF != 0x7F { note(status) }
      // Where nothing was traced, it is a child like any other.
      if thread == -ENOSYS { deliver(.kill) }
    }
  }

  static func text(_ name: [CChar]) -> String {
    String(decoding: name.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
  }

  private func traced(_ code: Int32) throws(SystemError) {
    guard code != 0 else { return }
    throw SystemError(code: code, call: "ptrace")
  }
}
