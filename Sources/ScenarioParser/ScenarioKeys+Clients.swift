// The keys of clients, by kind.

extension ScenarioKeys {
  package static let writer = client(
    "writer",
    [
      .init("transaction", "mapping", "What one write transaction does."),
      keys, ownValue,
      .init(
        "rate", "rate, or `share of maximum`", absent: "100 per s",
        "Transactions in virtual time, so that policies and pins have an age."),
      .init(
        "arrivals", "`after each`, `steady`, `poisson` or `bursts of n`", absent: "`after each`",
        "When transactions begin: after the one before, or by a schedule."),
      .init(
        "think", "time", absent: "none", "Pause between transactions; goes with `after each`."),
      .init(
        "wave", "`share over time`", absent: "none",
        "By how much the schedule's rate rises and falls, as a sine over that time."),
      .init(
        "sways", "`share to share over n commits`", absent: "as inserted and deleted",
        "Between which shares of its first rows the table goes up and down, and how often."),
    ])

  package static let transaction = KeyTable(
    name: "transaction",
    keys: [
      .init("insert", "0 to 100_000", absent: "0", "Rows inserted under new keys."),
      .init("update", "0 to 100_000", absent: "0", "Rows overwritten."),
      .init("delete", "0 to 100_000", absent: "0", "Rows deleted."),
      .init("read", "0 to 100_000", absent: "0", "Rows read."),
      .init("scan", "0 to 100_000", absent: "0", "Scans in key order."),
      .init("scan-length", "1 to 1_000_000", absent: "100", "Rows of one scan."),
      .init(
        "reload", "`in one transaction` or `in two transactions`", absent: "none",
        "Deletes all rows and inserts as many as the table began with; alone, or with reads."),
      .init(
        "empty", "`true` or `false`", absent: "`false`",
        "Whether it is committed with nothing changed; it has no other key then."),
    ])

  static let ownValue = KeyTable.Key(
    "value", "mapping", absent: "the table's", "What the rows hold that it writes.")

  package static let reader = client(
    "reader",
    [
      reads, keys,
      .init(
        "while-blocked", "`holds`, `invalidates` or `refreshes every n commits`",
        absent: "`holds`",
        "What becomes of the read transaction while the thread is blocked."),
    ])

  package static let queues = client(
    "queues",
    [
      .init("queues", "1 to 64", absent: "4", "Dispatch queues; jobs go to them in turn."),
      .init(
        "concurrent", "`true` or `false`", absent: "`false`",
        "Whether the queues are concurrent."),
      .init(
        "targeted", "`true` or `false`", absent: "`false`",
        "Whether all target one serial queue, so that one job runs at a time."),
      .init("job-every", "1 to 1_000_000 commits", absent: "10 commits", "When a job is given."),
      reads, keys,
      .init(
        "release", "`at end of block`, `after n commits`, `when idle for n commits` or `never`",
        "When the handle that a job opened goes."),
    ])

  package static let frozen = client(
    "frozen",
    [
      .init(
        "take-every", "1 to 1_000_000 commits", absent: "10 commits",
        "When the next snapshot is taken."),
      .init(
        "window", "1 to 100_000, or `unlimited`",
        "Snapshots held at once; the oldest goes when the window is full."),
      reads, keys,
    ])

  /// Client tables by the value of `kind`.
  package static let clientKinds = [
    "writer": writer, "reader": reader, "queues": queues, "frozen": frozen, "pins": pins,
    "observers": observers, "queued-writers": queuedWriters, "process": process,
    "savepoint": savepoint, "checkpoints": checkpoints,
    "probe": probe,
  ]

  static let reads = KeyTable.Key(
    "reads", "0 to 100_000", absent: "1", "Rows read from each snapshot.")

  static let keys = KeyTable.Key(
    "keys", "distribution of keys", absent: "`uniform`", "Which rows.")

  static func client(_ name: String, _ own: [KeyTable.Key]) -> KeyTable {
    let shared: [KeyTable.Key] = [
      .init("kind", "`\(name)`", "What the client is."),
      .init(
        "table", "table", absent: "the only table", "The table that it works on."),
    ]
    return KeyTable(name: name, keys: shared + own)
  }
}
