// The number of file descriptors that a run needs at once, in the command and in the process of each cell. Measured with
// strace over all scenarios of the catalog, as the highest descriptor of each process.
import ScenarioModel

extension ExperimentPlan {
  /// Returns the greatest number of descriptors that one process of the run has open at once, with `jobs` cells at a time.
  package func descriptorsNeeded(jobs: Int) -> Int {
    max(
      DescriptorNeeds.command(jobs: min(jobs, parts.map(\.runs.count).max() ?? 0)),
      scenario.arms.map {
        DescriptorNeeds.cell($0, commits: scenario.phases.reduce(0) { $0 + $1.commits })
      }.max() ?? 0)
  }
}

enum DescriptorNeeds {
  /// Returns the descriptors of the command: standard streams, the request to stop, the lock of the work folder, and for each
  /// cell both ends of three streams while it is started.
  static func command(jobs: Int) -> Int { 8 + 6 * max(1, jobs) }

  /// Returns the descriptors of a cell. With one file and without clients up to 12 were measured; each further file needs 3
  /// (native: the file, its lock, and the file opened for direct writing; SQLite: the file, its log, their index).
  static func cell(_ arm: ArmSpec, commits: Int) -> Int {
    let clients = arm.clients.map { client in
      let variants = arm.inPhases.values.joined().filter { $0.name == client.name }
      return ([client] + variants).map { self.client($0.kind, commits) }.max() ?? 0
    }
    return 9 + 3 * (arm.files ?? 1) + clients.reduce(0, +)
  }

  /// Returns the descriptors of a client. SQLite has a connection for each open snapshot; other engines need no more.
  /// Snapshots whose number is unlimited are not counted: running out of descriptors is then what the scenario is about.
  private static func client(_ kind: ClientSpec.Kind, _ commits: Int) -> Int {
    switch kind {
    case .reader, .writer: 1
    case .queues(let spec): spec.queues
    case .frozen(let spec): spec.window
    case .pins(let spec):
      min(max(spec.maxHeld, spec.atOnce), spec.atOnce * (commits / spec.takeEveryCommits + 1))
    // Each holds the previous version and the newest.
    case .observers(let spec): 2 * spec.observers
    case .queuedWriters(let spec): spec.threads
    case .lookups(let spec): spec.threads
    // Both ends of its socket while it is started.
    case .process: 2
    case .probe: 4
    case .savepoint, .checkpoints: 0
    }
  }
}
