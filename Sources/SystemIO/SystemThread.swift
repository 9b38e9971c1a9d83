// Threads of the operating system, for clients that block: the global queue runs only as many blocked items as there
// are processors and a few more, so many blocked readers on it would never all run.
import CPlatform

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A running thread, to be joined exactly once.
package final class SystemThread: @unchecked Sendable {
  private let thread: pthread_t
  private var isJoined = false

  private init(thread: pthread_t) { self.thread = thread }

  deinit {
    // It is not joined: the system releases it when it ends.
    if !isJoined { pthread_detach(thread) }
  }

  /// Starts a thread that runs `body`.
  ///
  /// `name` shows in system tools, cut to 15 bytes there. `processor`, where given, is the only one that it may run on;
  /// platforms without that choice run it anywhere.
  package static func start(
    name: String, processor: Int? = nil, _ body: @escaping @Sendable () -> Void
  ) throws(SystemError) -> SystemThread {
    let start = Start(name: name, processor: processor, body: body)
    let context = Unmanaged.passRetained(start).toOpaque()
    #if canImport(Glibc)
      var thread = pthread_t()
      let result = pthread_create(&thread, nil, { enter($0!) }, context)
    #else
      var created: pthread_t?
      let result = pthread_create(&created, nil, { enter($0) }, context)
    #endif
    guard result == 0 else {
      Unmanaged<Start>.fromOpaque(context).release()
      throw SystemError(code: result, call: "pthread_create", path: name)
    }
    #if canImport(Glibc)
      return SystemThread(thread: thread)
    #else
      return SystemThread(thread: created!)
    #endif
  }

  /// Waits until the thread's body has returned.
  package func join() {
    precondition(!isJoined, "A thread is joined once.")
    isJoined = true
    pthread_join(thread, nil)
  }

  /// Restricts the calling thread to one processor.
  package static func pinCurrent(toProcessor processor: Int) throws(SystemError) {
    let result = cplatform_pin_to_cpu(Int32(processor))
    guard result == 0 else { throw SystemError(code: result, call: "sched_setaffinity") }
  }

  /// The kernel's id of the process.
  package static var currentProcess: Int32 { getpid() }

  /// The kernel's id of the calling thread.
  package static var currentID: Int32 { cplatform_thread_id() }
}

/// The closure and settings that a new thread starts with.
private final class Start: Sendable {
  let name: String
  let processor: Int?
  let body: @Sendable () -> Void

  init(name: String, processor: Int?, body: @escaping @Sendable () -> Void) {
    self.name = name
    self.processor = processor
    self.body = body
  }
}

private func enter(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
  let start = Unmanaged<Start>.fromOpaque(context).takeRetainedValue()
  cplatform_name_thread(start.name)
  if let processor = start.processor { _ = cplatform_pin_to_cpu(Int32(processor)) }
  start.body()
  return nil
}

/// Memory of the calling thread's own, which costs little to find: two words, zero when the thread begins.
package enum ThreadWords {
  package static var current: UnsafeMutablePointer<UInt64> { cplatform_thread_words() }
}
