// What happens in which launch, for planning a run, counting its commits and drawing its phases.
package import MetricModel
package import Policies

extension PhaseSpec {
  /// Whether the phase is part of this launch, from 1.
  package func isActive(inLaunch launch: Int) -> Bool {
    onlyInLaunches?.contains(launch) ?? true
  }
}

extension Scenario {
  /// The launches, and the moments in the background between them.
  package var openings: Openings {
    Openings(launches: launches, moments: (lifecycle.background ?? []).map(\.moment))
  }

  /// The phases of a launch, in order.
  package func phases(inLaunch launch: Int) -> [PhaseSpec] {
    phases.filter { $0.isActive(inLaunch: launch) }
  }

  /// The migrations of the launches before this one, oldest first.
  package func migrations(before launch: Int) -> [RowMigration] {
    let migrating = phases.filter { $0.migration != nil }
    guard !migrating.isEmpty else { return [] }
    return (1..<launch).flatMap { number in
      migrating.filter { $0.isActive(inLaunch: number) }.compactMap(\.migration)
    }
  }

  /// Whether a table has a shape, or is migrated: then only the run itself opens the database.
  package var hasModelOfObjects: Bool {
    tables.contains { $0.shape != nil } || phases.contains { $0.migration != nil }
  }

  /// The commits of clients over all launches; `CommitPlan` also counts those of deletions and refills.
  package func clientCommits(of arm: ArmSpec) -> Int {
    (1...launches).reduce(0) { sum, launch in
      phases(inLaunch: launch).reduce(sum) { $0 + arm.commits(in: $1) }
    }
  }

  /// The largest number of clients' commits of any arm.
  package var clientCommits: Int { arms.map(clientCommits(of:)).max() ?? 0 }

  /// The policies that an arm is run with, in the scenario's order. A comparator that was added is not run in an arm in
  /// which there is nothing to compare it with.
  package func policies(of arm: ArmSpec) -> [Policy] {
    let crossed = policies.filter { arm.policies?.contains($0.name) ?? true }
    return crossed.allSatisfy { $0.name == addedComparator } ? [] : crossed
  }
}

extension ArmSpec {
  /// Returns the commits of a phase; the arm may override the scenario's number.
  package func commits(in phase: PhaseSpec) -> Int { commits?[phase.name] ?? phase.commits }

  /// Whether another process has the database open.
  package var hasOtherProcesses: Bool {
    clients.contains { client in
      switch client.kind {
      case .process: true
      case .probe(let spec): spec.target == .this
      default: false
      }
    }
  }

  /// Whether a probe times operations beside those of the run.
  package var hasProbes: Bool {
    clients.contains { client in
      if case .probe = client.kind { true } else { false }
    }
  }

  /// Whether threads read at a rate of their own.
  package var hasLookups: Bool { clients.contains(where: \.isLookups) }

  /// Whether another thread of this process opens the database a second time.
  package var hasOtherOpenings: Bool {
    clients.contains { client in
      if case .process(let spec) = client.kind { spec.isThread } else { false }
    }
  }

  /// Whether a client makes savepoints.
  package var hasSavepoints: Bool {
    clients.contains { client in
      if case .savepoint = client.kind { true } else { false }
    }
  }

  /// Whether the arm needs an engine with a log beside its file.
  package var needsLog: Bool {
    log != nil
      || clients.contains { client in
        if case .checkpoints = client.kind { true } else { false }
      }
  }

  /// Returns the clients that run in a phase, with the phase's changes, in the order of the scenario. A client that the
  /// phase names and the arm does not have is left out: that is how an arm omits a client.
  package func clients(in phase: PhaseSpec) -> [ClientSpec] {
    let changed = inPhases[phase.name] ?? []
    return clients.filter { phase.clients.contains($0.name) }.map { client in
      changed.first { $0.name == client.name } ?? client
    }
  }
}

extension ClientSpec {
  package var isLookups: Bool {
    if case .lookups = kind { true } else { false }
  }
}
