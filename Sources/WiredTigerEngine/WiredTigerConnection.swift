// A connection: WiredTiger's open database, and the sessions in it.
import CWiredTiger
import EngineInterface
import SystemIO

/// An open database of WiredTiger. Closes when it goes, if it was not closed before.
final class WiredTigerConnection: @unchecked Sendable {
  let library: WiredTigerLibrary
  let messages = MessageLog()
  private let pointer: UnsafeMutablePointer<wt_connection>
  private let mutex = ThreadMutex()
  private var isOpen = true

  init(_ setup: WiredTigerSetup) throws(EngineError) {
    library = setup.library
    let home = setup.files.home
    var opened: UnsafeMutablePointer<wt_connection>?
    let result = setup.library.open(home, messages.handler, setup.text, &opened)
    guard result == 0, let opened else {
      throw messages.error(result, while: "opening \(setup.files.data)", setup.library)
    }
    pointer = opened
    // What was reported on the way is not about a failure.
    _ = messages.take()
    guard opened.pointee.get_home(opened).map({ String(cString: $0) }) == home else {
      preconditionFailure("WiredTiger's handles are not laid out as they are declared.")
    }
  }

  deinit { try? close() }

  /// Closes all sessions, after a checkpoint.
  func close() throws(EngineError) {
    let wasOpen = mutex.withLock {
      defer { isOpen = false }
      return isOpen
    }
    if !wasOpen { return }
    // The checkpoint at closing would wake the thread for checkpoints, which has ended, once the log is long enough: a crash.
    _ = pointer.pointee.reconfigure(pointer, "checkpoint=(wait=0,log_size=0)")
    try check("closing", pointer.pointee.close(pointer, nil))
  }

  func openSession(
    _ options: String? = nil
  ) throws(EngineError) -> UnsafeMutablePointer<wt_session> {
    var opened: UnsafeMutablePointer<wt_session>?
    try check("opening a session", pointer.pointee.open_session(pointer, nil, options, &opened))
    guard let opened, opened.pointee.connection == pointer else {
      preconditionFailure("WiredTiger's handles are not laid out as they are declared.")
    }
    return opened
  }
}
