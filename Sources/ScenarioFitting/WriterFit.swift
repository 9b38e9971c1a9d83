// The writers of a scenario: the transactions of one shape are those of one writer, over all phases in which they are alike.
import Generators
import MetricModel
import ScenarioModel

/// A writer that is being fitted, with all that it did in some phases.
struct WriterFit {
  /// Shapes with a smaller share of a phase's transactions are joined with others.
  static let minShare = 0.02

  private(set) var spec: WriterSpec
  private(set) var sketch: WorkSketch
  /// The phases in which it works.
  private(set) var phases: [Int]
  private var rate: Double
  private var keys: KeyFit

  /// Returns the writers of a phase.
  static func writers(of phase: Int, in measured: TraceMeasurement) -> [WriterFit] {
    let found = measured.phases[phase]
    guard found.commits > 0 else { return [] }
    var works = found.work.joined(minShare: minShare)
    var oscillations: [Int: RowOscillation] = [:]
    for (table, wave) in found.waves {
      let initial = measured.tables[table].initialRows.rounded
      let ofTable = works.filter { $0.shape.table == table }
      let count = ofTable.reduce(0) { $0 + $1.sketch.transactions }
      guard !ofTable.contains(where: \.shape.isReload),
        let oscillation = wave.oscillation(of: initial, transactions: count)
      else { continue }
      oscillations[table] = oscillation
      works.removeAll { $0.shape.table == table }
      var all = WorkSketch()
      for work in ofTable { all.merge(work.sketch) }
      works.append((TransactionShape(table: table), all))
    }
    let rate = found.rate
    let isEven = areEven(works.map(\.sketch.transactions))
    return works.map { shape, sketch in
      var writer = WriterFit(shape, sketch, phase, measured)
      if let oscillation = oscillations[shape.table] { writer.set(oscillation) }
      let share = Double(sketch.transactions) / Double(found.work.transactions)
      writer.setRate(isEven ? rate : rate * share, isOpen: !isEven)
      return writer
    }
  }

  /// Whether writers that take turns at random would make about these numbers of transactions: within four standard
  /// deviations.
  private static func areEven(_ counts: [Int]) -> Bool {
    let mean = Double(counts.reduce(0, +)) / Double(max(1, counts.count))
    return counts.allSatisfy { abs(Double($0) - mean) <= 4 * mean.squareRoot() }
  }

  private init(
    _ shape: TransactionShape, _ sketch: WorkSketch, _ phase: Int, _ measured: TraceMeasurement
  ) {
    func count(_ moments: Moments) -> Int {
      moments.mean > 0 ? min(100_000, max(1, moments.rounded)) : 0
    }
    self.sketch = sketch
    phases = [phase]
    rate = LoadSpec.standardRate
    keys = Self.keys(of: sketch)
    spec = WriterSpec(table: measured.tables[shape.table].name, keys: keys.keys)
    if shape.isReload {
      spec.reload = .inOneTransaction
    } else if shape.changesRows
      || sketch.inserts.mean + sketch.updates.mean + sketch.deletes.mean > 0
    {
      spec.inserts = count(sketch.inserts)
      spec.updates = count(sketch.updates)
      spec.deletes = count(sketch.deletes)
      spec.reads = count(sketch.reads)
    }
  }

  private mutating func set(_ oscillation: RowOscillation) {
    spec.oscillation = oscillation
    (spec.inserts, spec.deletes) = (0, 0)
    // At least one is needed beside the oscillation.
    spec.updates = max(1, sketch.updates.rounded)
  }

  private mutating func setRate(_ rate: Double, isOpen: Bool) {
    self.rate = rate
    spec.load = LoadSpec(
      arrivals: isOpen ? .scheduled(.poisson, nil) : .afterEach(think: .zero),
      rate: .perSecond(rate))
  }

  /// Returns the fit of what changes most rows: a writer has one distribution of keys.
  private static func keys(of sketch: WorkSketch) -> KeyFit {
    let all = [sketch.deletedKeys, sketch.updatedKeys, sketch.readKeys]
    let changes = all[0].count + all[1].count > 0 ? all[0...1] : all[2...2]
    return KeyFit(changes.max { $0.count < $1.count } ?? all[0])
  }

  /// Joins the other writer, if it may be the same one.
  mutating func join(_ other: WriterFit) -> Bool {
    var same = other.spec
    same.keys = spec.keys
    same.load.rate = spec.load.rate
    guard same == spec, keys.keys.isClose(to: other.keys.keys),
      abs(rate - other.rate) <= 0.05 * max(rate, other.rate),
      sketch.sizes.count == 0 || other.sketch.sizes.count == 0
        || sketch.sizes.isClose(to: other.sketch.sizes)
    else { return false }
    sketch.merge(other.sketch)
    phases += other.phases
    keys = Self.keys(of: sketch)
    spec.keys = keys.keys
    return true
  }

  /// Completes the writer with sizes of its own, where they are not the table's, and returns it with its evidence.
  func client(named name: String, tableSizes: SizeSketch) -> FittedScenario.Client {
    var spec = spec
    var evidence = [transactions]
    if hasKeys { evidence.append("keys: \(keys.evidence)") }
    if sketch.sizes.count >= 20, tableSizes.count > 0, !sketch.sizes.isClose(to: tableSizes) {
      let fit = SizeFit(sketch.sizes)
      spec.valueSize = fit.sizes
      evidence.append("value: \(fit.evidence)")
    }
    return FittedScenario.Client(
      spec: ClientSpec(name: name, kind: .writer(spec)), evidence: evidence)
  }

  private var hasKeys: Bool { keys.operations > 0 && spec.reload == nil }

  private var transactions: String {
    let count = Notation.counted(sketch.transactions, "transaction")
    if spec.reload != nil { return "\(count), each the table anew" }
    let parts = [
      ("insert", sketch.inserts), ("update", sketch.updates), ("delete", sketch.deletes),
      ("read", sketch.reads),
    ].filter { $0.1.mean > 0 }.map { word, moments in
      let total = Notation.counted(Int(moments.sum.rounded()), word)
      return
        "\(total): \(Notation.decimal(moments.mean, 1)) each (sd \(Notation.decimal(moments.deviation, 1)))"
    }
    return parts.isEmpty
      ? "\(count) without a change" : "\(count): \(parts.joined(separator: ", "))"
  }
}

extension SizeSketch {
  /// Whether both may be samples of one distribution.
  func isClose(to other: Self) -> Bool {
    let harmonic = Double(count) * Double(other.count) / Double(count + other.count)
    return distance(to: other) <= max(0.03, 1.63 / harmonic.squareRoot())
  }
}

extension RowWave {
  /// Returns the oscillation of a table that began with so many rows, in so many transactions; nil if its number of rows did
  /// not go up and down again and again.
  func oscillation(of initial: Int, transactions: Int) -> RowOscillation? {
    guard initial > 0, halves.count >= 2, halves.mean >= 5, changes * 10 >= transactions * 9,
      halves.deviation <= 0.2 * halves.mean, rows.max - rows.min >= 0.05 * Double(initial),
      rows.max <= Double(initial)
    else { return nil }
    func permille(_ rows: Double) -> Int {
      Int((1000 * rows / Double(initial)).rounded())
    }
    return RowOscillation(
      minPermille: permille(rows.min), maxPermille: permille(rows.max),
      periodCommits: Int((2 * halves.mean).rounded()))
  }
}

extension MeasuredPhase {
  /// Commits of clients per second, over all instances; the language's default where no time passed.
  var rate: Double {
    let span = instances.reduce(0.0) { $0 + $1.span.seconds }
    let intervals = instances.reduce(0) { $0 + max(0, $1.commits - 1) }
    guard span > 0, intervals > 0 else { return LoadSpec.standardRate }
    return min(1e6, max(1 / 86_400, Double(intervals) / span))
  }
}
