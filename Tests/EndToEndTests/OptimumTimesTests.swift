// An optimum whose objective counts time: by a calibration with planted costs, so that every time is known.
import Calibration
import Foundation
import MetricModel
import RecordModel
import SystemIO
import TestSupport
import Testing

@Suite("The optimum of time", .timeLimit(.minutes(HangGuard.minutes)))
struct OptimumTimesTests {
  /// Opening takes 0.2 ms, and compacting 1 ms and 20 ns a used byte.
  private static let costs = EngineCosts(
    engine: "native", version: "1",
    points: (1...12).flatMap { index in
      let live = ByteCount(100_000 * index)
      // Of different shares of live bytes, or the model could not tell them from the file's.
      let file = ByteCount(100_000 * index + 70_000 * (index % 5))
      let compacting = 1e6 + 20 * Double(live.bytes)
      return [
        CostPoint(
          .compaction, .warm, live: live, bytes: file, isHeldOut: false, nanoseconds: [compacting]),
        CostPoint(.launch, .warm, bytes: file, isHeldOut: false, nanoseconds: [2e5]),
      ]
    })

  private static func writeCalibration(to folder: FilePath) throws {
    let record = CalibrationRecord(
      origin: CalibrationOrigin(
        toolVersion: "1", command: "compaction-lab calibrate", startedAt: "2026-11-23T12:00:00Z",
        seed: 1, maxFile: ByteCount(1_900_000), operatingSystem: "Linux", processor: "planted",
        cores: 2, memory: ByteCount(24_000_000_000), fileSystem: "ext4 (rw)"),
      device: [], engines: [costs])
    try FileSystem.makeFolders(folder.appending("calibrated"))
    try FileSystem.write(
      try record.json(), to: folder.appending("calibrated/\(CalibrationRecord.fileName)"))
  }

  private func optimum(
    _ objective: String, _ engine: String = "native", in folder: FilePath
  ) async throws -> (outcome: BuiltCommand.Outcome, record: OptimumRecord?, page: String) {
    try Self.writeCalibration(to: folder)
    let outcome = try await BuiltCommand.run(
      [
        "optimum", "tiny.yml", "--engine", engine, "--checks", "0", "--output", "out",
        "--calibration", "calibrated", "--objective", objective,
      ], in: folder)
    let output = folder.appending("out/tiny-optimum")
    let record = try? OptimumRecord(
      json: try FileSystem.read(output.appending(OptimumRecord.fileName)))
    return (outcome, record, (try? FileSystem.readText(output.appending("optimum.md"))) ?? "")
  }

  @Test("blocked is the time of compacting less that of opening, by what the callback was given")
  func blocked() async throws {
    try await BuiltCommand.withTiny(OptimumCommandTests.scenario) { folder in
      let run = try await optimum("space: 0, rewritten: 0, blocked: 1000", in: folder)
      #expect(run.outcome.code == 0, "\(run.outcome.errors)")
      let record = try #require(run.record)
      #expect(record.calibration?.contains("calibration.json of 2026-11-23T12:00:00Z") == true)
      let every = try #require(record.cells[0].runs.first { $0.policy == "every-launch" })
      let compacted = every.launches.filter { $0.compaction == .finished }
      #expect(compacted.count == 4)
      for launch in compacted {
        let (times, used) = (
          try #require(launch.times), try #require(launch.callback).usedBytes.bytes
        )
        #expect(abs(times.compacting - 1_000_000 - 20 * used) <= 100)
        #expect(abs(times.opening - 200_000) <= 10)
      }
      let blocked = compacted.reduce(0) { $0 + ($1.times?.blocked ?? 0) }
      let text = (Double(blocked) / 1_000_000).threeDigits
      #expect(run.page.contains("| \(text) ms |"), "\(text) ms: \(run.page)")
      #expect(run.page.contains("compact at no launch"), "\(run.page)")
      #expect(run.page.contains("Times are predicted by"))
    }
  }

  @Test("a limit that any compaction exceeds leaves none, and policies that compact are over it")
  func limit() async throws {
    try await BuiltCommand.withTiny(OptimumCommandTests.scenario) { folder in
      let run = try await optimum("space: 3, rewritten: 0, max-launch: 1 ms", in: folder)
      #expect(run.outcome.code == 0, "\(run.outcome.errors)")
      #expect(run.page.contains("compact at no launch"), "\(run.page)")
      #expect(run.page.contains("over the limit"))
      let none = try await optimum("space: 3, max-launch: 1 ms", "lmdb", in: folder)
      #expect(none.page.contains("the calibration has none of this engine's"), "\(none.page)")
      #expect(none.outcome.code == 2)
    }
  }

  @Test("a calibration that is not there, or no calibration, is named")
  func missing() async throws {
    try await BuiltCommand.withTiny(OptimumCommandTests.scenario) { folder in
      for path in ["nowhere", "tiny.yml"] {
        let outcome = try await BuiltCommand.run(
          ["optimum", "tiny.yml", "--output", "out", "--calibration", path], in: folder)
        #expect(outcome.code == 2)
        #expect(outcome.errors.contains(path == "nowhere" ? path : "calibration.json"))
      }
      #expect(!FileSystem.exists(folder.appending("out")))
    }
  }
}
