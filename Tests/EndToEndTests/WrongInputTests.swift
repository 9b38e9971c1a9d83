// What the command does with input that makes no sense: it refuses it, with what is wrong, where, and what to do.
import SystemIO
import Testing

@Suite("Wrong input")
struct WrongInputTests {
  static let dimensions = """
    1:1: bytes cannot be compared with a share; did you mean "usedBytes / totalBytes < 50 %"?
    usedBytes < 50 %
    ^^^^^^^^^^^^^^^^
    """

  @Test("bytes compared with a share are refused wherever a condition is given, and nothing runs")
  func dimensions() async throws {
    try await BuiltCommand.withFolder { folder in
      let output = folder.appending("out")
      let run = try await BuiltCommand.run([
        "run", "Scenarios/long-reader.yml", "--policy", "on-launch: usedBytes < 50 %", "--output",
        output.string,
      ])
      #expect(run.code == 2)
      #expect(run.errors.contains("1:12: bytes cannot be compared with a share; did you mean"))
      #expect(!FileSystem.exists(output))
      let inspect = try await BuiltCommand.run([
        "inspect", folder.appending("none.db").string, "--predicate", "usedBytes < 50 %",
      ])
      #expect(inspect.code == 2)
      #expect(inspect.errors.contains(Self.dimensions))
      let file = folder.appending("small.yml")
      let expectation = "expect: [ { at: end, that: pinAge > 3 MB } ]\n"
      try FileSystem.write(text: RunTests.small + "\n" + expectation, to: file)
      let validate = try await BuiltCommand.run(["validate", file.string])
      #expect(validate.code == 2)
      #expect(validate.errors.contains("expect[0].that: a time cannot be compared with bytes"))
      #expect(validate.errors.contains("^^^^^^^^^^^^^"))
      let quota = try await BuiltCommand.run(["report", folder.string, "--quota", "2 h"])
      #expect(quota.code == 64)
      #expect(quota.errors.contains("\"2 h\" is no size"))
    }
  }
}
