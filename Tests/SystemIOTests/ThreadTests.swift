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
    "an interrupt reaches the handler instead of ending the process, and ends it again afterwards")
  func interrupts() async throws {
    let (numbers, sink) = AsyncStream.makeStream(of: Int32.self)
    var interrupts: InterruptSignal? = try InterruptSignal { sink.yield($0) }
    kill(getpid(), SIGINT)
    var heard = numbers.makeAsyncIterator()
    #expect(await heard.next() == SIGINT)
    kill(getpid(), SIGTERM)
    #expect(await heard.next() == SIGTERM)
    #expect(interrupts != nil)
    interrupts = nil
    await #expect(processExitsWith: .signal(SIGTERM)) {
      // The process may have been spawned by a thread that blocks signals, and have inherited that.
      var terminate = sigset_t()
      sigemptyset(&terminate)
      sigaddset(&terminate, SIGTERM)
      pthread_sigmask(SIG_UNBLOCK, &terminate, nil)
      _ = try InterruptSignal { _ in }
      // The handler goes on a queue of its own; from then on the signal ends the process, as it did before.
      for _ in 0..<100_000 {
        raise(SIGTERM)
        usleep(100)
      }
    }
  }
}
