// Phases, and the launches that go through them.
import MetricModel
import ScenarioModel

/// A phase as its keys give it.
struct PhaseDraft {
  var spec = PhaseSpec(name: "")
  /// The clients that run.
  var run: Field?
}

/// Launches as their keys give them.
struct LaunchDraft {
  var count = 1
  var gap = LaunchGap(median: VirtualTime(seconds: 8 * 3600), sigmaPermille: 0)
  var awake: LifecycleSpec.Hours?
  var crashes: Field?
  var killedCompactions: Field?
  var coldStarts: Field?
  var background: [BackgroundSpec]?
  var lifecycle = LifecycleSpec()
}

/// Between two launches.
struct LaunchGap: Hashable, Sendable {
  var median: VirtualTime
  /// 0 for gaps that are all alike.
  var sigmaPermille: Int
}

extension ScenarioKeys {
  static let phase = Block("phase", PhaseDraft()) {
    Key(
      "commits", \.spec.commits, .count(Limits.commitCounts).scalable, default: "none",
      "The phase lasts until its writers made so many commits.")
    Key(
      "transactions", \.spec.lookupTransactions, .count(1...1_000_000_000).scalable,
      default: "none",
      "Without commits: each of its clients of lookups makes so many read transactions.")
    Key(
      "lasts", \.spec.lookupTime, .time(1000...86_400_000_000).scalable, default: "none",
      "Without commits: its lookups go on for so long, on the virtual clock or on the machine's.")
    Key(
      "delete", \.spec.deleteShare, .share.scalable, default: "none",
      "Deletes this share of each table's rows before the clients run, spread over the keys.")
    Key(
      "refill", \.spec.refill, .flag, "Inserts the missing rows again before the clients run.")
    Key(
      "idle", \.spec.idle, .time(1...Limits.gapMicroseconds).scalable, default: "none",
      "Virtual time that passes before the clients run, without any operation.")
    Key(
      "check-readers", \.spec.checksReaders, .flag,
      "Has the engine free the reader-table entries of dead readers before the clients run.")
    Key(
      "shorten", \.spec.shortens, .shortening, default: "nothing",
      "Has the engine shorten the file by so much at most before the clients run, where it can be asked."
    )
    Key(
      "migrate", \.spec.migration, .choice, default: "nothing",
      "What a migration of all tables changes before the clients run, in one transaction.")
    Key(
      "new-key", \.spec.newKey, .choice, default: "nothing",
      "What is done under another key before the clients run, in arms that are encrypted.")
    Key(
      "batch", \.spec.deleteBatch, .count(1...1_000_000),
      "Rows in one transaction of `delete` and `refill`; each is a commit beside `commits`.")
    Key(
      "run", \.run,
      .later(
        "list of clients, or of `client: keys`",
        schema: .oneOrMore(.anyOf([.anyText, .single(.ref("override"))]))), default: "no client",
      "The clients that run, and what is different with them in this phase.")
    Key(
      "launches", \.spec.onlyInLaunches, .launches, default: "all",
      "The launches, from 1, in which the phase takes place.")
  } check: { phase, keys in
    let acts: [PartialKeyPath<PhaseDraft>] = [
      \.spec.commits, \.spec.lookupTransactions, \.spec.lookupTime, \.spec.deleteShare,
      \.spec.idle, \.spec.newKey, \.spec.shortens, \.spec.migration,
    ]
    if acts.allSatisfy({ keys[$0] == nil }), !phase.spec.refill {
      keys.report("nothing happens in this phase", hint: "give it commits, delete, refill or idle")
    }
    let ends: [PartialKeyPath<PhaseDraft>] = [
      \.spec.commits, \.spec.lookupTransactions, \.spec.lookupTime,
    ]
    let given = ends.compactMap { keys[$0] }
    if given.count > 1 {
      given.last?.report(
        "the phase has two ends", hint: "give it one of commits, transactions and lasts")
    }
    if keys[\.spec.deleteShare] == nil, !phase.spec.refill {
      keys[\.spec.deleteBatch]?.report(
        "there is nothing to do in batches", hint: "it goes with delete or refill")
    }
  }

  static let launches = Block("launches", LaunchDraft(), renamedKeys: ["awake": "active-hours"]) {
    Key(
      "count", \.count, .count(1...1_000), default: .required,
      "How often the phases are gone through.")
    Key("gap", \.gap, .gap.scalable, "Virtual time from the end of a launch to the next.")
    Key(
      "active-hours", \.awake, .hours, default: "all day",
      "Openings outside of these hours are put off until they begin; the scenario begins at midnight."
    )
    Key(
      "crash", \.crashes, .launchesLater, default: "none",
      "The launches, from 1, that end as if the process were killed.")
    Key(
      "compaction-killed", \.killedCompactions, .launchesLater, default: "none",
      "The launches, from 2, before which a process is killed while it compacts the database.")
    Key(
      "cold", \.coldStarts, .launchesLater, default: "none",
      "The launches, from 2, that begin with the database's files dropped from the page cache.")
    Key(
      "background", \.background, .moments, default: "none",
      "Moments between two launches in which the system opens the database in the background, as in "
        + "`charging at 30 %` of the gap; without a share they divide it evenly."
    )
  } check: { launches, keys in
    launches.lifecycle.gapSigmaPermille = launches.gap.sigmaPermille
    launches.lifecycle.awake = launches.awake
    launches.lifecycle.crashes = launches.crashes?.launchNumbers(1...launches.count) ?? []
    if let cold = launches.coldStarts {
      if launches.count < 2 {
        cold.report("no launch finds files to drop", hint: "it takes two launches or more")
      } else {
        launches.lifecycle.coldStarts = cold.launchNumbers(2...launches.count)
      }
    }
    checkBackground(&launches, keys)
    guard let killed = launches.killedCompactions else { return }
    if launches.count < 2 {
      killed.report("no launch finds a database to compact", hint: "it takes two launches or more")
    } else {
      launches.lifecycle.killedCompactions = killed.launchNumbers(2...launches.count) ?? []
    }
  }
}

extension ValueType where Value == ShortenSpec {
  static var shortening: Self {
    ValueType<Int>.size(1 << 12...1 << 30).map { ShortenSpec.atMost($0) }.or("all", .all)
  }
}

extension ValueType where Value == LaunchDraft {
  /// A number of launches, or more about them.
  static var launchPlan: Self {
    let count = ValueType<Int>.count(1...1_000)
    return Self(
      "\(count.words), or mapping",
      schema: .anyOf([count.schema, .ref(ScenarioKeys.launches.table.name)]),
      expected: count.expected, written: { count.written($0.count) },
      read: { field, expected in
        guard field.node.mapping == nil else { return ScenarioKeys.launches.read(field)?.model }
        return count.read(field, expected).map { LaunchDraft(count: $0) }
      })
  }
}

extension ValueType where Value == LaunchGap {
  /// `8 h`, `log-normal 8 h sigma 1.2`.
  static var gap: Self {
    let time = ValueType<VirtualTime>.time(0...Limits.gapMicroseconds)
    return Self(
      "time, or `log-normal time sigma σ`",
      schema: .anyOf([
        time.schema, .pattern("log-normal \(SchemaNode.time) sigma [0-9.]+"),
      ]),
      expected: time.expected, written: { time.written($0.median) },
      read: { field, expected in
        if let text = field.node.scalar?.string, text.hasPrefix(logNormal) {
          return logNormalGap(field)
        }
        return time.read(field, expected).map { LaunchGap(median: $0, sigmaPermille: 0) }
      })
  }

  private static var logNormal: String { "log-normal " }

  private static func logNormalGap(_ field: Field) -> LaunchGap? {
    guard let (median, sigma) = field.quantity("a gap such as log-normal 8 h sigma 1", parse)
    else { return nil }
    guard 1_000_000...Limits.gapMicroseconds ~= median, 1...5000 ~= sigma else {
      field.report("the gap is out of range", hint: "1 s to 3_650 d, sigma from 0.001 to 5")
      return nil
    }
    return LaunchGap(median: VirtualTime(microseconds: median), sigmaPermille: sigma)
  }

  private static func parse(_ text: String) -> (median: Int, sigmaPermille: Int)? {
    let parts = text.dropFirst(logNormal.count).split(separator: " sigma ", maxSplits: 1)
    guard parts.count == 2,
      let median = QuantityText.duration(String(QuantityText.trimmed(parts[0]))),
      let sigma = QuantityText.decimal(QuantityText.trimmed(parts[1])), sigma < 1000
    else { return nil }
    return (median, Int((sigma * 1000).rounded()))
  }
}

extension ValueType where Value == LifecycleSpec.Hours {
  /// `7 h to 23 h`.
  static var hours: Self {
    Self(
      "`a h to b h`", schema: .pattern("[0-9]+ *h to [0-9]+ *h"),
      expected: "hours such as 7 h to 23 h"
    ) { field, expected in
      guard let hours = field.quantity(expected, parse) else { return nil }
      if 0..<hours.to ~= hours.from, hours.to <= 24 { return hours }
      field.report("the hours are out of range", hint: "from 0 h to 24 h, the earlier first")
      return nil
    }
  }

  private static func parse(_ text: String) -> LifecycleSpec.Hours? {
    let hour = 3_600_000_000
    let parts = text.split(separator: " to ").compactMap { QuantityText.duration(String($0)) }
    guard parts.count == 2, text.split(separator: " to ").count == 2,
      parts.allSatisfy({ $0.isMultiple(of: hour) })
    else { return nil }
    return LifecycleSpec.Hours(from: parts[0] / hour, to: parts[1] / hour)
  }
}

extension Field {
  /// `2`, `2 to 4`, or a list of numbers.
  func launchNumbers(_ launches: ClosedRange<Int>) -> [Int]? {
    guard let elements = oneOrMore("a launch, a to b, or a list of launches") else {
      return nil
    }
    var numbers: Set<Int> = []
    for element in elements {
      let parse = { (text: String) -> (Int, Int)? in
        let parts = text.split(separator: " to ").compactMap { QuantityText.integer(String($0)) }
        return parts.count == text.split(separator: " to ").count && (1...2).contains(parts.count)
          ? (parts[0], parts[parts.count - 1]) : nil
      }
      guard let (low, high) = element.quantity("a launch such as 2, or 2 to 4", parse),
        element.within(launches, low) != nil, element.within(launches, high) != nil
      else { continue }
      if low > high {
        element.report("the first launch is after the last", hint: "write \(high) to \(low)")
      } else {
        numbers.formUnion(low...high)
      }
    }
    return numbers.isEmpty ? nil : numbers.sorted()
  }
}
