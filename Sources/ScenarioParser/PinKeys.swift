// Clients that are there for what they pin: holders of snapshots with lifetimes, observers, queued writers, savepoints.
import Generators
import ScenarioModel

extension ScenarioKeys {
  static let pins = Block.client(
    "pins", PinsSpec(table: "", lifetime: .never), on: \.table, renamedKeys: ["most": "max-held"]
  ) {
    Key(
      "take-every", \.takeEveryCommits, .commits(1...1_000_000).scalable,
      "When the next snapshot is taken.")
    Key("at-once", \.atOnce, .count(1...1_000), "Snapshots that are taken each time.")
    Key(
      "max-held", \.maxHeld, .count(1...100_000).or("unlimited", 0),
      "No more than so many are held; while that many are, none is taken.")
    Key(
      "lifetime", \.lifetime, .lifetime.scalable, default: .required,
      "How long each is held: the mean, the median or the least, and the spread.")
    Key(
      "held-by", \.heldBy, .choice,
      "What holds them: the client's thread, a suspended task for each, or one actor "
        + "(over `native-objects` one for each).")
    Key.reads(\.reads)
    Key.keys(\.keys)
  }

  static let observers = Block.client("observers", ObserverSpec(table: ""), on: \.table) {
    Key("observers", \.observers, .count(1...1_000), "How many observe the table.")
    Key(
      "callback", \.callbackCommits, .commits(0...1_000_000).scalable,
      "Commits that others make while a callback runs.")
    Key(
      "stalls", \.stall, .stall, default: "`never`",
      "When nothing is delivered, counted from the phase's beginning.")
    Key.reads(\.reads)
    Key.keys(\.keys)
  }

  static let queuedWriters = Block.client(
    "queued-writers", QueuedWriterDraft(), on: \.writer.spec.table,
    renamedKeys: writer.table.renamedKeys
  ) {
    writer.keys.filter { !["kind", "table"].contains($0.name) }.map { $0.within(\.writer) }
    Key("threads", \.spec.threads, .count(2...256), "Threads that wait for the write lock in turn.")
    Key(
      "while-queued", \.spec.holdsWhileQueued, .choice([("holds", true), ("invalidates", false)]),
      "Whether a thread that waits holds the version that it read before.")
  } check: { queued, keys in
    let writerKeys = keys.of(writer)
    complete(&queued.writer, writerKeys)
    if queued.writer.spec.load.isOpen {
      writerKeys[\.load.pattern]?.report(
        "queued writers follow no schedule", hint: "use arrivals: after each, or a writer")
    }
    queued.spec.writer = queued.writer.spec
  }

  static let savepoint = Block.client("savepoint", SavepointSpec()) {
    Key(
      "does", \.action, .choice,
      "What becomes of the savepoint of its name when a phase with it begins.")
  }
}

struct QueuedWriterDraft {
  var writer = WriterDraft()
  var spec = QueuedWriterSpec(writer: WriterSpec(table: ""))

  init() {}

  /// The draft that gives the queued writers.
  init(_ spec: QueuedWriterSpec) {
    self.spec = spec
    writer = WriterDraft(spec.writer)
  }
}

extension ObserverSpec {
  fileprivate var stall: Stall? {
    get { stallsAfterCommits.map { Stall(after: $0, for: stallsForCommits) } }
    set {
      stallsAfterCommits = newValue?.after
      stallsForCommits = newValue?.for
    }
  }
}

/// Commits without a delivery.
private struct Stall {
  var after: Int
  /// The number of commits for which nothing is delivered; nil for the rest of the phase.
  var `for`: Int?
}

extension ValueType where Value == Stall? {
  fileprivate static var stall: Self {
    let words = ["never", "after n commits", "after n commits for m commits"]
    return Self(
      listed(words.map { "`\($0)`" }), schema: .choice(words),
      expected: "never, after 500 commits or after 500 commits for 1_000 commits"
    ) { field, expected in
      guard let numbers = field.quantity(expected, parse) else { return nil }
      for number in numbers {
        guard field.within(1...1_000_000, number) != nil else { return nil }
      }
      return .some(numbers.first.map { Stall(after: $0, for: numbers.dropFirst().first) })
    }
  }

  /// Returns no number for `never`, one for a stall without end, or two.
  private static func parse(_ text: String) -> [Int]? {
    if text == "never" { return [] }
    let parts = text.split(separator: " for ", maxSplits: 1).map(String.init)
    guard let first = parts.first, let after = QuantityText.commits(after: "after ", first) else {
      return nil
    }
    guard parts.count == 2 else { return [after] }
    return QuantityText.commits(parts[1]).map { [after, $0] }
  }
}

extension ValueType where Value == LifetimeDistribution {
  static var lifetime: Self {
    Self(
      "`200 commits`, `10 to 200 commits`, `exponential 200 commits`, `log-normal 200 commits σ`, "
        + "`pareto 50 commits α` or `never`",
      schema: .pattern(
        "never", "(\(SchemaNode.whole) to )?\(SchemaNode.whole)( commits?)?",
        "exponential \(SchemaNode.whole)( commits?)?",
        "(log-normal|pareto) \(SchemaNode.whole)( commits?( [0-9.]+)?)?"),
      expected: "a lifetime such as 200 commits, exponential 200 commits or never"
    ) { field, expected in
      field.quantity(expected, parse).flatMap { checked($0, field) }
    }
  }

  private static func checked(
    _ lifetime: LifetimeDistribution, _ field: Field
  ) -> LifetimeDistribution? {
    let bounds: (Int, Int) =
      switch lifetime {
      case .never: (1, 1)
      case .fixed(let commits): (commits, commits)
      case .uniform(let low, let high): (low, high)
      case .exponential(let mean): (mean, mean)
      case .logNormal(let median, _): (median, median)
      case .pareto(let least, _): (least, least)
      }
    guard bounds.0 <= bounds.1 else {
      field.report("the first is longer than the second", hint: "write the shorter one first")
      return nil
    }
    for bound in [bounds.0, bounds.1] {
      guard field.within(1...1_000_000, bound) != nil else { return nil }
    }
    return lifetime
  }

  /// `200 commits`, `log-normal 200 commits 1.5`.
  private static func parse(_ text: String) -> LifetimeDistribution? {
    if text == "never" { return .never }
    if let ends = range(text) { return ends }
    var words = text.split(separator: " ").map(String.init)
    let shapes = ["exponential", "log-normal", "pareto"]
    let shape = shapes.first { $0 == words.first }
    if shape != nil { words.removeFirst() }
    var spread = 1.0
    if let shape, shape != "exponential", let last = words.last, words.count == 3 {
      guard let number = QuantityText.decimal(last[...]), (0.1...5).contains(number) else {
        return nil
      }
      spread = number
      words.removeLast()
    }
    guard let commits = QuantityText.commits(words.joined(separator: " ")) else { return nil }
    let permille = Int((spread * 1000).rounded())
    return switch shape {
    case "exponential": .exponential(mean: commits)
    case "log-normal": .logNormal(median: commits, sigmaPermille: permille)
    case "pareto": .pareto(least: commits, alphaPermille: permille)
    default: .fixed(commits: commits)
    }
  }

  /// `10 to 200 commits`.
  private static func range(_ text: String) -> LifetimeDistribution? {
    let ends = text.split(separator: " to ", maxSplits: 1).map(String.init)
    guard ends.count == 2, let low = QuantityText.integer(ends[0]),
      let high = QuantityText.commits(ends[1])
    else { return nil }
    return .uniform(low: low, high: high)
  }
}
