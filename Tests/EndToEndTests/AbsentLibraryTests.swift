import EngineInterface
import Engines
import SystemIO
import Testing

@Suite("An engine whose library is not on the machine")
struct AbsentLibraryTests {
  /// Engines that may be missing, and one that cannot be.
  private static let scenario = """
    scenario: absent
    question: What is left where an engine is missing?
    description: A writer updates rows.
    source: made for tests
    keywords: [test]
    data:
      Item: { rows: 100, value: { size: 64 B } }
    clients:
      writer: { kind: writer, transaction: { update: 5 } }
    phases:
      - work: { commits: 20, run: [writer] }
    launches: 1
    engines: [\((["native"] + hidden.map(\.engine)).joined(separator: ", "))]
    policies: [never]
    sample: { every: 10 commits }

    """

  struct Hidden: Sendable, CustomTestStringConvertible {
    var engine: String
    var variable: String
    var other: String
    var testDescription: String { engine }
  }

  private static let libraries = EngineCatalog.entries.filter { $0.library != nil }

  /// Each engine with a library, beside one that every machine with tests has.
  static let hidden = libraries.compactMap { entry -> Hidden? in
    guard let request = entry.library,
      let other = libraries.first(where: { $0.id != entry.id && !$0.id.isOptional })
    else { return nil }
    return Hidden(
      engine: entry.id.rawValue, variable: request.variable, other: other.id.rawValue)
  }

  /// An engine, and the option that names its library.
  struct Option: Sendable, CustomTestStringConvertible {
    var engine: String
    var option: String
    var testDescription: String { option }
  }

  static let options = libraries.compactMap { entry in
    entry.library?.option.map { Option(engine: entry.id.rawValue, option: $0) }
  }

  /// Runs the body with a scenario file and each way in which a library may be of no use: the variable's value, and
  /// words of the reason.
  private func withEachReason(
    _ body: (FilePath, FilePath, _ library: String, _ reason: String) async throws -> Void
  ) async throws {
    try await BuiltCommand.withFolder { folder in
      let file = folder.appending("absent.yml")
      try FileSystem.write(text: Self.scenario, to: file)
      let missing = folder.appending("no.so").string
      try await body(folder, file, missing, "\(missing): cannot open shared object file")
      // The scenario's own text is no library either; nor is the C library one of an engine.
      let text = folder.appending("text.so")
      try FileSystem.write(text: String(repeating: Self.scenario, count: 4), to: text)
      try await body(folder, file, text.string, "\(text): invalid ELF header")
      try await body(folder, file, "libc.so.6", "libc.so.6: it has no ")
    }
  }

  @Test(
    "engines prints the reason and the remedy, lists the others, and exits with 0",
    arguments: hidden)
  func engines(_ hidden: Hidden) async throws {
    try await withEachReason { _, _, library, reason in
      let outcome = try await BuiltCommand.run(
        ["engines"], environment: [hidden.variable: library])
      #expect(outcome.code == 0)
      #expect(outcome.output.contains("\n\(hidden.engine): not available\n"))
      #expect(outcome.output.contains(reason))
      #expect(outcome.output.contains("\(hidden.variable) names it: correct the variable"))
      #expect(!outcome.output.contains("\(hidden.other): not available"))
    }
  }

  @Test(
    "an option names a library as the variable does, by path or name",
    arguments: options)
  func option(_ named: Option) async throws {
    for library in ["libc.so.6", "/nowhere/lib.so"] {
      let outcome = try await BuiltCommand.run(["engines", named.option, library])
      #expect(outcome.code == 0)
      #expect(outcome.output.contains("\n\(named.engine): not available\n"))
      #expect(outcome.output.contains("\(library): "))
    }
  }

  @Test("run prints the reason, measures the other engines, and exits with 0", arguments: hidden)
  func run(_ hidden: Hidden) async throws {
    try await withEachReason { folder, file, library, reason in
      let outcome = try await BuiltCommand.run(
        ["run", file.string, "--repetitions", "1", "--output", folder.appending("out").string],
        environment: [hidden.variable: library])
      #expect(outcome.code == 0, "\(outcome.errors)")
      #expect(
        outcome.errors.contains("\(hidden.engine) is not on this machine and is left out: "))
      #expect(outcome.errors.contains(reason))
      let report = try FileSystem.readText(folder.appending("out/absent/report.md"))
      #expect(report.contains("not available on this machine: ") && report.contains(reason))
      let samples = try FileSystem.readText(folder.appending("out/absent/samples.csv"))
      for engine in ["native", hidden.other] { #expect(samples.contains("\r\n\(engine),")) }
      #expect(!samples.contains("\r\n\(hidden.engine),"))
    }
  }

  @Test(
    "a run of that engine alone is refused with the reason and leaves nothing", arguments: hidden)
  func alone(_ hidden: Hidden) async throws {
    try await withEachReason { folder, file, library, reason in
      let output = folder.appending("alone")
      let outcome = try await BuiltCommand.run(
        ["run", file.string, "--engine", hidden.engine, "--output", output.string],
        environment: [hidden.variable: library])
      #expect(outcome.code == 2)
      #expect(outcome.errors.contains("absent: none of its engines is available on this machine"))
      #expect(outcome.errors.contains(reason))
      #expect(!FileSystem.exists(output))
    }
  }

  @Test("of several scenarios that one is left out which has no other engine, and the rest run")
  func catalog() async throws {
    let hidden = try #require(Self.hidden.first)
    try await withEachReason { folder, file, library, reason in
      let only = folder.appending("only.yml")
      let text = Self.scenario.replacing("scenario: absent", with: "scenario: only")
        .replacing(/engines: .*/, with: "engines: [\(hidden.engine)]")
      try FileSystem.write(text: text, to: only)
      let output = folder.appending("catalog")
      let outcome = try await BuiltCommand.run(
        [
          "run", only.string, file.string, "--schedule", "stepped", "--repetitions", "1",
          "--output", output.string,
        ], environment: [hidden.variable: library])
      #expect(outcome.code == 0, "\(outcome.errors)")
      #expect(outcome.errors.contains("only is left out: none of its engines is available"))
      #expect(outcome.errors.contains(reason))
      #expect(FileSystem.exists(output.appending("absent/report.md")))
      #expect(!FileSystem.exists(output.appending("only")))
      try FileSystem.removeTree(output)
    }
  }

  @Test("neither the command nor the tests link the engines' libraries")
  func notLinked() async throws {
    for program in [BuiltCommand.executable, try ProcessMetrics.executablePath()] {
      // Makes the system's loader list what a program links, instead of running it.
      let listed = try await ChildProcess(
        program, environment: ["LD_TRACE_LOADED_OBJECTS": "1"]
      ).run().outputText
      #expect(listed.contains("libc.so"), "\(program) is not listed")
      for library in Self.libraries.flatMap({ $0.library?.names ?? [] }) {
        let name = FilePath(library).lastComponent?.string ?? library
        let stem = String(name.prefix { $0 != "." })
        #expect(!listed.contains(stem), "\(program) links \(stem): \(listed)")
      }
    }
  }
}
