// From what was measured of traces to a scenario.
import Generators
import MetricModel
import ScenarioModel
import TraceFormat

package struct ScenarioFit {
  private let measured: TraceMeasurement
  private let launches: Int
  private var names: Set<String> = []
  private var clients: [FittedScenario.Client] = []
  /// The clients of each phase, by their index.
  private var clientsOfPhase: [Int: [Int]] = [:]

  /// Returns the scenario that is nearest to what was measured.
  ///
  /// - Parameter sources: the traces: their names, and digests of their contents.
  package static func scenario(
    of measured: TraceMeasurement, named name: String, sources: [String]
  ) throws(FittingError) -> FittedScenario {
    guard let header = measured.header, measured.commits > 0 else {
      throw FittingError(
        .empty,
        "the trace has no commit that its run counted, so that there is nothing to fit; record a run that writes"
      )
    }
    var fit = ScenarioFit(measured)
    fit.addWriters()
    fit.addPins()
    return try fit.result(name, sources, header)
  }

  private init(_ measured: TraceMeasurement) {
    self.measured = measured
    launches = min(TraceMeasurement.maxLaunches, max(1, measured.launches.rounded))
  }

  // MARK: Clients

  private mutating func addWriters() {
    var writers: [WriterFit] = []
    for phase in measured.order {
      for writer in WriterFit.writers(of: phase, in: measured) {
        var isJoined = false
        for index in writers.indices where !isJoined && !writers[index].phases.contains(phase) {
          isJoined = writers[index].join(writer)
        }
        if !isJoined { writers.append(writer) }
      }
    }
    for writer in writers {
      let table = measured.tables.first { $0.name == writer.spec.table }
      let client = writer.client(
        named: unusedName(Self.name(of: writer.spec)),
        tableSizes: table.map(Self.sizes) ?? SizeSketch())
      add(client, in: writer.phases)
    }
  }

  private mutating func addPins() {
    for phase in measured.order {
      let found = measured.phases[phase]
      let commits = found.commits / max(1, found.instances.count)
      let seconds = Double(found.commits) / found.rate
      for (holder, sketch) in found.pins.sorted(by: { $0.key < $1.key }) {
        let fit = PinFit(
          holder: holder, sketch: sketch, commits: commits, seconds: seconds,
          tables: measured.tables.map(\.name))
        for (suffix, kind, evidence) in fit.clients {
          add(kind, evidence, named: Self.kebab(holder) + suffix, in: phase)
        }
      }
    }
  }

  /// Adds a client to a phase: the same as in an earlier phase, if it does the same.
  private mutating func add(
    _ kind: ClientSpec.Kind, _ evidence: [String], named name: String, in phase: Int
  ) {
    let known = clients.indices.first { index in
      clients[index].spec.kind == kind && !(clientsOfPhase[phase] ?? []).contains(index)
    }
    if let known {
      clients[known].evidence += [
        "in \(measured.phases[phase].name): " + evidence.joined(separator: "; ")
      ]
      clientsOfPhase[phase, default: []].append(known)
    } else {
      let spec = ClientSpec(name: unusedName(name), kind: kind)
      add(FittedScenario.Client(spec: spec, evidence: evidence), in: [phase])
    }
  }

  private mutating func add(_ client: FittedScenario.Client, in phases: [Int]) {
    clients.append(client)
    for phase in phases { clientsOfPhase[phase, default: []].append(clients.count - 1) }
  }

  private mutating func unusedName(_ name: String) -> String {
    var (found, number) = (name, 1)
    while !names.insert(found).inserted {
      number += 1
      found = "\(name)-\(number)"
    }
    return found
  }

  private static func name(of spec: WriterSpec) -> String {
    let kinds = [(spec.inserts, "insert"), (spec.updates, "update"), (spec.deletes, "delete")]
      .filter { $0.0 > 0 }.map(\.1)
    let verb =
      spec.reload != nil
      ? "reload" : spec.oscillation != nil ? "oscillate" : kinds.count == 1 ? kinds[0] : "write"
    return "\(verb)-\(kebab(spec.table))"
  }

  /// Returns the name in lower case, with hyphens for what is no letter and no digit.
  static func kebab(_ name: String) -> String {
    var words = ""
    for character in name.lowercased() {
      if character.isLetter || character.isNumber {
        words.append(character)
      } else if !words.hasSuffix("-"), !words.isEmpty {
        words.append("-")
      }
    }
    while words.hasSuffix("-") { words.removeLast() }
    return words.isEmpty ? "client" : words
  }

  // MARK: The rest

  private func result(
    _ name: String, _ sources: [String], _ header: TraceHeader
  ) throws(FittingError) -> FittedScenario {
    let phases = try phases()
    // A client of a phase without commits has nothing to do.
    let running = Set(phases.flatMap(\.spec.clients))
    return FittedScenario(
      name: name,
      question:
        "How does the file grow under the operations that were recorded of \(header.origin.scenario)?",
      description: description(header.origin), sources: sources, notes: notes, seed: header.seed,
      isDurable: header.durable,
      tables: try tables(), clients: clients.filter { running.contains($0.spec.name) },
      deletedRows: deletedRows, phases: phases,
      launches: fittedLaunches, sampleEveryCommits: max(1, header.sampleEveryCommits))
  }

  /// Returns the sizes of the rows that the table begins with; those written later too, where they may be of the same
  /// distribution.
  private static func sizes(_ table: TraceMeasurement.Table) -> SizeSketch {
    let (loaded, written) = (table.loadedSizes, table.writtenSizes)
    guard loaded.count >= 20 else { return written }
    guard written.count > 0, loaded.isClose(to: written) else { return loaded }
    var both = loaded
    both.merge(written)
    return both
  }

  private func tables() throws(FittingError) -> [FittedScenario.Table] {
    var found: [FittedScenario.Table] = []
    for table in measured.tables {
      let rows = table.initialRows.rounded
      guard rows <= 10_000_000 else {
        throw FittingError(
          .tooLarge,
          "table \(table.name) begins with \(Notation.count(rows)) rows, and a scenario with "
            + "10,000,000 at most; record a smaller database"
        )
      }
      let sizes = Self.sizes(table)
      let fit = sizes.count > 0 ? SizeFit(sizes) : nil
      let deviation =
        measured.traces > 1 ? " (sd \(Notation.decimal(table.initialRows.deviation, 1)))" : ""
      let begins =
        rows > 0
        ? "\(Notation.counted(rows, "row")) before the first phase\(deviation)"
        : "no row before the first phase, where a scenario needs one"
      found.append(
        FittedScenario.Table(
          spec: TableSpec(name: table.name, rows: max(1, rows), valueSize: fit?.sizes ?? .fixed(1)),
          evidence: [begins, fit?.evidence ?? "no value was written"]))
    }
    return found
  }

  private func phases() throws(FittingError) -> [FittedScenario.Phase] {
    var found = phases(areDivided: true)
    if found.count >= TraceMeasurement.maxPhases { found = phases(areDivided: false) }
    let commits = found.reduce(0) {
      $0 + $1.spec.commits * ($1.spec.onlyInLaunches?.count ?? launches)
    }
    guard commits <= 10_000_000 else {
      throw FittingError(
        .tooLarge,
        "there are \(Notation.count(commits)) commits, and a scenario has 10,000,000 at most; fit a part of the trace"
      )
    }
    let active = Set(found.flatMap { $0.spec.onlyInLaunches ?? Array(1...launches) })
    let without = (1...launches).filter { !active.contains($0) }
    if !without.isEmpty {
      let spec = PhaseSpec(
        name: "nothing", idle: VirtualTime(seconds: 1),
        onlyInLaunches: without.count < launches ? without : nil)
      found.append(FittedScenario.Phase(spec: spec, evidence: ["launches without a commit"]))
    }
    return found
  }

  private func phases(areDivided: Bool) -> [FittedScenario.Phase] {
    measured.order.flatMap { index -> [FittedScenario.Phase] in
      let fit = PhaseFit(measured: measured.phases[index], launches: launches)
      return fit.phases(isDivided: areDivided).map { phase in
        var phase = phase
        if phase.spec.commits > 0 {
          phase.spec.clients = (clientsOfPhase[index] ?? []).map { clients[$0].spec.name }
        }
        return phase
      }
    }
  }

  /// Which rows deletions of a share of all rows take: those that most of the deleted rows are.
  private var deletedRows: DeletedRows {
    var counts: [DeletedRows: Int] = [:]
    for change in measured.phases.flatMap(\.instances).compactMap(\.change) {
      guard let which = change.deletedRows else { continue }
      counts[which, default: 0] += change.deletions.reduce(0) { $0 + $1.deleted }
    }
    return DeletedRows.allCases.max { counts[$0] ?? 0 < counts[$1] ?? 0 }.flatMap {
      counts.isEmpty ? nil : $0
    } ?? .spread
  }

  private var fittedLaunches: FittedScenario.Launches {
    let gaps = measured.gaps
    let count =
      "\(Notation.counted(Int(measured.launches.sum), "launch", "launches")) in \(Notation.counted(measured.traces, "trace"))"
    guard launches > 1, gaps.count > 0 else {
      return .init(
        count: launches, gap: VirtualTime(seconds: 8 * 3600), gapSigmaPermille: 0, evidence: count)
    }
    let (shortest, longest) = (Int(gaps.min), Int(gaps.max))
    let evidence =
      "\(count), \(Notation.time(VirtualTime(microseconds: shortest))) to "
      + "\(Notation.time(VirtualTime(microseconds: longest))) apart"
    let sigma = measured.gapLogarithms.deviation
    let median = exponential(measured.gapLogarithms.mean)
    // Log-normal gaps have a median of a second at least.
    if gaps.count >= 3, sigma >= 0.05, median >= 1e6 {
      return .init(
        count: launches, gap: VirtualTime(microseconds: Int(median)),
        gapSigmaPermille: min(5000, Int((sigma * 1000).rounded())), evidence: evidence)
    }
    return .init(
      count: launches, gap: VirtualTime(microseconds: Int(gaps.mean)), gapSigmaPermille: 0,
      evidence: evidence)
  }

  private func description(_ origin: TraceHeader.Origin) -> String {
    let traces = measured.traces == 1 ? "a trace" : "\(measured.traces) traces"
    return "Fitted to \(traces) of \(Notation.counted(measured.records, "record")) with "
      + "\(Notation.counted(measured.commits, "commit")), recorded of \(origin.scenario), arm \(origin.arm), on "
      + "\(origin.engine) \(origin.engineVersion) under \(origin.policy). Beside each number is what speaks for it."
  }

  private var notes: [String] {
    var notes: [String] = []
    let divided = measured.phases.reduce(0) { $0 + $1.dividedTransactions }
    if divided > 0 {
      notes.append(
        "\(Notation.counted(divided, "transaction")) changed several tables; here each is one transaction for each of them."
      )
    }
    let crossing = measured.phases.reduce(0) { $0 + $1.crossingPins }
    if crossing > 0 {
      notes.append(
        "\(Notation.counted(crossing, "snapshot")) outlived their phase; here they end with it.")
    }
    return notes
  }
}
