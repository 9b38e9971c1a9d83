// Clients that are there for what they pin, and other processes.
import Generators
import ScenarioModel

extension ArmReader {
  func pins(_ keys: MappingReader) -> PinsSpec {
    var pins = PinsSpec(table: table(keys), lifetime: .never)
    shared(keys, &pins.reads, &pins.keys)
    if let commits = keys["take-every"]?.commits(1...1_000_000) { pins.takeEveryCommits = commits }
    pins.atOnce = keys["at-once"]?.integer(1...1000) ?? pins.atOnce
    if let field = keys["most"], field.node.scalar?.string != "unlimited" {
      pins.most = field.integer(1...100_000) ?? 0
    }
    if let field = keys["lifetime"] { pins.lifetime = lifetime(field) ?? .never }
    let holders = PinsSpec.Holder.allCases.map { ($0.rawValue, $0) }
    pins.heldBy = keys["held-by"]?.choice(holders) ?? .thread
    return pins
  }

  private func lifetime(_ field: Field) -> LifetimeDistribution? {
    let expected = "a lifetime such as 200 commits, exponential 200 commits or never"
    guard let lifetime = field.quantity(expected, Self.lifetime) else { return nil }
    let span: ClosedRange<Int> =
      switch lifetime {
      case .never: 1...1
      case .fixed(let commits): commits...commits
      case .uniform(let low, let high): min(low, high)...max(low, high)
      case .exponential(let mean): mean...mean
      case .logNormal(let median, _): median...median
      case .pareto(let least, _): least...least
      }
    if case .uniform(let low, let high) = lifetime, low > high {
      field.report("the first is longer than the second", hint: "write the shorter one first")
      return nil
    }
    for end in [span.lowerBound, span.upperBound] {
      guard field.within(1...1_000_000, end) != nil else { return nil }
    }
    return lifetime
  }

  /// `200 commits`, `log-normal 200 commits 1.5`.
  private static func lifetime(_ text: String) -> LifetimeDistribution? {
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

  func observers(_ keys: MappingReader) -> ObserverSpec {
    var observers = ObserverSpec(table: table(keys))
    shared(keys, &observers.reads, &observers.keys)
    observers.observers = keys["observers"]?.integer(1...1000) ?? 1
    observers.callbackCommits = keys["callback"]?.commits(0...1_000_000) ?? 0
    guard let field = keys["stalls"] else { return observers }
    let expected = "never, after 500 commits or after 500 commits for 1_000 commits"
    let parse = { (text: String) -> [Int]? in
      if text == "never" { return [] }
      let parts = text.split(separator: " for ", maxSplits: 1).map(String.init)
      guard let after = Self.commits(after: "after ", parts[0]) else { return nil }
      guard parts.count == 2 else { return [after] }
      return QuantityText.commits(parts[1]).map { [after, $0] }
    }
    let stall = field.quantity(expected, parse) ?? []
    let inRange = stall.compactMap { field.within(1...1_000_000, $0) }
    observers.stallsAfterCommits = inRange.first
    observers.stallsForCommits = inRange.count == 2 ? inRange[1] : nil
    return observers
  }

  func queuedWriters(_ keys: MappingReader) -> QueuedWriterSpec {
    var queued = QueuedWriterSpec(writer: writer(keys))
    if queued.writer.load.isOpen {
      keys["arrivals"]?.report(
        "who waits in line keeps to no schedule", hint: "use arrivals: after each, or a writer")
    }
    queued.threads = keys["threads"]?.integer(2...256) ?? queued.threads
    let choices = [("holds", true), ("invalidates", false)]
    queued.holdsWhileQueued = keys["while-queued"]?.choice(choices) ?? true
    return queued
  }

  func process(_ keys: MappingReader) -> ProcessSpec {
    let works = ProcessSpec.Work.allCases.map { ($0.rawValue, $0) }
    var process = ProcessSpec(table: table(keys), work: keys["does"]?.choice(works) ?? .idles)
    if let commits = keys["every"]?.commits(1...1_000_000) { process.everyCommits = commits }
    shared(keys, rows: "rows", &process.rows, &process.keys)
    let stays = ProcessSpec.Stay.allCases.map { ($0.rawValue, $0) }
    process.stay = keys["stays"]?.choice(stays) ?? .phase
    let natures = [("another process", false), ("another thread", true)]
    process.isThread = keys["is"]?.choice(natures) ?? false
    guard let field = keys["ends"] else { return process }
    let names = ProcessSpec.Ending.allCases.map(\.rawValue)
    let parse = { (text: String) -> (ProcessSpec.Ending, Int?)? in
      let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
      guard let ending = parts.first.flatMap(ProcessSpec.Ending.init(rawValue:)) else { return nil }
      guard parts.count == 2 else { return (ending, nil) }
      return Self.commits(after: "after ", parts[1]).map { (ending, $0) }
    }
    let expected = "\(listed(names)), also with after 500 commits"
    guard let (ending, after) = field.quantity(expected, parse) else { return process }
    if process.isThread, ending != .closes {
      field.report(
        "a thread of this process can only close the database", hint: "use ends: closes")
    }
    process.ending = ending
    process.endsAfterCommits = after.flatMap { field.within(1...1_000_000, $0) }
    return process
  }

  func savepoint(_ keys: MappingReader) -> SavepointSpec {
    let deeds = SavepointSpec.Deed.allCases.map { ($0.rawValue, $0) }
    return SavepointSpec(deed: keys["does"]?.choice(deeds) ?? .makes)
  }

  /// `20 % to 60 % over 100 commits`.
  func sway(_ field: Field) -> RowSway? {
    let parse = { (text: String) -> (Double, Double, Int)? in
      let parts = text.split(separator: " over ", maxSplits: 1).map(String.init)
      let ends = parts[0].split(separator: " to ", maxSplits: 1).map(String.init)
      guard parts.count == 2, ends.count == 2, let low = QuantityText.share(ends[0]),
        let high = QuantityText.share(ends[1]), let commits = QuantityText.commits(parts[1])
      else { return nil }
      return (low, high, commits)
    }
    guard let (low, high, period) = field.quantity("20 % to 60 % over 100 commits", parse) else {
      return nil
    }
    guard low >= 0, low < high, high <= 1, 2...1_000_000 ~= period else {
      field.report(
        "the sway is out of range",
        hint: "from a smaller share to a greater one, up to 100 %, over 2 to 1_000_000 commits")
      return nil
    }
    return RowSway(
      leastPermille: Int((low * 1000).rounded()), mostPermille: Int((high * 1000).rounded()),
      periodCommits: period)
  }
}
