// Runs that are killed, interrupted or out of disk, and the same command again: nothing is lost but the cells in flight.
import Foundation
import RecordModel
import RunJournal
import SystemIO
import TestSupport
import Testing

@Suite("Journals of runs", .timeLimit(.minutes(HangGuard.minutes)))
struct JournalRunTests {
  private func withSmall<R>(_ body: (FilePath) async throws -> R) async throws -> R {
    try await BuiltCommand.withFolder { folder in
      try FileSystem.write(text: RunTests.small, to: folder.appending("small.yml"))
      return try await body(folder)
    }
  }

  /// The exact part of a run: files that are the same bytes for the same figures, and the cells of the record without times.
  static func exactPart(_ folder: FilePath) throws -> [String] {
    let record = try RunRecord(
      json: Data(try FileSystem.read(folder.appending("record.json"))))
    let cells = record.cells.map { cell in
      "\(cell.key) \(cell.status) "
        + cell.repetitions.map {
          "\($0.index) \($0.exact) \($0.events) \($0.phases) \($0.pins) \($0.refusals ?? [])"
        }.joined(separator: "\n")
    }
    return try ["samples.csv", "events.csv", "curves.csv"].map {
      try FileSystem.readText(folder.appending($0))
    } + cells + ["\(record.provenance.interrupted)"]
  }

  private static let run = "\"$lab\" run small.yml --schedule stepped --repetitions 3 -q --output"

  @Test("a run killed at random moments and repeated has the exact figures of one that was not")
  func killed() async throws {
    try await withSmall { folder in
      let whole = try await BuiltCommand.script("exec \(Self.run) whole", in: folder)
      #expect(whole.ending == .exited(0), "\(whole.errorText)")
      #expect(!FileSystem.exists(folder.appending("whole/small/\(Journal.fileName)")))
      var random = SeededRandom(seed: testSeed(21))
      // Later and later, so that a slow machine comes to the end too.
      let command = KilledCommand(
        command: "\(Self.run) killed", folder: folder, journal: "killed/small/run.journal"
      ) {
        600 + 100 * $0
      }
      let outcome = try await command.run(maxKills: 200, &random)
      #expect(outcome.resumptions > 0, "seed \(random.seed)")
      let record = folder.appending("killed/small")
      #expect(!FileSystem.exists(record.appending(Journal.fileName)))
      #expect(try Self.exactPart(record) == Self.exactPart(folder.appending("whole/small")))
    }
  }

  @Test("a folder in which a run was killed before it began its journal has no other content")
  func leftovers() async throws {
    try await withSmall { folder in
      try FileSystem.makeFolders(folder.appending("out/small"))
      for name in [".writable", "..writable.12345.draft", ".run.journal.7.draft"] {
        try FileSystem.write([1], to: folder.appending("out/small").appending(name))
      }
      let run = "exec \"$lab\" run small.yml --engine null --repetitions 1 --output out"
      let outcome = try await BuiltCommand.script(run, in: folder)
      #expect(outcome.ending == .exited(0), "\(outcome.errorText)")
      #expect(
        try FileSystem.list(folder.appending("out/small")).allSatisfy { !$0.hasPrefix(".") })
      try FileSystem.makeFolders(folder.appending("other/small"))
      try FileSystem.write([1], to: folder.appending("other/small/.notes"))
      let refused = try await BuiltCommand.script(
        run.replacing("output out", with: "output other"), in: folder)
      #expect(refused.ending == .exited(2) && refused.errorText.contains("holds other content"))
    }
  }

  @Test("after an interruption the report covers what is done, and the same command runs the rest")
  func interrupted() async throws {
    try await withSmall { folder in
      let begin = """
        "$lab" run small.yml --repetitions 60 --output out 2> errors > /dev/null & run=$!
        await $run "grep -q ': done' errors"
        kill -INT $run; wait $run
        """
      let first = try await BuiltCommand.script(begin, in: folder)
      #expect(first.ending == .exited(130))
      let errors = try FileSystem.readText(folder.appending("errors"))
      #expect(errors.contains("the same command runs the rest"), "\(errors)")
      let journal = folder.appending("out/small/\(Journal.fileName)")
      #expect(FileSystem.exists(journal))
      // Another plan is refused, and loses nothing.
      let before = try FileSystem.read(journal)
      let other = try await BuiltCommand.script(
        "exec \"$lab\" run small.yml --repetitions 59 --output out", in: folder)
      #expect(other.ending == .exited(2))
      #expect(
        other.errorText.contains("repetitions (60 there, 59 now)"), "\(other.errorText)")
      #expect(try FileSystem.read(journal) == before)
      let anew = try await BuiltCommand.script(
        "exec \"$lab\" run small.yml --repetitions 1 --no-resume --output out", in: folder)
      #expect(anew.ending == .exited(0), "\(anew.errorText)")
      #expect(!FileSystem.exists(journal))
      let none = try await BuiltCommand.script(
        "exec \"$lab\" run small.yml --repetitions 2 --resume --output out", in: folder)
      #expect(none.ending == .exited(2))
      #expect(none.errorText.contains("leave --resume out"), "\(none.errorText)")
    }
  }

  @Test("of several scenarios, those that a killed command finished are not run again")
  func several() async throws {
    try await withSmall { folder in
      for name in ["first", "second"] {
        try FileSystem.write(
          text: RunTests.small.replacing("scenario: small", with: "scenario: \(name)"),
          to: folder.appending("\(name).yml"))
      }
      let command =
        "\"$lab\" run first.yml second.yml --schedule stepped --repetitions 40 --output out"
      let killed = try await BuiltCommand.script(
        """
        \(command) 2> errors > /dev/null & run=$!
        await $run '[ -e out/first/record.json ] && [ $(wc -l < out/second/run.journal) -gt 1 ]'
        kill -KILL $run; wait $run
        """, in: folder)
      #expect(killed.ending == .exited(128 + 9))
      let stamp = try FileStamp(of: folder.appending("out/first/record.json"))
      let rest = try await BuiltCommand.script("exec \(command)", in: folder)
      #expect(rest.ending == .exited(0), "\(rest.errorText)")
      #expect(rest.errorText.contains("out/first: finished already"), "\(rest.errorText)")
      #expect(rest.errorText.contains("second: resumes the run"), "\(rest.errorText)")
      #expect(try FileStamp(of: folder.appending("out/first/record.json")) == stamp)
      // Without anything unfinished, the command runs everything.
      let again = try await BuiltCommand.script(
        "exec \"$lab\" run first.yml --schedule stepped --repetitions 1 --output out", in: folder)
      #expect(again.ending == .exited(0), "\(again.errorText)")
      #expect(try FileStamp(of: folder.appending("out/first/record.json")) != stamp)
    }
  }

  @Test("a second process in the folder is refused while the first runs its cells")
  func locked() async throws {
    try await withSmall { folder in
      let outcome = try await BuiltCommand.script(
        """
        "$lab" run small.yml --repetitions 500 --output out 2> errors > /dev/null & run=$!
        await $run "grep -q ': done' errors"
        "$lab" run small.yml --repetitions 500 --output out; code=$?
        kill -INT $run; wait $run
        exit $code
        """, in: folder)
      #expect(outcome.ending == .exited(2))
      #expect(outcome.errorText.contains("another process is running the cells"))
    }
  }

  @Test("a replay that is interrupted is continued by the same command")
  func replay() async throws {
    try await withSmall { folder in
      let outcome = try await BuiltCommand.script(
        """
        "$lab" record small.yml small.trace --output out > /dev/null || exit 9
        command='"$lab" replay small.trace --engine native --engine lmdb --repetitions 40 --output out'
        eval "exec $command" 2> errors > /dev/null & run=$!
        await $run '[ $(wc -l < out/small-replayed/run.journal) -gt 1 ]'
        kill -KILL $run; wait $run
        eval "$command"
        """, in: folder)
      #expect(outcome.ending == .exited(0), "\(outcome.errorText)")
      #expect(outcome.errorText.contains("resumes the run"), "\(outcome.errorText)")
    }
  }
}
