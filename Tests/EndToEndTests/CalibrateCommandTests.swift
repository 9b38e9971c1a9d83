// A calibration as a user finds it: the files, the engines that are left out, mistakes, and Ctrl-C.
import Calibration
import Foundation
import MetricModel
import ReportRendering
import SystemIO
import TestSupport
import Testing

@Suite("A calibration, as a user finds it", .timeLimit(.minutes(HangGuard.minutes)))
struct CalibrateCommandTests {
  private func calibrate(
    _ options: [String], in folder: FilePath
  ) async throws -> BuiltCommand.Outcome {
    try FileSystem.makeFolders(folder.appending("work"))
    return try await BuiltCommand.run(
      ["calibrate", "--output", "out", "--work-folder", "work"] + options, in: folder)
  }

  @Test("a small one measures every size on every engine, and leaves models that are read back")
  func small() async throws {
    try await BuiltCommand.withFolder { folder in
      let outcome = try await calibrate(["--max-size", "2 MB", "--seed", "9"], in: folder)
      #expect(outcome.code == 0, "\(outcome.errors)")
      #expect(outcome.output.contains("files of 250 kB to 2.00 MB, seed 9"), "\(outcome.output)")
      #expect(outcome.errors.contains(" left"), "\(outcome.errors)")
      let output = folder.appending("out")
      let record = try CalibrationRecord(
        json: try FileSystem.read(output.appending(CalibrationRecord.fileName)))
      #expect(record.origin.seed == 9 && record.origin.maxFile == ByteCount(2_000_000))
      #expect(Set(record.device.map(\.kind)) == Set(DeviceFigure.Kind.allCases))
      #expect(record.engines.map(\.engine) == ["native", "lmdb", "sqlite"])
      let files = CalibrationDesign.fittedFiles + CalibrationDesign.heldOutFiles
      for costs in record.engines {
        #expect(!costs.version.isEmpty && costs.failures.isEmpty, "\(costs.failures)")
        for cache in CacheState.allCases {
          let points = costs.points.filter { $0.kind == .compaction && $0.cache == cache }
          #expect(points.count == files)
          #expect(points.allSatisfy { $0.nanoseconds.count == 3 && $0.time ?? 0 > 0 })
          #expect(points.allSatisfy { $0.live ?? .zero > .zero && $0.live ?? .zero <= $0.bytes })
          #expect(costs.model(.launch, cache) != nil)
        }
        #expect(costs.model(.commit, .warm)?.heldOut?.count == 4)
        let predicted = try #require(
          costs.predictedCompactionTime(live: ByteCount(500_000), file: ByteCount(1_000_000)))
        #expect(predicted.nanoseconds > 0 && predicted.interval.contains(predicted.nanoseconds))
      }
      let page = try FileSystem.readText(output.appending(CalibrationMarkdown.fileName))
      for text in ["seed 9", "native file format", "held out", "compaction-times.svg"] {
        #expect(page.contains(text), "\(text)")
      }
      let table = try FileSystem.readText(output.appending(CalibrationCSV.fileName))
      let rows = table.split(whereSeparator: \.isNewline)
      #expect(rows.count == 1 + record.engines.reduce(0) { $0 + $1.points.count })
      #expect(
        try FileSystem.readText(output.appending("plots/\(CalibrationPicture.fileName)"))
          .hasSuffix("</svg>\n"))
      #expect(try FileSystem.list(folder.appending("work")).isEmpty)
    }
  }

  @Test("an engine that cannot compact is left out with the reason; alone it is an error")
  func leftOut() async throws {
    try await BuiltCommand.withFolder { folder in
      let both = try await calibrate(
        ["--engine", "null", "--engine", "native", "--max-size", "1 MB", "-q"], in: folder)
      #expect(both.code == 0, "\(both.errors)")
      #expect(both.output.contains("null: left out: it cannot compact"), "\(both.output)")
      // The folder has a record now, and is overwritten; one with other content is not.
      let alone = try await calibrate(["--engine", "null"], in: folder)
      #expect(alone.code == 2 && alone.errors.contains("there is no engine to measure"))
      try FileSystem.removeFile(folder.appending("out/\(CalibrationRecord.fileName)"))
      let foreign = try await calibrate(["--engine", "native", "--max-size", "1 MB"], in: folder)
      #expect(foreign.code == 2 && foreign.errors.contains("no record of a run"))
    }
  }

  @Test("an error above --check gives exit code 1, and the engine is named")
  func check() async throws {
    try await BuiltCommand.withFolder { folder in
      let outcome = try await calibrate(
        ["--engine", "native", "--max-size", "1 MB", "--check", "0.000001", "-q"], in: folder)
      #expect(outcome.code == 1, "\(outcome.output)")
      #expect(outcome.errors.contains("native, compaction, warm: the median error"))
    }
  }

  @Test(
    "what cannot be measured is refused with the reason",
    arguments: [
      (["--max-size", "900 kB"], Int32(64), "--max-size must be at least 1.00 MB"),
      (["--max-size", "soon"], 64, "--max-size"),
      (["--max-size", "-1 MB"], 64, "--max-size"),
      (["--check", "0"], 64, "--check must be above 0"),
      (["--engine", "sqlit"], 64, "did you mean \"sqlite\"?"),
      (["--engine", "lmdb", "--engine", "lmdb"], 64, "given twice"),
      (["--max-size", "20000 TB"], 2, "80.0 PB of disk space"),
      (["--work-folder", "nowhere/at/all"], 2, "nowhere/at/all"),
    ])
  func refused(options: [String], code: Int32, reason: String) async throws {
    try await BuiltCommand.withFolder { folder in
      let outcome = try await BuiltCommand.run(
        ["calibrate", "--output", "out"] + options, in: folder)
      #expect(outcome.code == code, "\(outcome.errors)")
      #expect(outcome.errors.contains(reason), "\(outcome.errors)")
      #expect(!FileSystem.exists(folder.appending("out/\(CalibrationRecord.fileName)")))
    }
  }

  @Test("interrupted, it ends with exit code 130 and leaves no files")
  func interrupted() async throws {
    try await BuiltCommand.withFolder { folder in
      let outcome = try await BuiltCommand.script(
        """
        mkdir work
        "$lab" calibrate --engine native --output out --work-folder work & run=$!
        await $run '[ -n "$(ls work/*/job)" ]'
        kill -INT $run
        wait $run
        echo "code $?, left: $(ls out work 2> /dev/null | grep -v :)"
        """, in: folder)
      #expect(outcome.outputText.contains("code 130, left: \n"), "\(outcome.outputText)")
      #expect(outcome.errorText.contains("interrupted: nothing was written"))
    }
  }

  @Test("killed before its record has its name, it leaves a folder that the same command completes")
  func unfinished() async throws {
    try await BuiltCommand.withFolder { folder in
      let options = ["--engine", "native", "--max-size", "1 MB", "-q"]
      #expect(try await calibrate(options, in: folder).code == 0)
      let output = folder.appending("out")
      let record = output.appending(CalibrationRecord.fileName)
      let unfinished = output.appending(".\(CalibrationRecord.fileName).unfinished")
      #expect(!FileSystem.exists(unfinished))
      // As it is when the process is killed between the first file and the last.
      try FileSystem.rename(record, to: unfinished)
      let again = try await calibrate(options, in: folder)
      #expect(again.code == 0, "\(again.errors)")
      #expect(FileSystem.exists(record) && !FileSystem.exists(unfinished))
    }
  }

  @Test("killed while it measures, it leaves no record or the earlier one; repeated, it runs anew")
  func killed() async throws {
    try await BuiltCommand.withFolder { folder in
      let record = folder.appending("out/\(CalibrationRecord.fileName)")
      // Kills a long calibration as soon as a measurement is under way.
      func kill() async throws {
        let outcome = try await BuiltCommand.script(
          """
          mkdir -p work
          "$lab" calibrate --engine native -q --output out --work-folder work & run=$!
          { await $run '[ -n "$(ls work/*/job)" ]'; kill -KILL $run; } 2> /dev/null &
          wait $run
          """, in: folder)
        #expect(outcome.ending == .exited(128 + 9), "\(outcome.errorText)")
        #expect(try !FileSystem.list(folder.appending("work")).isEmpty)
      }
      /// Calibrates to the end; what was left behind is reported, and removed.
      func repeated(seed: Int) async throws {
        let outcome = try await calibrate(
          ["--engine", "native", "--max-size", "1 MB", "--seed", "\(seed)", "-q"], in: folder)
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("left behind by a command that was killed"))
        #expect(try FileSystem.list(folder.appending("work")).isEmpty)
        #expect(try CalibrationRecord(json: try FileSystem.read(record)).origin.seed == seed)
      }
      try await kill()
      #expect(try FileSystem.list(folder.appending("out")).isEmpty)
      let without = try await BuiltCommand.run(
        ["optimum", "\(BuiltCommand.root)/Scenarios/apps/kiosk.yml", "--calibration", "out"],
        in: folder)
      #expect(without.code == 2 && without.errors.contains(CalibrationRecord.fileName))
      try await repeated(seed: 5)
      let earlier = try FileSystem.read(record)
      try await kill()
      #expect(try FileSystem.read(record) == earlier)
      let again = try await BuiltCommand.run(["report", "out"], in: folder)
      #expect(again.code == 0, "\(again.errors)")
      try await repeated(seed: 6)
    }
  }
}
