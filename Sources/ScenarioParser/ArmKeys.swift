// Arms: what a file may change about the clients, the database and its limits.
import MetricModel
import ScenarioModel

/// An arm as its keys give it.
struct ArmDraft {
  var spec = ArmSpec(name: "", clients: [])
  /// The differences of the arm's clients.
  var clients: Field?
  /// Commits by phase.
  var commits: Field?
  var files: Int?
  var policies: Field?
}

extension ScenarioKeys {
  static let arm = Block("arm", ArmDraft()) {
    Key("summary", \.spec.summary, .text, "The arm in one line, for the report.")
    Key(
      "clients", \.clients,
      .later(
        "mapping: name → keys that differ, or `none`",
        schema: .mapping(
          .anyOf([.object(("const", .text("none"))), .ref("override")]))),
      default: "all as they are", "What is different; `none` leaves the client out.")
    Key(
      "commits", \.commits,
      .later("mapping: phase → \(Limits.commitCounts.written)", schema: .mapping(.ref("count")))
        .scalable,
      default: "the phases' own",
      "Commits of a phase in this arm, so that arms do the same work in fewer or more of them.")
    Key("encrypted", \.spec.isEncrypted, .flag, "Whether the database is encrypted.")
    Key(
      "deleted-rows", \.spec.deletedRows, .choice,
      "Which rows go where a phase deletes a share: evenly over the keys, the oldest, or any.")
    Key(
      "files", \.files, .count(1...64), default: "1",
      "The files that the rows are divided over: the row of key n is in file n mod `files`.")
    Key(
      "limits", \.spec.limits, .block(limits), default: "none",
      "What the database may have, and no more.")
    Key(
      "log", \.spec.log, .block(log), default: "the engine's own way",
      "How the log beside the file is kept.")
    Key(
      "geometry", \.spec.geometry, .block(geometry), default: "the engine's own way",
      "Bounds and steps in which the file grows and is cut.")
    Key(
      "auto-vacuum", \.spec.autoVacuum, .choice, default: "what the policy says",
      "Lays SQLite's file out so that a phase's `shorten` can cut it.")
    Key(
      "opens-in-background", \.spec.opensInBackground, .flag, default: "`false`",
      "Whether each launch opens the database, and compacts it, on a background thread, as asynchronous opening does; "
        + "blocked at launch is then the longest time for which the launching thread is held up.")
    Key(
      "policies", \.policies, .later("list of policies' names", schema: .oneOrMore(.anyText)),
      default: "all", "The policies that this arm is crossed with.")
  }

  static let limits = Block("limits", LimitSpec(), renamedKeys: ["patience": "busy-timeout"]) {
    Key(
      "versions", \.versions, .count(2...1_000_000), default: "any number",
      "Versions that may be readable at once.")
    Key(
      "address-space", \.addressSpace, .size(1 << 20...1 << 30), default: "what the process gets",
      "Of the process, for the file to be mapped into.")
    Key(
      "disk", \.disk, .size(1 << 20...1 << 30), default: "the machine's",
      "Of the disk that the database is on: all its files, temporary ones too.")
    Key(
      "busy-timeout", \.busyTimeout, .milliseconds(0...60_000_000),
      default: "the engine's own: SQLite's adapter, 10 s",
      "How long a writer waits for the locks of others (`busy_timeout`).")
    Key(
      "launches", \.launches, .launches, default: "all",
      "The launches, from 1, in which they hold.")
  } check: { limits, keys in
    if keys[\.versions] == nil, keys[\.addressSpace] == nil, keys[\.disk] == nil,
      keys[\.busyTimeout] == nil, keys.isClean
    {
      keys.report(
        "nothing is limited", hint: "give it versions, address-space, disk or busy-timeout")
    }
  }

  static let log = Block("log", LogSpec()) {
    Key(
      "checkpoint-pages", \.checkpointPages, .count(1...1_000_000).or("never", 0),
      default: "SQLite's 1_000",
      "Pages in the log from which on a commit makes a passive checkpoint (`wal_autocheckpoint`).")
    Key(
      "size-limit", \.sizeLimit, .size(0...1 << 30), default: "any size",
      "What the log is cut to when a commit begins it anew (`journal_size_limit`).")
    Key(
      "journal", \.journal, .choice, default: "`wal`",
      "A write-ahead log, or a rollback journal and what a commit does with it (`journal_mode`).")
  } check: { log, keys in
    if log.isRollback, log.checkpointPages != nil {
      keys[\.checkpointPages]?.report(
        "a rollback journal is never moved into the file", hint: "drop checkpoint-pages, or journal"
      )
    }
    if log == LogSpec(), keys.isClean {
      keys.report(
        "nothing is said of the log", hint: "give it journal, checkpoint-pages or size-limit")
    }
  }

  static let geometry = Block("geometry", GeometrySpec()) {
    Key(
      "lower", \.lower, .size(1 << 16...1 << 30), default: "none", "The file is never shorter.")
    Key(
      "upper", \.upper, .size(1 << 16...1 << 30), default: "what the process can map",
      "The file is never longer; a commit that would need more is refused.")
    Key(
      "growth-step", \.growthStep, .size(1 << 16...1 << 30), default: "256 KiB",
      "What the file grows by at a time.")
    Key(
      "shrink-threshold", \.shrinkThreshold, .size(1 << 16...1 << 30).or("never", 0),
      default: "`never`", "Where so much is free at the file's end, a commit cuts it off.")
  } check: { geometry, keys in
    if let lower = geometry.lower, let upper = geometry.upper, lower > upper {
      keys[\.lower]?.report("the lower bound is above the upper one", hint: "swap them")
    }
    if geometry == GeometrySpec(), keys.isClean {
      keys.report(
        "nothing is said of the file",
        hint: "give it lower, upper, growth-step or shrink-threshold")
    }
  }
}
