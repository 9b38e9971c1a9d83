// compare-builds, as CI calls it. Times depend on the machine, so only what does not depend on them is checked.
import SystemIO
import Testing

@Suite("Comparing two builds")
struct CompareBuildsTests {
  @Test("a head that does a hundred times the work is worse, or the machine is named as too noisy")
  func worse() async throws {
    try await BuiltCommand.withFolder { folder in
      let page = folder.appending("comparison.md")
      let outcome = try await BuiltCommand.run([
        "compare-builds", "--base", "true",
        "--head", "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done",
        "--metric", "processor_time_ns", "--tolerance", "50", "--report", page.string,
      ])
      #expect(outcome.code == 1 || outcome.code == 5, "\(outcome.errors)")
      let text = try FileSystem.readText(page)
      #expect(text.contains("while [ $i -lt 100000 ]"))
      #expect(text.contains("| processor_time_ns |"))
      #expect(
        outcome.code == 5
          ? text.contains("too noisy") : text.contains("Slower or larger: `processor_time_ns`"))
    }
  }

  @Test("an exact figure that differs is worse whatever the times are, and is named")
  func exactDifference() async throws {
    try await BuiltCommand.withFolder { folder in
      let scenario = folder.appending("small.yml")
      try FileSystem.write(text: RunTests.small, to: scenario)
      for (name, seed) in [("base", "3"), ("head", "4")] {
        let run = try await BuiltCommand.run([
          "run", scenario.string, "--engine", "native", "--policy", "never", "--repetitions", "1",
          "--seed", seed, "--output", folder.appending(name).string,
        ])
        #expect(run.code == 0, "\(run.errors)")
      }
      let outcome = try await BuiltCommand.run([
        "compare-builds", "--base", "cp -r \(folder)/base .", "--head", "cp -r \(folder)/head .",
        "--tolerance", "90",
      ])
      #expect(outcome.output.contains("exact figure"))
      #expect(outcome.output.contains("| small/native/never/default/time_weighted_bytes"))
      let swapped = try await BuiltCommand.run([
        "compare-builds", "--base", "cp -r \(folder)/head .", "--head", "cp -r \(folder)/base .",
        "--tolerance", "90",
      ])
      // What is better one way is worse the other way.
      #expect([outcome.code, swapped.code].contains(1), "\(outcome.output)\n\(swapped.output)")
      #expect((outcome.output + swapped.output).contains("| better"))
      let same = try await BuiltCommand.run([
        "compare-builds", "--base", "cp -r \(folder)/base .", "--head", "cp -r \(folder)/base .",
        "--tolerance", "90", "--metric", "*/commits", "--metric", "wall_ns",
      ])
      #expect(!same.output.contains("exact figure"))
      #expect([0, 5].contains(same.code), "\(same.output)")
    }
  }

  @Test("a command that cannot run and a missing folder are named, with exit code 2")
  func broken() async throws {
    let failing = try await BuiltCommand.run([
      "compare-builds", "--base", "true", "--head", "no-such-program",
    ])
    #expect(failing.code == 2)
    #expect(failing.errors.contains("no-such-program"))
    let missing = try await BuiltCommand.run([
      "compare-builds", "--base", "true", "--head", "true", "--prepared", "/no/such/folder",
    ])
    #expect(missing.code == 2)
    #expect(missing.errors.contains("/no/such/folder: no such folder"))
  }
}
