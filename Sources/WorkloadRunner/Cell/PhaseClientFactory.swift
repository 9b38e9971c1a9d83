// Makes the clients of a phase, each with random numbers of its own.
import Generators
import RecordModel
import ScenarioModel
import SystemIO

struct PhaseClientFactory {
  let setup: CellSetup
  let phase: String
  let launch: Int
  let context: ClientContext
  let counter: CommitCounter
  /// Whether several threads write, so that one waits for the others.
  private var timesLockWait = false

  init(
    setup: CellSetup, phase: String, launch: Int, context: ClientContext, counter: CommitCounter
  ) {
    self.setup = setup
    self.phase = phase
    self.launch = launch
    self.context = context
    self.counter = counter
  }

  /// Returns the clients that the arm has in the phase, in the scenario's order.
  mutating func clients(of spec: PhaseSpec) throws -> PhaseClients {
    var clients = PhaseClients()
    let writers = setup.arm.clients(in: spec).reduce(0) { $0 + $1.writerThreads }
    timesLockWait = setup.job.schedule == .threads && writers > 1
    for client in setup.arm.clients(in: spec) {
      switch client.kind {
      case .writer(let spec): clients.writers.append(writer(client.name, spec))
      case .queuedWriters(let spec):
        let writers = (0..<spec.threads).map { writer(client.name, spec.writer, lane: $0) }
        clients.queuedWriters.append(
          QueuedWritersClient(client.name, spec, context, writers: writers))
      case .lookups(let spec): clients.lookups.append(lookups(client.name, spec))
      default: clients.commitDriven.append(commitDriven(client))
      }
    }
    return clients
  }

  private func commitDriven(_ client: ClientSpec) -> any CommitDrivenClient {
    let name = client.name
    switch client.kind {
    case .writer, .queuedWriters, .lookups:
      preconditionFailure("\(name) does not wait for commits")
    case .reader(let spec):
      return ReaderClient(name, spec, context, rows(name, spec.table, spec.keys))
    case .frozen(let spec):
      return FrozenClient(name, spec, context, rows(name, spec.table, spec.keys))
    case .queues(let spec):
      return QueueClient(
        name, spec, context,
        rows: (0..<spec.queues).map { rows(name, spec.table, spec.keys, lane: $0) },
        isStepped: setup.job.schedule == .stepped, counter: counter)
    case .pins(let spec):
      let lifetimes = setup.stream("lifetimes", name, phase, launch)
      return PinsClient(
        name, spec, context, rows(name, spec.table, spec.keys),
        lifetimes: LifetimeChooser(spec.lifetime, stream: lifetimes))
    case .observers(let spec):
      return ObserverClient(name, spec, context, rows(name, spec.table, spec.keys))
    case .savepoint(let spec): return SavepointClient(name, spec, context)
    case .checkpoints(let spec): return CheckpointClient(name, spec, context)
    case .probe(let spec):
      return ProbeClient(name) { [setup, phase, launch] in
        try ProbeFactory(setup: setup).start(name, spec, "later", stream: "\(phase)/\(launch)")
      }
    case .process(let spec):
      return ProcessClient(name, spec, context) { [self] in try start(name, spec) }
    }
  }

  private func writer(_ name: String, _ spec: WriterSpec, lane: Int? = nil) -> WriterClient {
    let table = setup.table(spec.table)
    var parts: [any CustomStringConvertible] = [name, phase, launch]
    if let lane { parts.append(lane) }
    return WriterClient(
      name, spec, table, context,
      keys: KeyChooser(spec.keys, stream: setup.stream(["keys"] + parts)),
      values: setup.values(table, parts, sizes: spec.valueSize),
      arrivals: setup.stream(["arrivals"] + parts), timesLockWait: timesLockWait,
      parts: setup.parts(table, parts, keys: spec.keys))
  }

  private func lookups(_ name: String, _ spec: LookupSpec) -> LookupClient {
    let table = setup.table(spec.table)
    table.publishedKeys.begin(table.keys)
    let threads = (0..<spec.threads).map { thread in
      LookupThread(
        name, number: thread, spec, table, context,
        keys: KeyChooser(
          spec.keys, stream: setup.stream("lookup keys", name, phase, launch, thread)))
    }
    return LookupClient(
      name, spec, threads: threads,
      arrivals: setup.stream("lookup arrivals", name, phase, launch))
  }

  private func rows(
    _ name: String, _ table: String, _ keys: KeyDistribution, lane: Int = 0
  ) -> RowReader {
    let state = setup.table(table)
    return RowReader(
      table: state.index, rows: state.spec.rows,
      keys: KeyChooser(keys, stream: setup.stream("keys", name, phase, launch, lane)))
  }

  /// Starts a client's other process, or the thread of this process that takes its place.
  private func start(_ name: String, _ spec: ProcessSpec) throws -> OtherProcess {
    guard setup.program != nil || spec.isThread else {
      throw RunnerError("\(name) is another process, and this program cannot start any")
    }
    let job = setup.processJob(
      name, spec, setup.table(spec.table).spec, stream: "\(name)/\(phase)/\(launch)")
    guard !spec.isThread, let program = setup.program else {
      let engine = setup.engine
      let server = try ProcessServer(job) { _ in engine }
      return try OtherProcess(
        OtherThread(server, name: name), job, context.recorded, launch: launch)
    }
    let child = try InteractiveProcess(program.executable, arguments: program.arguments)
    child.send(try program.line(job))
    return try OtherProcess(child, job, context.recorded, launch: launch)
  }
}

extension ClientSpec {
  fileprivate var writerThreads: Int {
    switch kind {
    case .writer: 1
    case .queuedWriters(let spec): spec.threads
    default: 0
    }
  }
}
