// Children that answer line by line: what is heard of them, and how they end.
import SystemIO
import Testing

@Suite("Processes that answer")
struct InteractiveProcessTests {
  private func shell(_ script: String) throws -> InteractiveProcess {
    let shell = try #require(ChildProcess.findExecutable("sh"))
    return try InteractiveProcess(shell, arguments: ["-c", script])
  }

  @Test("each line is answered, however long")
  func answers() throws {
    let child = try shell("while read line; do echo \"<$line>\"; done")
    let long = String(repeating: "x", count: 20_000)
    for line in ["", "one", "two words", long] { #expect(child.ask(line) == "<\(line)>") }
  }

  @Test("a child that ended answers nothing, and speaking to it is no signal")
  func gone() throws {
    let child = try shell("read line; echo \"$line\"; exit 3")
    #expect(child.ask("last") == "last")
    #expect(child.wait() == .exited(3))
    #expect(child.ask("anybody?") == nil)
    #expect(child.send("still gone") == false)
  }

  @Test("a killed child is gone when the call returns")
  func killed() throws {
    let child = try shell("while read line; do echo \"$line\"; done")
    #expect(child.ask("here") == "here")
    child.deliver(.kill)
    #expect(ProcessFacts(of: child.processID) == nil)
    #expect(child.wait() == .signalled(9))
  }

  @Test("a suspended child stands still and goes on where it was")
  func suspended() throws {
    let child = try shell("while read line; do echo \"$line\"; done")
    #expect(child.ask("here") == "here")
    child.deliver(.suspend)
    #expect(ProcessFacts(of: child.processID)?.isSuspended == true)
    child.send("later")
    child.deliver(.resume)
    #expect(child.receive() == "later")
  }

  @Test("a program that is not there cannot be started")
  func absent() {
    #expect(throws: SystemError.self) {
      try InteractiveProcess(FilePath("/nowhere/program"), arguments: [])
    }
  }
}
