// The heap of the processes of a soak.
import SoakModel
import SystemIO
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
      let line = listed.first { $0[0] == parts[0] + ":" }
      #expect(line?[1] == "0x\(String(number, radix: 16))", "\(outcome.outputText)")
    }
  }

  @Test("a value that a user has set stands")
  func inherited() {
    #expect(HeapSettings.environment(inherited: "").isEmpty)
    #expect(HeapSettings.environment(inherited: nil).keys.contains(HeapSettings.variable))
  }
}
