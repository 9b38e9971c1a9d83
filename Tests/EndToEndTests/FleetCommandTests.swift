// `fleet` as a user finds it: curves measured once, devices walked through them, mistakes, and damaged files.
import Experiments
import FleetModel
import Foundation
import RecordModel
import SystemIO
import TestSupport
import Testing

@Suite("Fleets, as a user finds them", .timeLimit(.minutes(HangGuard.minutes)))
struct FleetCommandTests {
  private static let population = """
    population: tiny
    groups:
      all:
        data: log-normal 60 kB sigma 0.4 up to 200 kB
        value: 100 B
        growth: 1 kB
        commits: 40
        writes: 2
        replaced: 20 %
        launches: 4

    """

  private static func withPopulation(
    _ text: String = population, _ body: (FilePath) async throws -> Void
  ) async throws {
    try await BuiltCommand.withTiny("") { folder in
      try FileSystem.write(Array(text.utf8), to: folder.appending("fleet.yml"))
      try await body(folder)
    }
  }

  private static let measuring = [
    "fleet", "measure", "fleet.yml", "--output", "out", "--sizes", "2", "--max-data", "200 kB",
    "--max-turnover", "2",
  ]

  private static func simulate(_ options: [String], in folder: FilePath) async throws
    -> BuiltCommand.Outcome
  {
    try await BuiltCommand.run(
      ["fleet", "simulate", "fleet.yml", "--output", "out"] + options, in: folder)
  }

  private static func summary(_ folder: FilePath) throws -> FleetSummary {
    let file = folder.appending("out/tiny-simulation/\(SimulationRecord.fileName)")
    return try SimulationRecord(json: try FileSystem.read(file)).summary
  }

  @Test("what is measured is simulated, with the same figures on any number of threads")
  func whole() async throws {
    try await Self.withPopulation { folder in
      let measured = try await BuiltCommand.run(Self.measuring, in: folder)
      #expect(measured.code == 0, "\(measured.errors)")
      let file = folder.appending("out/tiny-fleet/\(FleetRecord.fileName)")
      let record = try FleetRecord(json: try FileSystem.read(file))
      let group = try #require(record.curves.groups.first)
      #expect(record.curves.refusals == [] && record.curves.flaw == nil)
      #expect(group.errors?.count ?? 0 > 50)
      // A file of so few rows is not predicted to the byte, and not by chance.
      #expect(group.errors?.medianTotal ?? 1 < 0.2)
      #expect(record.digests.count == group.classes.count * 2 + group.classes.count + 3)

      var summaries: [FleetSummary] = []
      for jobs in ["1", "3"] {
        let outcome = try await Self.simulate(
          [
            "--devices", "1_000", "--years", "0.5", "--jobs", jobs, "--policy", "never",
            "--policy", "half = on-launch: usedBytes / totalBytes < 50 %", "--above", "1 MB",
          ], in: folder)
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("stalls are not known"))
        summaries.append(try Self.summary(folder))
      }
      #expect(summaries[0] == summaries[1])
      let never = try #require(summaries[0].policies.first)
      #expect(never.figure(.compactions)?.worst == 0)
      #expect(summaries[0].policies[1].name == "half")
      try await Self.checkRendering(of: folder)
    }
  }

  /// All files are there, and `report` makes them anew from the record alone.
  private static func checkRendering(of folder: FilePath) async throws {
    let names = [
      "simulation.html", "simulation.md", "simulation.csv", "plots/sizes.svg",
      "plots/distributions.svg",
    ]
    let files = names.map { folder.appending("out/tiny-simulation/\($0)") }
    let before = try files.map { try FileSystem.read($0) }
    for file in files { try FileSystem.removeFile(file) }
    let again = try await BuiltCommand.run(["report", "out/tiny-simulation"], in: folder)
    #expect(again.code == 0, "\(again.errors)")
    #expect(again.output.contains("report: out/tiny-simulation/simulation.html"))
    #expect(try files.map { try FileSystem.read($0) } == before)
  }

  @Test("three shards, merged, give the curves and digests of one measurement, bit for bit")
  func shards() async throws {
    try await Self.withPopulation { folder in
      let whole = try await BuiltCommand.run(Self.measuring, in: folder)
      #expect(whole.code == 0, "\(whole.errors)")
      let parts = Self.measuring.map { $0 == "out" ? "parts" : $0 }
      for shard in ["2/3", "3/3", "1/3"] {
        let outcome = try await BuiltCommand.run(parts + ["--shard", shard], in: folder)
        #expect(outcome.code == 0, "\(outcome.errors)")
        if shard == "3/3" {
          let early = try await BuiltCommand.run(["merge", "parts"], in: folder)
          #expect(early.code == 2 && early.errors.contains("shard 1/3 is missing; run: "))
        }
      }
      let merged = try await BuiltCommand.run(
        ["merge", "parts", "--output", "merged"], in: folder)
      #expect(merged.code == 0, "\(merged.errors)")
      let records = try ["out", "merged"].map { name in
        let file = folder.appending("\(name)/tiny-fleet/\(FleetRecord.fileName)")
        return try FleetRecord(json: try FileSystem.read(file))
      }
      #expect(records[0].curves == records[1].curves)
      #expect(records[0].digests == records[1].digests)
      #expect(records[0].provenance.plan == records[1].provenance.plan)
      #expect(records[1].provenance.shards?.count == 3)
      let simulated = try await BuiltCommand.run(
        [
          "fleet", "simulate", "fleet.yml", "--curves", "merged/tiny-fleet", "--devices", "100",
          "--output", "out",
        ], in: folder)
      #expect(simulated.code == 0, "\(simulated.errors)")
    }
  }

  @Test("devices are really run beside their walks, and the same command gives the same figures")
  func agreement() async throws {
    try await Self.withPopulation { folder in
      _ = try await BuiltCommand.run(Self.measuring, in: folder)
      let words = [
        "fleet", "agreement", "fleet.yml", "--output", "out", "--devices", "3", "--days", "6",
        "--policy", "never", "--policy", "every-launch", "--policy",
        "half = on-launch: usedBytes / totalBytes < 50 %",
      ]
      var records: [AgreementRecord] = []
      for _ in 0..<2 {
        let outcome = try await BuiltCommand.run(words, in: folder)
        #expect([0, 1].contains(outcome.code), "\(outcome.errors)")
        #expect(outcome.output.contains("native, final size: off by"))
        let file = folder.appending("out/tiny-agreement/\(AgreementRecord.fileName)")
        records.append(try AgreementRecord(json: try FileSystem.read(file)))
      }
      let agreement = records[0].agreement
      #expect(agreement == records[1].agreement && records[0].digests == records[1].digests)
      #expect(agreement.pairs.count == 9)
      for pair in agreement.pairs {
        #expect(pair.simulated.launches == pair.real.launches && pair.real.finalBytes > 0)
        let isAlways = agreement.policies[pair.policy].name == "every-launch"
        if isAlways { #expect(pair.real.compactions == pair.simulated.compactions) }
        if pair.policy == 0 { #expect(pair.real.compactions == 0) }
      }
      // A file of so few rows is not predicted to the byte, and not by chance.
      let always = agreement.pairs(of: "native", policy: 1)
      let errors = try #require(agreement.errors(.finalSize, in: always))
      #expect(errors.median < 0.2)
      for name in ["fleet-agreement.md", "fleet-agreement.csv"] {
        let file = folder.appending("out/tiny-agreement/\(name)")
        let page = try FileSystem.read(file)
        try FileSystem.removeFile(file)
        let again = try await BuiltCommand.run(["report", "out/tiny-agreement"], in: folder)
        #expect(again.code == 0, "\(again.errors)")
        #expect(try FileSystem.read(file) == page)
      }
    }
  }

  @Test("a measurement is finished once, and the same command measures the same curves")
  func repeated() async throws {
    try await Self.withPopulation { folder in
      let file = folder.appending("out/tiny-fleet/\(FleetRecord.fileName)")
      var digests: [[String]] = []
      for _ in 0..<2 {
        let outcome = try await BuiltCommand.run(Self.measuring, in: folder)
        #expect(outcome.code == 0, "\(outcome.errors)")
        digests.append(try FleetRecord(json: try FileSystem.read(file)).digests)
      }
      #expect(digests[0] == digests[1])
    }
  }

  @Test("curves that are missing, of another population or damaged are refused with what to do")
  func refused() async throws {
    try await Self.withPopulation { folder in
      let missing = try await Self.simulate([], in: folder)
      #expect(missing.code == 2)
      #expect(missing.errors.contains("fleet.json: no such file; compaction-lab fleet measure"))
      _ = try await BuiltCommand.run(Self.measuring, in: folder)
      let other = Self.population.replacing("writes: 2", with: "writes: 3")
      try FileSystem.write(Array(other.utf8), to: folder.appending("fleet.yml"))
      let otherwise = try await Self.simulate([], in: folder)
      #expect(otherwise.code == 2)
      #expect(otherwise.errors.contains("group all had another writes; run fleet measure again"))
      try FileSystem.write(Array(Self.population.utf8), to: folder.appending("fleet.yml"))
      let file = folder.appending("out/tiny-fleet/\(FleetRecord.fileName)")
      let whole = try FileSystem.read(file)
      let version = "\"engineVersion\":\""
      let text = String(decoding: whole, as: UTF8.self)
        .replacing(version, with: version + "0.0-")
      try FileSystem.write(Array(text.utf8), to: file)
      #expect(try await Self.simulate([], in: folder).errors.contains("was changed"))
      try FileSystem.write(Array(whole.dropLast(100)), to: file)
      #expect(try await Self.simulate([], in: folder).errors.contains("it is cut off"))
    }
  }

  @Test(
    "bad input is an error that names it",
    arguments: [
      (["--devices", "0"], "--devices: \"0\" is no number of devices"),
      (["--years", "0"], "--years must be above 0"),
      (["--policy", "automatic"], "no such file"),
      (["--policy", "on-launch: usedByte > 1"], "did you mean \"usedBytes\"?"),
      (["--policy", "never", "--policy", "never"], "\"never\" is given twice"),
      (["--stall", "1 s"], "--stall needs the times of compactions"),
      (["--above", "big"], "--above"),
    ]) func input(_ options: [String], _ message: String) async throws
  {
    try await Self.withPopulation { folder in
      let outcome = try await Self.simulate(options, in: folder)
      #expect(outcome.code != 0)
      #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }
  }

  @Test("every mistake of a population is reported with its line") func mistakes() async throws {
    let text = Self.population.replacing("launches: 4", with: "launches: 0")
    try await Self.withPopulation(text) { folder in
      for command in ["measure", "simulate"] {
        let outcome = try await BuiltCommand.run(["fleet", command, "fleet.yml"], in: folder)
        #expect(outcome.code == 2)
        #expect(outcome.errors.contains("fleet.yml:10:15: groups.all.launches: no device can"))
      }
    }
  }
}
