// Who takes part in a phase, each with random numbers of its own.
import Generators
import RecordModel
import ScenarioModel
import SystemIO

/// The clients of a phase.
struct Cast {
  var writers: [WriterClient] = []
  var queued: [QueuedWriters] = []
  var pinning: [any PinningClient] = []
}

extension CellRun {
  /// The clients that the arm has in the phase, in the scenario's order.
  func cast(
    for phase: PhaseSpec, _ launch: Int, _ context: ClientContext, _ counter: CommitCounter
  ) throws -> Cast {
    var cast = Cast()
    for client in arm.clients(in: phase) {
      let place = Place(client: client.name, phase: phase.name, launch: launch, context: context)
      switch client.kind {
      case .writer(let spec): cast.writers.append(writer(spec, place))
      case .queuedWriters(let spec):
        let writers = (0..<spec.threads).map { writer(spec.writer, place, lane: $0) }
        cast.queued.append(QueuedWriters(place.client, spec, context, writers: writers))
      default: cast.pinning.append(pinning(client, place, counter))
      }
    }
    return cast
  }

  /// Where a client is.
  private struct Place {
    var client: String
    var phase: String
    var launch: Int
    var context: ClientContext
  }

  private func pinning(
    _ client: ClientSpec, _ place: Place, _ counter: CommitCounter
  ) -> any PinningClient {
    let (name, context) = (place.client, place.context)
    switch client.kind {
    case .writer, .queuedWriters: preconditionFailure("\(name) writes; it is cast by another rule")
    case .reader(let spec):
      return ReaderClient(name, spec, context, rows(spec.table, spec.keys, place))
    case .frozen(let spec):
      return FrozenClient(name, spec, context, rows(spec.table, spec.keys, place))
    case .queues(let spec):
      return QueueClient(
        name, spec, context,
        rows: (0..<spec.queues).map { rows(spec.table, spec.keys, place, lane: $0) },
        isStepped: job.schedule == .stepped, counter: counter)
    case .pins(let spec):
      let lifetimes = stream("lifetimes", name, place.phase, place.launch)
      return PinsClient(
        name, spec, context, rows(spec.table, spec.keys, place),
        lifetimes: LifetimeChooser(spec.lifetime, stream: lifetimes))
    case .observers(let spec):
      return ObserverClient(name, spec, context, rows(spec.table, spec.keys, place))
    case .savepoint(let spec): return SavepointClient(name, spec, context)
    case .checkpoints(let spec): return CheckpointClient(name, spec, context)
    case .probe(let spec):
      return ProbeClient(name) { [self] in
        try startProbe(name, spec, "later", "\(place.phase)/\(place.launch)")
      }
    case .process(let spec):
      return ProcessClient(name, spec, context) { [self] in try start(spec, place) }
    }
  }

  private func writer(_ spec: WriterSpec, _ place: Place, lane: Int? = nil) -> WriterClient {
    let table = table(spec.table)
    var parts: [any CustomStringConvertible] = [place.client, place.phase, place.launch]
    if let lane { parts.append(lane) }
    return WriterClient(
      place.client, spec, table, place.context,
      keys: KeyChooser(spec.keys, stream: stream(["keys"] + parts)),
      values: values(table, parts, sizes: spec.valueSize),
      arrivals: stream(["arrivals"] + parts))
  }

  private func rows(
    _ table: String, _ keys: KeyDistribution, _ place: Place, lane: Int = 0
  ) -> RowReader {
    let state = self.table(table)
    return RowReader(
      table: state.index, rows: state.spec.rows,
      keys: KeyChooser(
        keys, stream: stream("keys", place.client, place.phase, place.launch, lane)))
  }

  private func start(_ spec: ProcessSpec, _ place: Place) throws -> OtherProcess {
    guard program != nil || spec.isThread else {
      throw RunnerError("\(place.client) is another process, and this program cannot start any")
    }
    var job = ProcessJob(
      engine: engine.id, folder: folder.string, tables: tables.map(\.spec.name),
      table: table(spec.table).spec, isDurable: self.job.scenario.isDurable,
      automatic: policy.automatic, preset: policy.preset, name: place.client, spec: spec,
      seed: self.job.seed, stream: "\(place.client)/\(place.phase)/\(place.launch)")
    job.openAs(arm)
    guard !spec.isThread, let program else {
      let engine = engine
      let server = try ProcessServer(job) { _ in engine }
      return try OtherProcess(
        OtherThread(server, name: place.client), job, place.context, launch: place.launch)
    }
    let child = try InteractiveProcess(program.executable, arguments: program.arguments)
    child.send(try program.line(job))
    return try OtherProcess(child, job, place.context, launch: place.launch)
  }

  func table(_ name: String) -> TableState {
    guard let table = tables.first(where: { $0.spec.name == name }) else {
      preconditionFailure("a client names table \(name), which the scenario has not")
    }
    return table
  }

  /// A stream of its own for each purpose: what one client draws never shifts what another does.
  func stream(_ parts: any CustomStringConvertible...) -> RandomStream { stream(parts) }

  private func stream(_ parts: [any CustomStringConvertible]) -> RandomStream {
    RandomStream(seed: job.seed, label: Self.label(parts))
  }

  func values(_ table: TableState, _ parts: any CustomStringConvertible...) -> ValueWriter {
    values(table, parts)
  }

  private func values(
    _ table: TableState, _ parts: [any CustomStringConvertible], sizes: SizeDistribution? = nil
  ) -> ValueWriter {
    ValueWriter(
      sizes ?? table.spec.valueSize, seed: job.seed, label: Self.label([table.spec.name] + parts))
  }

  private static func label(_ parts: [any CustomStringConvertible]) -> String {
    parts.map(\.description).joined(separator: "/")
  }
}
