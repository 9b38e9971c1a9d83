// Programs that use SQLite, recorded without a change to them, and replayed: the shell with a script, a program of Python, and
// what of them must not be in a trace.
import SystemIO
import TestSupport
import Testing

/// What the programs of these tests need.
private enum ProgramTools {
  static let areInstalled = [
    "/usr/bin/cc", "/usr/bin/sqlite3", "/usr/bin/python3", "/usr/include/sqlite3ext.h",
  ].allSatisfy { FileSystem.exists(FilePath($0)) }
}

@Suite(
  "Recording programs that use SQLite",
  .enabled(if: ProgramTools.areInstalled, "cc, sqlite3 and its header, or python3 are missing"))
struct SQLiteTraceTests {
  /// Compiles the recorder as the manual says, and runs the script.
  private func run(_ script: String, in folder: FilePath) async throws -> ChildProcess.Outcome {
    let sources = BuiltCommand.root.appending("Sources").appending("SQLiteTrace").string
    return try await BuiltCommand.script(
      "cc -O1 -shared -fPIC -o compaction-lab-trace.so '\(sources)'/*.c || exit 99\n" + script,
      in: folder)
  }

  private static let replay = """
    "$lab" trace recorded.jsonl --to recorded.trace &&
    "$lab" replay recorded.trace --engine sqlite --comparator none --keep-files files --output out --quiet
    """

  /// The size of the recorded program's file, and of the replay's.
  private func sizes(_ name: String, in folder: FilePath) throws -> (recorded: Int, replayed: Int) {
    let replayed = "files/program-replayed/sqlite/never/program/data.sqlite"
    return (
      try FileSystem.size(of: [folder.appending(name)]).bytes,
      try FileSystem.size(of: [folder.pushing(FilePath(replayed))]).bytes
    )
  }

  private func expectSameGrowth(_ name: String, in folder: FilePath) throws {
    let (recorded, replayed) = try sizes(name, in: folder)
    // Both files begin empty. A twentieth of 1 MB is many pages: the figure is not decided by chance.
    #expect(recorded > 1_000_000)
    #expect(abs(replayed - recorded) * 20 <= recorded, "\(replayed) B for \(recorded) B")
  }

  /// Rowids, two indexes, a table WITHOUT ROWID, a table that is built anew, rows that grow and go, a rollback.
  private static let script = """
    CREATE TABLE note(id INTEGER PRIMARY KEY, title TEXT, body BLOB, rank REAL);
    CREATE INDEX note_title ON note(title);
    CREATE TABLE word(word TEXT PRIMARY KEY, uses INTEGER) WITHOUT ROWID;
    WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 4000)
      INSERT INTO note SELECT n, 'private ' || (n * 48271 % 1000003), zeroblob(50 + n * 7919 % 400), n / 2.0 FROM n;
    INSERT INTO word SELECT title, id FROM note;
    DELETE FROM note WHERE id % 3 = 0;
    UPDATE note SET body = zeroblob(900) WHERE id % 5 = 0;
    BEGIN; DELETE FROM note; ROLLBACK;
    BEGIN;
    CREATE TABLE newer(id INTEGER PRIMARY KEY, title TEXT, body BLOB, rank REAL, extra TEXT DEFAULT 'x');
    INSERT INTO newer SELECT *, 'more' FROM note;
    DROP TABLE note;
    ALTER TABLE newer RENAME TO note;
    CREATE INDEX note_rank ON note(rank);
    COMMIT;
    INSERT INTO note SELECT id + 5000, title, body, rank, extra FROM note;
    DELETE FROM word WHERE uses % 2 = 0;
    PRAGMA integrity_check;
    """

  @Test("the shell's script replays to the same growth, and its file is as without the recorder")
  func shell() async throws {
    try await BuiltCommand.withFolder { folder in
      try FileSystem.write(text: Self.script, to: folder.appending("script.sql"))
      let outcome = try await run(
        """
        (echo '.load ./compaction-lab-trace'; cat script.sql) |
          COMPACTION_LAB_TRACE=recorded.jsonl sqlite3 program.db > with || exit 1
        sqlite3 plain.db < script.sql > without
        cmp with without && cmp program.db plain.db && echo same
        grep -c private recorded.jsonl
        \(Self.replay)
        """, in: folder)
      #expect(outcome.ending == .exited(0), "\(outcome.errorText)")
      #expect(outcome.outputText.hasPrefix("same\n0\n"), "\(outcome.outputText)")
      try expectSameGrowth("program.db", in: folder)
    }
  }

  /// A queue of messages with a key of text, in a write-ahead log, over several connections.
  private static let program = """
    import random, sqlite3
    draw = random.Random(7)
    sent = 0
    for session in range(3):
        db = sqlite3.connect("program.db", isolation_level=None)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("CREATE TABLE IF NOT EXISTS message(id TEXT PRIMARY KEY, at INTEGER, body BLOB)")
        db.execute("CREATE INDEX IF NOT EXISTS message_at ON message(at)")
        for commit in range(100):
            db.execute("BEGIN IMMEDIATE")
            for _ in range(20):
                sent += 1
                db.execute("INSERT INTO message VALUES (?, ?, ?)",
                    ("%032x" % draw.getrandbits(128), sent, draw.randbytes(draw.randint(20, 900))))
            if session > 0:
                db.execute("DELETE FROM message WHERE at IN (SELECT at FROM message ORDER BY at LIMIT 12)")
            db.execute("ROLLBACK" if commit % 10 == 9 else "COMMIT")
        db.close()
    """

  @Test(
    "a program that loads no extension is recorded by preloading, and replays to the same growth")
  func preloaded() async throws {
    #if os(Linux)
      try await BuiltCommand.withFolder { folder in
        try FileSystem.write(text: Self.program, to: folder.appending("program.py"))
        let outcome = try await run(
          """
          LD_PRELOAD=./compaction-lab-trace.so COMPACTION_LAB_TRACE=recorded.jsonl /usr/bin/python3 program.py &&
          \(Self.replay)
          """, in: folder)
        #expect(outcome.ending == .exited(0), "\(outcome.errorText)")
        try expectSameGrowth("program.db", in: folder)
      }
    #endif
  }

  @Test("a killed program leaves a trace that is replayed up to its last whole line")
  func killed() async throws {
    try await BuiltCommand.withFolder { folder in
      try FileSystem.write(
        text: """
          .load ./compaction-lab-trace
          CREATE TABLE item(a, b);
          WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 5000)
            INSERT INTO item SELECT n, 'text' FROM n;
          .shell kill -9 $PPID
          """, to: folder.appending("script.sql"))
      let outcome = try await run(
        """
        sqlite3 program.db < script.sql
        mv program.db.trace.jsonl recorded.jsonl
        "$lab" trace recorded.jsonl --to recorded.trace; echo "refused $?"
        "$lab" trace recorded.jsonl --to recorded.trace --unfinished; echo "accepted $?"
        "$lab" replay recorded.trace --comparator none --output out --quiet; echo "replayed $?"
        """, in: folder)
      for line in ["refused 1", "accepted 0", "replayed 0"] {
        #expect(outcome.outputText.contains(line), "\(outcome.outputText)\(outcome.errorText)")
      }
      #expect(outcome.errorText.contains("--unfinished"))
    }
  }

  @Test("what cannot be recorded is the extension's error, and a preloaded program does its work")
  func refused() async throws {
    try await BuiltCommand.withFolder { folder in
      let outcome = try await run(
        """
        sqlite3 :memory: '.load ./compaction-lab-trace' 2>&1
        export COMPACTION_LAB_TRACE=missing/trace.jsonl
        sqlite3 program.db '.load ./compaction-lab-trace' 2>&1
        LD_PRELOAD=./compaction-lab-trace.so sqlite3 program.db \
          'CREATE TABLE item(a); INSERT INTO item VALUES (7); SELECT a FROM item'
        """, in: folder)
      #expect(outcome.outputText.contains("the database has no file"))
      #expect(outcome.outputText.contains("missing/trace.jsonl: No such file or directory"))
      #expect(outcome.outputText.hasSuffix("7\n"))
    }
  }
}
