// The parts of a scenario in sentences, in the words of its file where that is possible.
import Generators
import MetricModel
import ScenarioModel

extension KeyDistribution {
  var words: String {
    switch self {
    case .uniform: "uniform"
    case .zipfian(let theta): "zipfian \(decimal(theta))"
    case .scrambledZipfian(let theta): "scrambled \(decimal(theta))"
    case .latest(let theta): "latest \(decimal(theta))"
    case .hotspot(let operations, let rows):
      "hotspot \(percent(operations)) on \(percent(rows))"
    case .sequential: "sequential"
    case .fifo: "fifo"
    case .histogram: "as measured"
    }
  }
}

extension SizeDistribution {
  var words: String {
    switch self {
    case .fixed(let size): "of \(bytes(size))"
    case .uniform(let low, let high): "of \(bytes(low)) to \(bytes(high))"
    case .logNormal(let median, let sigma, let greatest):
      "log-normal around \(bytes(median)), sigma \(decimal(sigma)), up to \(bytes(greatest))"
    case .mixture(let parts):
      "of " + parts.map(\.words).joined(separator: " and ")
    case .histogram(let histogram):
      "as measured, of \(bytes(histogram.smallest)) to \(bytes(histogram.greatest))"
    }
  }
}

extension SizePart {
  fileprivate var words: String {
    let share = Double(shareMillionths) / 10_000
    let text = share == share.rounded() ? String(Int(share)) : String(share)
    return "\(text) % \(bytes(low))" + (low == high ? "" : " to \(bytes(high))")
  }
}

extension WriterSpec {
  /// `10 updates and 1 scan of 100 rows`.
  var transaction: String {
    let counts = [
      (inserts, "insert"), (updates, "update"), (deletes, "delete"), (reads, "read"),
      (scans, "scan"),
    ]
    let oscillation = self.oscillation.map { oscillation in
      "insertions or deletions until there are \(percent(oscillation.minPermille)) to "
        + "\(percent(oscillation.maxPermille)) of the rows, up and down \(every(oscillation.periodCommits))"
    }
    let parts = counts.filter { $0.0 > 0 }.map { count, word in
      "\(grouped(count)) \(word)\(count == 1 ? "" : "s")"
        + (word == "scan" ? " of \(grouped(scanLength)) rows" : "")
    }
    let elements = [
      appends.map { "\(counted($0, "element")) appended to lists" },
      removals.map { "\(counted($0, "element")) removed from the front of lists" },
    ].compactMap { $0 }
    let sizes = valueSize.map { ", values \($0.words)" } ?? ""
    let whole =
      (reload.map { ["the table anew \($0.rawValue)"] } ?? []) + (oscillation.map { [$0] } ?? [])
    return joined(whole + parts + elements) + sizes
  }
}

extension LoadSpec {
  var words: String {
    let rate =
      switch rate {
      case .perSecond(let rate): "\(number(rate)) per s"
      case .shareOfMaximum(let share): "\(number(share * 100)) % of its maximum rate"
      }
    switch arrivals {
    case .afterEach(let think):
      return think == .zero ? rate : "\(rate), thinking \(span(think)) after each"
    case .scheduled(let pattern, let wave):
      let times =
        switch pattern {
        case .steady: "at fixed times"
        case .poisson: "at random times"
        case .bursts(let count): "in bursts of \(grouped(count))"
        }
      let wave = wave.map {
        ", up and down by \(percent($0.swingPermille)) every \(span(VirtualTime(microseconds: $0.periodMicroseconds)))"
      }
      return "\(rate), \(times)\(wave ?? "")"
    }
  }
}

extension ClientSpec {
  /// What the client does, in a sentence.
  var words: String {
    switch kind {
    case .writer(let spec):
      "commits transactions on \(spec.table), each \(spec.transaction), keys \(spec.keys.words); \(spec.load.words)"
    case .reader(let spec):
      "reads \(rows(spec.reads)) of \(spec.table), then blocks and \(spec.whileBlocked.words)"
    case .queues(let spec):
      "gives a job to one of \(spec.queues) \(spec.isConcurrent ? "concurrent" : "serial") queues "
        + "\(every(spec.jobEveryCommits)); each opens a handle on \(spec.table), reads \(rows(spec.reads)), and the "
        + "handle goes \(spec.release.words)"
    case .frozen(let spec):
      "takes a snapshot of \(spec.table) \(every(spec.takeEveryCommits)), reads \(rows(spec.reads)), and holds "
        + (spec.window == 0 ? "all of them" : "the newest \(grouped(spec.window))")
    case .pins(let spec):
      "takes \(spec.atOnce == 1 ? "a snapshot" : "\(grouped(spec.atOnce)) snapshots") of \(spec.table) "
        + "\(every(spec.takeEveryCommits)), each held by \(spec.heldBy.words) \(spec.lifetime.words)"
        + (spec.maxHeld == 0 ? "" : ", never more than \(grouped(spec.maxHeld))")
    case .observers(let spec):
      "\(grouped(spec.observers)) observer\(spec.observers == 1 ? "" : "s") of \(spec.table), each holding the version "
        + "that it reported last\(spec.stall)"
    case .queuedWriters(let spec):
      "\(grouped(spec.threads)) threads queue to commit on \(spec.writer.table), each "
        + "\(spec.writer.transaction), keys \(spec.writer.keys.words)"
        + (spec.holdsWhileQueued ? "; each holds a version while it waits" : "")
    case .probe(let spec):
      (spec.work == .reads ? "reads a row of " : "opens, reads and closes ")
        + (spec.target == .another ? "another database" : "this database in another process")
        + " \(number(spec.ratePerSecond)) times per s, also while this one is opened; nothing under the stepped schedule"
    case .lookups(let spec): spec.words
    case .checkpoints(let spec):
      "has the log moved into the file by a \(spec.mode.rawValue) checkpoint "
        + (spec.everyCommits.map(every) ?? "when its phase begins")
    case .savepoint(let spec): "\(spec.action.rawValue) the savepoint \(name) when its phase begins"
    case .process(let spec):
      "another \(spec.isThread ? "thread, with an opening of its own" : "process"), which "
        + "\(spec.work.rawValue), until its \(spec.openUntil.rawValue) is over"
        + (spec.endsAfterCommits.map { ", or after \(commits($0))" } ?? "")
        + ": \(spec.ending.words)"
    }
  }

  /// What the client does to versions, as the timeline shows it.
  enum VersionUse: String {
    case writes, holds, briefly, nothing
  }

  var versionUse: VersionUse {
    switch kind {
    case .writer: .writes
    case .reader(let spec):
      switch spec.whileBlocked {
      case .holds: .holds
      case .invalidates: .nothing
      case .refreshes: .briefly
      }
    case .queues(let spec): spec.release == .atEndOfBlock ? .briefly : .holds
    case .frozen, .observers: .holds
    case .pins(let spec): spec.lifetime == .never ? .holds : .briefly
    case .queuedWriters: .writes
    case .checkpoints, .probe: .nothing
    case .lookups(let spec): spec.transactionsPerSnapshot > 1 ? .holds : .briefly
    case .savepoint(let spec): spec.action == .makes ? .holds : .nothing
    case .process(let spec):
      switch spec.work {
      case .idles: .nothing
      case .pins: .holds
      case .reads: .briefly
      case .writes: .writes
      }
    }
  }
}

extension ReaderSpec.WhileBlocked {
  fileprivate var words: String {
    switch self {
    case .holds: "holds its version"
    case .invalidates: "holds nothing"
    case .refreshes(let count): "refreshes \(every(count))"
    }
  }
}

extension QueueSpec.Release {
  fileprivate var words: String {
    switch self {
    case .atEndOfBlock: "when the job ends"
    case .late(let after): "\(commits(after)) later"
    case .idle(let quiet): "when the queue had no job for \(commits(quiet))"
    case .never: "when the phase ends"
    }
  }
}

extension PinsSpec.Holder {
  fileprivate var words: String {
    switch self {
    case .thread: "a thread"
    case .tasks: "a task of its own"
    case .actor: "one actor"
    }
  }
}

extension LifetimeDistribution {
  fileprivate var words: String {
    switch self {
    case .fixed(let length): "for \(commits(length))"
    case .uniform(let low, let high): "for \(grouped(low)) to \(commits(high))"
    case .exponential(let mean): "for \(commits(mean)) on average, exponentially"
    case .logNormal(let median, let sigma):
      "for \(commits(median)) in the median, log-normally with sigma \(decimal(sigma))"
    case .pareto(let least, let alpha):
      "for \(commits(least)) at least, with a heavy tail of alpha \(decimal(alpha))"
    case .never: "until the launch ends"
    }
  }
}

extension ObserverSpec {
  fileprivate var stall: String {
    guard let begin = stallsAfterCommits else { return "" }
    let end = stallsForCommits.map { "for \(commits($0))" } ?? "to the phase's end"
    return "; nothing is delivered from commit \(grouped(begin)) on, \(end)"
  }
}

extension ProcessSpec.Ending {
  fileprivate var words: String {
    switch self {
    case .closes: "it closes the database"
    case .exits: "it exits with the database open"
    case .killed: "it is killed"
    case .suspended: "it is suspended, and continues later"
    }
  }
}

extension Scenario {
  /// The time between launches; empty where there is one only.
  var gapWords: String {
    guard launches > 1 else { return "" }
    guard lifecycle.gapSigmaPermille > 0 else {
      return ", \(span(gapBetweenLaunches)) between them"
    }
    return ", around \(span(gapBetweenLaunches)) between them, log-normal with sigma "
      + decimal(lifecycle.gapSigmaPermille)
  }
}

extension LimitSpec {
  var words: String {
    var parts: [String] = []
    if let versions { parts.append("\(grouped(versions)) versions") }
    if let addressSpace { parts.append("\(bytes(addressSpace)) of address space") }
    if let disk { parts.append("a disk of \(bytes(disk))") }
    if let busyTimeout { parts.append("a busy timeout of \(grouped(busyTimeout)) ms") }
    let scope = launches.map {
      " in launch\($0.count == 1 ? "" : "es") \(joined($0.map(String.init)))"
    }
    return joined(parts) + (scope ?? "")
  }
}

extension LogSpec {
  var words: [String] {
    var lines: [String] = []
    if let checkpointPages {
      lines.append(
        checkpointPages == 0
          ? "no commit moves the log into the file"
          : "a commit moves the log into the file from \(grouped(checkpointPages)) pages on")
    }
    if let sizeLimit { lines.append("a log that begins anew is cut to \(bytes(sizeLimit))") }
    switch journal {
    case .delete: lines.append("a rollback journal, which commits delete")
    case .truncate: lines.append("a rollback journal, which commits cut to nothing")
    case .persist: lines.append("a rollback journal, which stays as long as it was")
    case .writeAhead, nil: break
    }
    return lines
  }
}

extension GeometrySpec {
  var words: String {
    var parts: [String] = []
    if let lower { parts.append("has at least \(bytes(lower))") }
    if let upper { parts.append("has at most \(bytes(upper))") }
    if let growthStep { parts.append("grows by \(bytes(growthStep))") }
    if let shrinkThreshold {
      parts.append(
        shrinkThreshold == 0
          ? "is not cut" : "is cut where \(bytes(shrinkThreshold)) are free at its end")
    }
    return "the file \(joined(parts))"
  }
}

extension ShortenSpec {
  var words: String {
    switch self {
    case .all: "the engine shortens the file as far as it can, where it can be asked"
    case .atMost(let size):
      "the engine shortens the file by at most \(bytes(size)), where it can be asked"
    }
  }
}

extension LifecycleSpec {
  /// What differs from the defaults of launches, a line for each.
  var words: [String] {
    var lines: [String] = []
    if isSeeded { lines.append("the first launch finds the rows in a compacted copy") }
    if let awake {
      lines.append("the database is opened from \(awake.from) h to \(awake.to) h only")
    }
    if let background {
      let moments = background.map {
        "\($0.moment.rawValue) after \(number(Double($0.gapPermille) / 10)) % of the time"
      }
      lines.append(
        "between two launches the system opens the database in the background: \(joined(moments))")
    }
    if !crashes.isEmpty {
      let numbers = joined(crashes.map(String.init))
      lines.append(
        crashes.count == 1
          ? "launch \(numbers) ends as if the process were killed"
          : "launches \(numbers) end as if the process were killed")
    }
    if !killedCompactions.isEmpty {
      let numbers = joined(killedCompactions.map(String.init))
      lines.append(
        "before launch\(killedCompactions.count == 1 ? "" : "es") \(numbers) a process is killed while it "
          + "compacts the database")
    }
    if let coldStarts {
      let numbers = joined(coldStarts.map(String.init))
      lines.append(
        "launch\(coldStarts.count == 1 ? "" : "es") \(numbers) \(coldStarts.count == 1 ? "begins" : "begin") with"
          + " the files dropped from the page cache")
    }
    return lines
  }
}

// MARK: - Quantities

func commits(_ count: Int) -> String { counted(count, "commit") }

/// `every commit`, `every 50 commits`.
func every(_ count: Int) -> String { count == 1 ? "every commit" : "every \(commits(count))" }

func rows(_ count: Int) -> String { counted(count, "row") }

func bytes(_ count: Int) -> String { ByteCount(count).description }

func joined(_ parts: [String]) -> String { parts.inWords }

/// A span of virtual time by its two largest units: `8 h`, `1 min 30 s`, `250 ms`.
func span(_ time: VirtualTime) -> String {
  let units = [
    (86_400_000_000, "d"), (3_600_000_000, "h"), (60_000_000, "min"), (1_000_000, "s"),
    (1000, "ms"), (1, "µs"),
  ]
  var rest = time.microseconds
  guard let first = units.firstIndex(where: { rest >= $0.0 }) else { return "0 s" }
  var parts: [String] = []
  for (size, name) in units[first...].prefix(2) where rest >= size {
    parts.append("\(grouped(rest / size)) \(name)")
    rest %= size
  }
  return parts.joined(separator: " ")
}

/// Up to three digits behind the point.
func number(_ value: Double) -> String {
  let thousandths = Int((min(max(value, 0), 1e12) * 1000).rounded())
  guard !thousandths.isMultiple(of: 1000) else { return grouped(thousandths / 1000) }
  var digits = String(thousandths % 1000 + 1000).dropFirst()
  while digits.last == "0" { digits.removeLast() }
  return "\(grouped(thousandths / 1000)).\(digits)"
}

private func decimal(_ thousandths: Int) -> String { number(Double(thousandths) / 1000) }
private func percent(_ thousandths: Int) -> String { "\(number(Double(thousandths) / 10)) %" }
