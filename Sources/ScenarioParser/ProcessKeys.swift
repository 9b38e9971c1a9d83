// Other processes, probes, and clients that make checkpoints.
import Generators
import MetricModel
import ScenarioModel

extension ScenarioKeys {
  static let process = Block.client(
    "process", ProcessSpec(table: "", work: .idles), on: \.table,
    renamedKeys: ["stays": "open-until"]
  ) {
    Key(
      "does", \.work, .choice, default: .required,
      "Nothing; or holds one snapshot; or reads, or commits, again and again.")
    Key(
      "every", \.everyCommits, .commits(1...1_000_000).scalable,
      "When it reads or commits, where it does.")
    Key(
      "rows", \.rows, .count(1...100_000).scalable, "Rows that it reads or overwrites each time.")
    Key.keys(\.keys)
    Key(
      "ends", \.end, .processEnd, default: "`closes`",
      "How it ends, and when in its first phase, if not at the end of `open-until`.")
    Key("open-until", \.openUntil, .choice, "Until the end of what it has the database open.")
    Key(
      "is", \.isThread, .choice([("another process", false), ("another thread", true)]),
      "A thread of this process opens the database once more; it can only close it.")
  } check: { process, keys in
    if process.isThread, process.ending != .closes {
      keys[\.end]?.report(
        "a thread of this process can only close the database", hint: "use ends: closes")
    }
  }

  static let checkpoints = Block.client("checkpoints", CheckpointSpec(mode: .passive)) {
    Key(
      "mode", \.mode, .choice, default: .required, "How far a checkpoint goes, by SQLite's names.")
    Key(
      "every", \.everyCommits, .commits(1...1_000_000), default: "once, when its phase begins",
      "When the next one is made.")
  }

  static let probe = Block.client(
    "probe", ProbeSpec(table: "", target: .another, work: .opens), on: \.table
  ) {
    Key(
      "of", \.target, .choice, default: .required,
      "Whose operations are timed: a second database's, or another process's on this one.")
    Key(
      "does", \.work, .choice,
      "Reads a row of an open database, or opens it, reads a row and closes it each time.")
    Key(
      "rate", \.ratePerSecond, .rate(0.1...10_000, "0.1 per s to 10_000 per s"),
      "How often, at times that do not depend on other operations.")
    Key.keys(\.keys)
  } check: { probe, keys in
    if probe.target == .this, probe.work == .reads {
      (keys[\.work] ?? keys[\.target])?.report(
        "a probe that has this database open keeps it from being compacted",
        hint: "use does: opens")
    }
  }
}

extension ProcessSpec {
  fileprivate var end: ProcessEnd {
    get { ProcessEnd(ending: ending, after: endsAfterCommits) }
    set {
      ending = newValue.ending
      endsAfterCommits = newValue.after
    }
  }
}

private struct ProcessEnd {
  var ending: ProcessSpec.Ending
  /// Commits of its first phase.
  var after: Int?
}

extension ValueType where Value == ProcessEnd {
  /// `killed`, `killed after 500 commits`.
  fileprivate static var processEnd: Self {
    let names = ProcessSpec.Ending.allCases.map(\.rawValue)
    return Self(
      "\(listed(names.map { "`\($0)`" })); also with `after n commits`",
      schema: .choice(names, suffix: "after n commits"),
      expected: "\(listed(names)), also with after 500 commits"
    ) { field, expected in
      guard let end = field.quantity(expected, parse) else { return nil }
      if let after = end.after, field.within(1...1_000_000, after) == nil { return nil }
      return end
    }
  }

  private static func parse(_ text: String) -> ProcessEnd? {
    let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
    guard let ending = parts.first.flatMap(ProcessSpec.Ending.init(rawValue:)) else { return nil }
    guard parts.count == 2 else { return ProcessEnd(ending: ending) }
    return QuantityText.commits(after: "after ", parts[1]).map {
      ProcessEnd(ending: ending, after: $0)
    }
  }
}
