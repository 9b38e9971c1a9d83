// The keys of a client as a scenario file has them, without those that have their default.
import Generators
import ScenarioModel

extension ClientSpec {
  /// The client's keys, in one line. The table is left out where there is one only.
  func written(tables: Int) -> String {
    func table(_ name: String) -> [String] {
      tables > 1 ? ["table: \(FittedScenario.scalar(name))"] : []
    }
    let parts: [String]
    switch kind {
    case .writer(let spec): parts = ["kind: writer"] + table(spec.table) + spec.parts
    case .reader(let spec):
      parts = ["kind: reader"] + table(spec.table) + Self.reads(spec.reads)
    case .pins(let spec): parts = ["kind: pins"] + table(spec.table) + spec.parts
    case .observers(let spec): parts = ["kind: observers"] + table(spec.table) + spec.parts
    case .queues(let spec):
      parts =
        ["kind: queues"] + table(spec.table) + [
          "queues: \(spec.queues)", "job-every: \(Notation.commits(spec.jobEveryCommits))",
          "release: at end of block",
        ] + Self.reads(spec.reads)
    case .lookups(let spec): parts = ["kind: lookups"] + table(spec.table) + spec.parts
    default: preconditionFailure("no fit has a client of this kind")
    }
    return parts.joined(separator: ", ")
  }

  fileprivate static func reads(_ count: Int) -> [String] {
    count == 1 ? [] : ["reads: \(Notation.number(count))"]
  }
}

extension WriterSpec {
  fileprivate var parts: [String] {
    var parts = ["transaction: { \(transaction) }"]
    if let oscillation {
      func share(_ permille: Int) -> String { "\(Notation.decimal(Double(permille) / 10, 1)) %" }
      parts.append(
        "oscillates: \(share(oscillation.minPermille)) to \(share(oscillation.maxPermille)) over "
          + Notation.commits(oscillation.periodCommits))
    }
    if keys != .uniform { parts.append("keys: \(keys.written)") }
    if let valueSize { parts.append("value: { size: \(valueSize.written) }") }
    if load.isOpen { parts.append("arrivals: poisson") }
    if case .perSecond(let rate) = load.rate { parts.append("rate: \(Notation.rate(rate))") }
    return parts
  }

  private var transaction: String {
    if let reload { return "reload: \(reload.rawValue)" }
    let counts = [("insert", inserts), ("update", updates), ("delete", deletes), ("read", reads)]
      .filter { $0.1 > 0 }
    if counts.isEmpty { return "empty: true" }
    return counts.map { "\($0.0): \(Notation.number($0.1))" }.joined(separator: ", ")
  }
}

extension PinsSpec {
  fileprivate var parts: [String] {
    var parts = ["take-every: \(Notation.commits(takeEveryCommits))"]
    if atOnce > 1 { parts.append("at-once: \(Notation.number(atOnce))") }
    parts.append("lifetime: \(lifetime.written)")
    return parts + ClientSpec.reads(reads)
  }
}

extension ObserverSpec {
  fileprivate var parts: [String] {
    var parts = ["observers: \(Notation.number(observers))"]
    if callbackCommits > 0 { parts.append("callback: \(Notation.commits(callbackCommits))") }
    if let stallsAfterCommits {
      parts.append("stalls: after \(Notation.commits(stallsAfterCommits))")
    }
    return parts + ClientSpec.reads(reads)
  }
}

extension LookupSpec {
  fileprivate var parts: [String] {
    var parts: [String] = []
    if reads > 0 { parts.append("read: \(Notation.number(reads))") }
    if scans > 0 {
      parts += ["scan: \(Notation.number(scans))", "scan-length: \(Notation.number(scanLength))"]
    }
    if case .perSecond(let rate) = load.rate { parts.append("rate: \(Notation.rate(rate))") }
    return parts
  }
}
