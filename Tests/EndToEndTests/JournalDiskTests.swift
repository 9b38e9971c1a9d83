// A run whose output folder is on a disk that becomes full: the journal stays readable, and the same command runs the rest.
import RunJournal
import SystemIO
import TestSupport
import Testing

@Suite("Journals on full disks", .timeLimit(.minutes(HangGuard.minutes)))
struct JournalDiskTests {
  @Test(
    "a run stops on a full disk with a clear error, and the same command finishes when space is free again",
    .enabled("a small file system can be mounted", SmallFileSystem.isAvailable))
  func full() async throws {
    try await BuiltCommand.withFolder { folder in
      try FileSystem.write(text: RunTests.small, to: folder.appending("small.yml"))
      // In a namespace of its own, so that the disk is gone with it, however the test ends.
      let outcome = try await BuiltCommand.script(
        """
        set -e
        mkdir out result
        mount -t tmpfs -o size=16m tmpfs out
        run() { "$lab" run small.yml --schedule stepped --repetitions 5 -q --output "$1"; }
        free=$(df --output=avail -B1 out | tail -1)
        head -c $((free - 160000)) /dev/zero > out/ballast
        code=0; run out 2> first || code=$?
        [ $code = 2 ] || exit 11
        cp out/small/\(Journal.fileName) journal
        code=0; run out 2> second || code=$?
        [ $code = 2 ] || exit 12
        rm out/ballast
        run out 2> third || exit 13
        [ ! -e out/small/\(Journal.fileName) ] || exit 14
        cp -r out/small/. result
        umount out
        run whole || exit 15
        """, in: folder)
      let errors = ["first", "second", "third"].map {
        (try? FileSystem.readText(folder.appending($0))) ?? ""
      }
      try #require(outcome.ending == .exited(0), "\(errors)\(outcome.errorText)")
      for error in errors.prefix(2) {
        #expect(error.contains("No space left on device"), "\(error)")
        #expect(
          error.contains("Free space on the disk, and the same command runs the rest"), "\(error)")
      }
      #expect(errors[2].contains("resumes the run that was begun at"), "\(errors[2])")
      // Whole lines only, and some of the 30 results.
      let journal = try FileSystem.readText(folder.appending("journal"))
      let results = journal.count { $0 == "\n" } - 1
      #expect(journal.hasSuffix("\n") && 0 < results && results < 30, "\(results) results")
      #expect(errors[0].contains("\(results) repetitions are in the journal"), "\(errors[0])")
      let whole = folder.appending("whole/small")
      #expect(
        try JournalRunTests.exactPart(folder.appending("result"))
          == JournalRunTests.exactPart(whole))
    }
  }
}
