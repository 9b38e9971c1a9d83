// The heap of the processes of a soak.
import Glibc
import SoakModel
import SystemIO
import TestSupport
import Testing

@Suite("The heap of a soak's processes")
struct HeapSettingsTests {
  @Test("the C library of this machine takes each setting")
  func accepted() async throws {
    let words = try FileSystem.readText("/proc/self/maps").split(whereSeparator: \.isWhitespace)
    let loader = try #require(words.first { $0.contains("/ld-linux") }, "glibc maps its loader.")
    let outcome = try await ChildProcess(
      FilePath(String(loader)), arguments: ["--list-tunables"],
      environment: HeapSettings.environment(inherited: nil)
    ).run()
    // Such as `glibc.malloc.trim_threshold: 0x10000 (min: 0x0, max: 0xffffffffffffffff)`.
    let listed = outcome.outputText.split(separator: "\n").map { $0.split(separator: " ") }
    for setting in HeapSettings.value.split(separator: ":") {
      let parts = setting.split(separator: "=")
      let number = try #require(Int(parts[1]))
      let line = listed.first { $0.first == parts[0] + ":" }
      #expect(line?.dropFirst().first == "0x\(String(number, radix: 16))", "\(outcome.outputText)")
    }
  }

  @Test("each process of a soak is started with the settings")
  func passed() async throws {
    try await withTemporaryFolder { folder in
      // Stands for `soak-process work`: notes the settings, and works no step.
      let program = folder.appending("program")
      let seen = folder.appending("seen")
      try FileSystem.write(
        text: """
          #!/bin/sh
          echo "$\(HeapSettings.variable)" >> '\(seen)'
          echo '\(SoakWorker.Tally().line)'
          """, to: program)
      #expect(chmod(program.string, 0o755) == 0)
      let run = SoakRun(
        engineID: "native", program: program, folder: folder.appending("database"),
        end: .steps(0), paceMilliseconds: 0, lullSeconds: 0, seed: testSeed(), threads: 1)
      _ = try await run.run()
      let expected = getenv(HeapSettings.variable).map { String(cString: $0) } ?? HeapSettings.value
      #expect(try FileSystem.readText(seen) == String(repeating: expected + "\n", count: 4))
    }
  }

  @Test("a value that a user has set stands")
  func inherited() {
    #expect(HeapSettings.environment(inherited: "").isEmpty)
    #expect(HeapSettings.environment(inherited: nil).keys.contains(HeapSettings.variable))
  }
}
