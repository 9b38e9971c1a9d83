// Every key that a scenario file may have, in one table: the parser refuses what is not in it, and the JSON Schema and the
// tables of Docs/Scenarios.md are made from it (ScenarioSchema.swift).

/// The keys of one kind of mapping.
package struct KeyTable: Hashable, Sendable {
  package struct Key: Hashable, Sendable {
    package let name: String
    /// What may be written, in words.
    package let type: String
    /// What absence means; nil where the key must be given.
    package let absent: String?
    package let meaning: String

    package var isRequired: Bool { absent == nil }

    init(_ name: String, _ type: String, absent: String? = nil, _ meaning: String) {
      self.name = name
      self.type = type
      self.absent = absent
      self.meaning = meaning
    }
  }

  /// Also the name of the definition in the JSON Schema.
  package let name: String
  package let keys: [Key]

  package func key(_ name: String) -> Key? { keys.first { $0.name == name } }
}

package enum ScenarioKeys {
  package static let all = [
    scenario, table, value, writer, transaction, reader, queues, frozen, pins, observers,
    queuedWriters, process, savepoint, checkpoints, probe, arm, limits, log, geometry, phase,
    launches, policy, sample, expectation,
  ]

  package static let scenario = KeyTable(
    name: "scenario",
    keys: [
      .init("scenario", "name in kebab-case", "The name in reports; the file is named alike."),
      .init("question", "text", "What the experiment answers, as a question."),
      .init("description", "text", absent: "empty", "How the trouble comes about."),
      .init(
        "source", "text or list of texts", absent: "none", "The documents and threads behind it."),
      .init("keywords", "list of texts", absent: "none", "Words to find the scenario by."),
      .init("seed", "whole number", absent: "1", "Where all random choices begin."),
      .init(
        "durability", "`full` or `none`", absent: "`none`",
        "Whether a commit is on disk when it returns."),
      .init("data", "mapping: name → table", "The tables and what they begin with."),
      .init(
        "seed-file", "`true` or `false`", absent: "`false`",
        "Whether the first launch finds the tables' rows in a compacted copy, as an app brings it."),
      .init("clients", "mapping: name → client", "Who works on the database."),
      .init(
        "arms", "list of name: arm", absent: "one arm, `default`, with the clients as they are",
        "Ways in which the clients behave; the first is what users do, the others are cures."),
      .init("phases", "list of name: phase", "The parts of a launch, in order."),
      .init(
        "launches", "1 to 1_000, or mapping", absent: "1",
        "How often the phases are gone through; the database is closed and opened in between."),
      .init(
        "engines", "list of engines", absent: "`[native, lmdb, sqlite]`",
        "The engines that the scenario is replayed on."),
      .init("policies", "list of policies", "When the database is compacted, one after the other."),
      .init(
        "comparator", "`never` or `none`", absent: "`never`",
        "What the policies are compared with; `never` is run even where `policies` lacks it."),
      .init("sample", "mapping", absent: "every 50 commits, 100 ms", "How often to measure."),
      .init(
        "expect", "list of expectations", absent: "none", "Sentences that the run may prove false."
      ),
    ])

  package static let table = KeyTable(
    name: "table",
    keys: [
      .init("rows", "1 to 10_000_000", "Rows loaded before the first phase of the first launch."),
      .init("value", "mapping", "What the rows hold."),
    ])

  package static let value = KeyTable(
    name: "value",
    keys: [
      .init(
        "size", "size or distribution of sizes, 1 B to 16 MiB", "Bytes of each value.")
    ])

  package static let arm = KeyTable(
    name: "arm",
    keys: [
      .init("summary", "text", absent: "empty", "The arm in one line, for the report."),
      .init(
        "clients", "mapping: name → keys that differ, or `none`", absent: "all as they are",
        "What is different; `none` leaves the client out."),
      .init(
        "commits", "mapping: phase → 1 to 10_000_000", absent: "the phases' own",
        "Commits of a phase in this arm, so that arms do the same work in fewer or more of them."),
      .init(
        "encrypted", "`true` or `false`", absent: "`false`", "Whether the database is encrypted."),
      .init(
        "deleted-rows", "`spread`, `first` or `random`", absent: "`spread`",
        "Which rows go where a phase deletes a share: evenly over the keys, the oldest, or any."),
      .init(
        "files", "1 to 64", absent: "1",
        "The files that the rows are divided over: the row of key n is in file n mod `files`."),
      .init(
        "limits", "mapping", absent: "none", "What the database may have, and no more."),
      .init(
        "log", "mapping", absent: "the engine's own way", "How the log beside the file is kept."),
      .init(
        "geometry", "mapping", absent: "the engine's own way",
        "Bounds and steps in which the file grows and is cut."),
      .init(
        "auto-vacuum", "`incremental`", absent: "what the policy says",
        "Lays SQLite's file out so that a phase's `shorten` can cut it."),
      .init(
        "policies", "list of policies' names", absent: "all",
        "The policies that this arm is crossed with."),
    ])

  package static let limits = KeyTable(
    name: "limits",
    keys: [
      .init(
        "versions", "2 to 1_000_000", absent: "any number",
        "Versions that may be readable at once."),
      .init(
        "address-space", "size, 1 MiB to 1 GiB", absent: "what the process gets",
        "Of the process, for the file to be mapped into."),
      .init(
        "disk", "size, 1 MiB to 1 GiB", absent: "the machine's",
        "Of the disk that the database is on: all its files, temporary ones too."),
      .init(
        "patience", "time, 0 ms to 1 min", absent: "the engine's own: SQLite's adapter, 10 s",
        "How long a writer waits for the locks of others (`busy_timeout`)."),
      .init(
        "launches", "number, `a to b`, or list of numbers", absent: "all",
        "The launches, from 1, in which they hold."),
    ])

  package static let log = KeyTable(
    name: "log",
    keys: [
      .init(
        "checkpoint-pages", "1 to 1_000_000, or `never`", absent: "SQLite's 1_000",
        "Pages in the log from which on a commit makes a passive checkpoint (`wal_autocheckpoint`)."
      ),
      .init(
        "size-limit", "size, 0 B to 1 GiB", absent: "any size",
        "What the log is cut to when a commit begins it anew (`journal_size_limit`)."),
      .init(
        "journal", "`wal`, `delete`, `truncate` or `persist`", absent: "`wal`",
        "A write-ahead log, or a rollback journal and what a commit does with it (`journal_mode`)."),
    ])

  package static let geometry = KeyTable(
    name: "geometry",
    keys: [
      .init(
        "lower", "size, 64 KiB to 1 GiB", absent: "none", "The file is never shorter."),
      .init(
        "upper", "size, 64 KiB to 1 GiB", absent: "what the process can map",
        "The file is never longer; a commit that would need more is refused."),
      .init(
        "growth-step", "size, 64 KiB to 1 GiB", absent: "256 KiB",
        "What the file grows by at a time."),
      .init(
        "shrink-threshold", "size, 64 KiB to 1 GiB, or `never`", absent: "`never`",
        "Where so much is free at the file's end, a commit cuts it off."),
    ])

  package static let phase = KeyTable(
    name: "phase",
    keys: [
      .init(
        "commits", "1 to 10_000_000", absent: "none",
        "The phase lasts until its writers made so many commits."),
      .init(
        "delete", "share", absent: "none",
        "Deletes this share of each table's rows before the clients run, spread over the keys."),
      .init(
        "refill", "`true` or `false`", absent: "`false`",
        "Inserts the missing rows again before the clients run."),
      .init(
        "idle", "time", absent: "none",
        "Virtual time that passes before the clients run, in which nobody does anything."),
      .init(
        "check-readers", "`true` or `false`", absent: "`false`",
        "Has the engine free the places of dead readers before the clients run."),
      .init(
        "shorten", "size, 4 KiB to 1 GiB, or `all`", absent: "nothing",
        "Has the engine shorten the file by so much at most before the clients run, where it can be asked."
      ),
      .init(
        "new-key", "`compaction` or `copy`", absent: "nothing",
        "What is done under another key before the clients run, in arms that are encrypted."),
      .init(
        "batch", "1 to 1_000_000", absent: "1_000",
        "Rows in one transaction of `delete` and `refill`; each is a commit beside `commits`."),
      .init(
        "run", "list of clients, or of `client: keys`", absent: "nobody",
        "The clients that run, and what is different with them in this phase."),
      .init(
        "launches", "number, `a to b`, or list of numbers", absent: "all",
        "The launches, from 1, in which the phase takes place."),
    ])

  package static let launches = KeyTable(
    name: "launches",
    keys: [
      .init("count", "1 to 1_000", "How often the phases are gone through."),
      .init(
        "gap", "time, or `log-normal time sigma σ`", absent: "8 h",
        "Virtual time from the end of a launch to the next."),
      .init(
        "awake", "`a h to b h`", absent: "all day",
        "Openings outside of these hours are put off until they begin; the scenario begins at midnight."
      ),
      .init(
        "crash", "number, `a to b`, or list of numbers", absent: "none",
        "The launches, from 1, that end as if the process were killed."),
      .init(
        "compaction-killed", "number, `a to b`, or list of numbers", absent: "none",
        "The launches, from 2, before which a process is killed while it compacts the database."),
    ])

  package static let policy = KeyTable(
    name: "policy",
    keys: [
      .init(
        "name", "text", absent: "what the policy does",
        "The name in reports, arms and expectations."),
      .init(
        "automatic", "`true`, `false`, `documented`, `realm-compatible`, `eager` or `idle`",
        absent: "`false`", "Whether the engine compacts by itself while it runs, and in which way."),
      .init(
        "on-launch", "predicate, `always` or `never`", absent: "`never`",
        "Asked each time the database is opened: compact now?"),
    ])

  package static let sample = KeyTable(
    name: "sample",
    keys: [
      .init(
        "every", "1 to 1_000_000 commits", absent: "50 commits",
        "Commits between two rows of samples.csv; phases begin and end with one."),
      .init(
        "wall", "time, 1 ms to 1 h", absent: "100 ms",
        "Time between two rows of timings.csv, on the wall clock."),
    ])

  package static let expectation = KeyTable(
    name: "expectation",
    keys: [
      .init("in", "phase", absent: "see below", "Looks at the samples of the phase."),
      .init(
        "after", "phase", absent: "see below",
        "Looks at the samples from the phase's end to the launch's end."),
      .init("at", "`end`", absent: "see below", "Looks at the last sample of the run."),
      .init(
        "engine", "engine or list", absent: "all",
        "Only on these; variants of `native`, `mdbx` and `realm-core` need not be the scenario's own."
      ),
      .init("policy", "policy's name or list", absent: "all", "Only with these policies."),
      .init("arm", "arm or list", absent: "all", "Only in these arms."),
      .init(
        "size", "`ci`, `middle` or `full`", absent: "all", "Only where it is run in this size."),
      .init(
        "schedule", "`stepped`", absent: "both",
        "Not on real threads, where who takes a turn late pins for longer."),
      .init("that", "condition", "What should hold."),
      .init(
        "against", "arm, policy or engine", absent: "none",
        "The cell that differs in this alone, to which `times` in a limit refers."),
      .init(
        "of", "variable", absent: "`allBytes`",
        "What a shape of the curve speaks of; `reclaimed` of `pinnedBytes` where it is absent."),
    ])
}
