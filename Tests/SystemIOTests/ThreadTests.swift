import SystemIO
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite("Threads, locks and signals")
struct ThreadTests {
  /// A number that is only right if the lock excludes.
  private final class Counter: @unchecked Sendable {
    let mutex = ThreadMutex()
    let condition = ThreadCondition()
    var value = 0
  }

  @Test("no increment is lost under the lock")
  func exclusion() throws {
    let counter = Counter()
    let threads = try (0..<4).map { number throws(SystemError) in
      try SystemThread.start(name: "adder-\(number)") {
        for _ in 0..<10_000 { counter.mutex.withLock { counter.value += 1 } }
      }
    }
    for thread in threads { thread.join() }
    #expect(counter.value == 40_000)
  }

  @Test("a waiting thread goes on when what it waits for is true")
  func conditions() throws {
    let counter = Counter()
    let thread = try SystemThread.start(name: "waiter") {
      counter.mutex.lock()
      while counter.value != 7 { counter.condition.wait(counter.mutex) }
      counter.value = 8
      counter.condition.broadcast()
      counter.mutex.unlock()
    }
    counter.mutex.withLock {
      counter.value = 7
      counter.condition.signal()
    }
    thread.join()
    #expect(counter.value == 8)
  }

  @Test("the lock hands errors and results through")
  func results() {
    let mutex = ThreadMutex()
    #expect(mutex.withLock { 5 } == 5)
    #expect(throws: SystemError(code: 1, call: "x")) {
      try mutex.withLock { () throws(SystemError) -> Void in throw SystemError(code: 1, call: "x") }
    }
    #expect(mutex.withLock { 6 } == 6)
  }

  #if os(Linux)
    @Test("a thread carries its name and runs where it was told to")
    func naming() throws {
      let heard = Heard()
      let thread = try SystemThread.start(name: "a-name-that-is-too-long", processor: 0) {
        let status = (try? FileSystem.readText("/proc/thread-self/status")) ?? ""
        let lines = status.split(separator: "\n")
        for line in lines where line.hasPrefix("Name:") || line.hasPrefix("Cpus_allowed_list:") {
          heard.add(Array("\(line)\n".utf8))
        }
      }
      thread.join()
      #expect(heard.text == "Name:\ta-name-that-is-\nCpus_allowed_list:\t0\n")
      #expect(throws: SystemError.self) { try SystemThread.pinCurrent(toProcessor: 1000) }
    }
  #endif

  @Test(
    "an interrupting signal is a request instead of the end, and ends the process again afterwards")
  func interrupts() async throws {
    // Under nohup the tests ignore it, and so would the request.
    let inherited = signal(SIGHUP, SIG_DFL)
    defer { signal(SIGHUP, inherited) }
    for number in [SIGINT, SIGTERM, SIGHUP] {
      let cancellation = try Cancellation.bySignals()
      #expect(!cancellation.isRequested)
      kill(getpid(), number)
      while !cancellation.isRequested { sched_yield() }
    }
    await #expect(processExitsWith: .signal(SIGTERM)) {
      unblock(SIGTERM)
      _ = try Cancellation.bySignals()
      raise(SIGTERM)
    }
  }

  @Test("a signal that comes again after a while ends the process, whatever it is at")
  func secondSignal() async throws {
    await #expect(processExitsWith: .signal(SIGINT)) {
      unblock(SIGINT)
      let cancellation = try Cancellation.bySignals()
      raise(SIGINT)
      // Twice at once is one request: timeout(1) sends its signal twice.
      raise(SIGINT)
      while cancellation.isRequested {
        raise(SIGINT)
        sched_yield()
      }
    }
  }

  @Test("a hang-up that the process was started to ignore stays ignored")
  func ignoredHangUp() async throws {
    await #expect(processExitsWith: .success) {
      unblock(SIGHUP)
      signal(SIGHUP, SIG_IGN)
      let cancellation = try Cancellation.bySignals()
      raise(SIGHUP)
      precondition(!cancellation.isRequested)
    }
  }
}

/// The process may have been spawned by a thread that blocks signals, and have inherited that.
private func unblock(_ number: Int32) {
  var signals = sigset_t()
  sigemptyset(&signals)
  sigaddset(&signals, number)
  pthread_sigmask(SIG_UNBLOCK, &signals, nil)
}
