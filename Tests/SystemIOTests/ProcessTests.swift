import SystemIO
import TestSupport
import Testing

@Suite("Child processes")
struct ChildProcessTests {
  private func shell(_ script: String) throws -> ChildProcess {
    let shell = try #require(ChildProcess.findExecutable("sh"))
    return ChildProcess(shell, arguments: ["-c", script])
  }

  @Test("input goes in, output and errors come out, and the status is the child's")
  func plainRun() async throws {
    let outcome = try await shell("cat; echo trouble >&2; exit 3").run(input: Array("héllo".utf8))
    #expect(outcome.outputText == "héllo")
    #expect(outcome.errorText == "trouble\n")
    #expect(outcome.ending == .exited(3))
    #expect(!outcome.ending.isSuccess)
  }

  @Test("a child ended by a signal says which")
  func signalled() async throws {
    let outcome = try await shell("kill -9 $$").run()
    #expect(outcome.ending == .signalled(9))
    #expect(outcome.ending.description == "signal 9")
  }

  @Test("the environment is inherited but for what is changed or taken away")
  func environment() async throws {
    var child = try shell("echo ${PATH:+path} ${ADDED-no} ${HOME-no}")
    child.environment = ["ADDED": "yes", "HOME": nil]
    #expect(try await child.run().outputText == "path yes no\n")
  }

  @Test("output arrives piece by piece where it is asked for, and then is not collected")
  func streaming() async throws {
    let heard = Heard()
    let outcome = try await shell("echo one; echo two").run(onOutput: { heard.add($0) })
    #expect(heard.text == "one\ntwo\n")
    #expect(outcome.output.isEmpty)
  }

  @Test("output larger than a pipe does not block")
  func muchOutput() async throws {
    let outcome = try await shell("head -c 3000000 /dev/zero; head -c 300000 /dev/zero >&2").run()
    #expect(outcome.output.count == 3_000_000)
    #expect(outcome.errorText.utf8.count == 300_000)
  }

  @Test("a program that is not there is an error with its path")
  func missingProgram() async throws {
    let error = try await #require(throws: SystemError.self) {
      try await ChildProcess("/no/such/program").run()
    }
    #expect(error.isNotFound)
    #expect(error.path == "/no/such/program")
    #expect(ChildProcess.findExecutable("no-such-program-anywhere") == nil)
  }

  @Test("cancelling the task kills the child")
  func cancelling() async throws {
    let child = try shell("echo ready; exec sleep 1000")
    let (started, starting) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      try await child.run(onOutput: { _ in starting.yield() })
    }
    for await _ in started { break }
    task.cancel()
    let error = try await #require(throws: SystemError.self) { try await task.value }
    #expect(error.isCancellation)
  }
}

@Suite("What the process and the machine tell of themselves")
struct ProcessFactsTests {
  @Test("this process has memory, and never more than at its peak")
  func memory() throws {
    let memory = ProcessMetrics.memory()
    let peak = try #require(memory.peakResidentBytes)
    #expect(peak > 1 << 20)
    if let resident = memory.residentBytes { #expect(resident > 0 && resident <= peak) }
  }

  #if os(Linux)
    @Test("bytes handed to write are counted one for one at least")
    func writing() throws {
      guard let before = ProcessMetrics.writing() else { return }
      try withTemporaryFolder { folder in
        try FileSystem.write([UInt8](repeating: 1, count: 100_000), to: folder.appending("data"))
      }
      let after = try #require(ProcessMetrics.writing())
      #expect(after.requestedBytes - before.requestedBytes >= 100_000)
    }
  #endif

  @Test("the path of the running executable exists")
  func executable() throws {
    #expect(FileSystem.exists(try ProcessMetrics.executablePath()))
  }

  @Test("the machine has a name, processors and memory")
  func machine() {
    let machine = Machine.current()
    #expect(machine.processorCount >= 1)
    #expect(machine.memoryBytes > 1 << 26)
    #expect(!machine.system.isEmpty && !machine.processor.isEmpty)
  }

  @Test("the monotonic clock does not go back, and moments print in UTC")
  func clocks() {
    let first = Clock.monotonicNanoseconds()
    let second = Clock.monotonicNanoseconds()
    #expect(second >= first)
    #expect(Clock.processorNanoseconds() > 0)
    #expect(Clock.text(secondsSince1970: 951_827_696) == "2000-02-29T12:34:56Z")
    #expect(Clock.wallTimeText().count == 20)
  }

  @Test("a terminal has a width, also where there is none")
  func terminal() {
    #expect(Terminal.width() > 0)
  }
}

/// Collects what a callback hears.
final class Heard: @unchecked Sendable {
  private let mutex = ThreadMutex()
  private var bytes: [UInt8] = []

  func add(_ piece: [UInt8]) { mutex.withLock { bytes += piece } }
  var text: String { mutex.withLock { String(decoding: bytes, as: UTF8.self) } }
}
