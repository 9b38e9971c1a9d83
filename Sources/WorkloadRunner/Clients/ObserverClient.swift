// Observers. Each holds the version that it delivered last. After a commit it takes the newest version, reads what
// changed, and holds both until its callback returns. A stalled observer holds its old version and takes no new one.
import EngineInterface
import ScenarioModel

final class ObserverClient: CommitDrivenClient {
  private struct Observer {
    let versions: any ObserverVersions
    /// The commit count at which the running callback returns.
    var callbackUntil: Int?
    /// The commit count of the version that it delivered last.
    var commits: Int
  }

  let name: String
  private let spec: ObserverSpec
  private let context: ClientContext
  private var rows: RowReader
  private var observers: [Observer] = []
  private var stall: Range<Int>?

  init(_ name: String, _ spec: ObserverSpec, _ context: ClientContext, _ rows: RowReader) {
    self.name = name
    self.spec = spec
    self.context = context
    self.rows = rows
  }

  func begin() throws {
    let commits = context.recorder.position.commits
    stall = spec.stallsAfterCommits.map { after in
      let begin = commits + after
      return begin..<(spec.stallsForCommits.map { begin + $0 } ?? .max)
    }
    for number in 1...spec.observers {
      let holder = spec.observers == 1 ? name : "\(name) \(number)"
      observers.append(Observer(versions: try versions(for: holder), commits: commits))
    }
  }

  private func versions(for holder: String) throws -> any ObserverVersions {
    let instances = context.session.capability((any InstanceHolding).self)
    guard let observer = try instances?.observe(rows.table, label: holder) else {
      return ComparedSnapshots(try context.recorded.hold(holder), context.recorded)
    }
    return EngineObserverVersions(observer, holder, context.recorded)
  }

  var nextDue: Int? {
    let dues = observers.map { $0.callbackUntil ?? afterStall($0.commits + 1) }
    return dues.min().flatMap { $0 == .max ? nil : $0 }
  }

  func act() throws {
    let commits = context.recorder.position.commits
    for index in observers.indices {
      if let until = observers[index].callbackUntil {
        guard until <= commits else { continue }
        try observers[index].versions.endCallback()
        observers[index].callbackUntil = nil
      }
      if afterStall(observers[index].commits + 1) <= commits { try deliver(index, commits) }
    }
  }

  private func deliver(_ index: Int, _ commits: Int) throws {
    let versions = observers[index].versions
    observers[index].commits = commits
    let isCalled = try versions.deliver {
      try rows.read(spec.reads, from: $0, timing: context.recorder)
    }
    guard isCalled else { return }
    if spec.callbackCommits == 0 {
      try versions.endCallback()
    } else {
      observers[index].callbackUntil = commits + spec.callbackCommits
    }
  }

  /// Returns the commit count at which a delivery due at `commits` is possible.
  private func afterStall(_ commits: Int) -> Int {
    guard let stall, stall.contains(commits) else { return commits }
    return stall.upperBound
  }

  func end() {
    for observer in observers { observer.versions.release() }
    observers = []
  }
}
