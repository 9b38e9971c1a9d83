// The keys of clients that are there for what they pin, and of other processes.

extension ScenarioKeys {
  package static let pins = client(
    "pins",
    [
      .init(
        "take-every", "1 to 1_000_000 commits", absent: "10 commits",
        "When the next snapshot is taken."),
      .init("at-once", "1 to 1_000", absent: "1", "Snapshots that are taken each time."),
      .init(
        "most", "1 to 100_000, or `unlimited`", absent: "`unlimited`",
        "No more than so many are held; where there is no room, none is taken."),
      .init(
        "lifetime",
        "`200 commits`, `10 to 200 commits`, `exponential 200 commits`, "
          + "`log-normal 200 commits σ`, `pareto 50 commits α` or `never`",
        "How long each is held: the mean, the median or the least, and the spread."),
      .init(
        "held-by", "`thread`, `tasks` or `actor`", absent: "`thread`",
        "Who has them: the client's thread, a suspended task for each, or one actor "
          + "(over `native-objects` one for each)."),
      reads, keys,
    ])

  package static let observers = client(
    "observers",
    [
      .init("observers", "1 to 1_000", absent: "1", "How many observe the table."),
      .init(
        "callback", "0 to 1_000_000 commits", absent: "0 commits",
        "Commits that others make while a callback runs."),
      .init(
        "stalls", "`never`, `after n commits` or `after n commits for m commits`",
        absent: "`never`", "When nothing is delivered, counted from the phase's beginning."),
      reads, keys,
    ])

  package static let queuedWriters = KeyTable(
    name: "queued-writers",
    keys: writer.keys.map {
      $0.name == "kind" ? .init("kind", "`queued-writers`", "What the client is.") : $0
    } + [
      .init("threads", "2 to 256", absent: "16", "Threads that wait for the write lock in turn."),
      .init(
        "while-queued", "`holds` or `invalidates`", absent: "`holds`",
        "Whether a thread that waits holds the version that it read before."),
    ])

  package static let process = client(
    "process",
    [
      .init(
        "does", "`idles`, `pins`, `reads` or `writes`",
        "Nothing; or holds one snapshot; or reads, or commits, again and again."),
      .init(
        "every", "1 to 1_000_000 commits", absent: "10 commits",
        "When it reads or commits, where it does."),
      .init(
        "rows", "1 to 100_000", absent: "1", "Rows that it reads or overwrites each time."),
      keys,
      .init(
        "ends", "`closes`, `exits`, `killed` or `suspended`; also with `after n commits`",
        absent: "`closes`", "How it ends, and when in its first phase, if not with its stay."),
      .init(
        "stays", "`phase`, `launch` or `next launch`", absent: "`phase`",
        "Until the end of what it has the database open."),
      .init(
        "is", "`another process` or `another thread`", absent: "`another process`",
        "A thread of this process opens the database once more; it can only close it."),
    ])

  package static let savepoint = KeyTable(
    name: "savepoint",
    keys: [
      .init("kind", "`savepoint`", "What the client is."),
      .init(
        "does", "`makes` or `drops`", absent: "`makes`",
        "What becomes of the savepoint of its name when a phase with it begins."),
    ])

  package static let checkpoints = KeyTable(
    name: "checkpoints",
    keys: [
      .init("kind", "`checkpoints`", "What the client is."),
      .init(
        "mode", "`passive`, `full`, `restart` or `truncate`",
        "How far a checkpoint goes, by SQLite's names."),
      .init(
        "every", "1 to 1_000_000 commits", absent: "once, when its phase begins",
        "When the next one is made."),
    ])

  package static let probe = client(
    "probe",
    [
      .init(
        "of", "`another database` or `this database`",
        "Whose operations are timed: a second database's, or another process's on this one."),
      .init(
        "does", "`reads` or `opens`", absent: "`opens`",
        "Reads a row of an open database, or opens it, reads a row and closes it each time."),
      .init("rate", "rate", absent: "100 per s", "How often, at times that wait for nobody."),
      keys,
    ])
}
