// Observers: each holds the version that it told of last. After a commit it takes the newest, reads what changed, and
// keeps both until its callback returns. One that is stalled keeps its old version and takes no new one.
import EngineInterface
import ScenarioModel

final class ObserverClient: PinningClient {
  private struct Observer {
    let hand: any ObserverHand
    /// When the callback at work returns.
    var callbackUntil: Int?
    /// The commits that it has seen.
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
      observers.append(Observer(hand: try hand(holder), commits: commits))
    }
  }

  private func hand(_ holder: String) throws -> any ObserverHand {
    let instances = context.session.capability((any InstanceHolding).self)
    guard let observer = try instances?.observe(rows.table, label: holder) else {
      return SnapshotHand(try context.hold(holder), context)
    }
    return NotifiedHand(observer, holder, context)
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
        try observers[index].hand.callbackReturns()
        observers[index].callbackUntil = nil
      }
      if afterStall(observers[index].commits + 1) <= commits { try deliver(index, commits) }
    }
  }

  private func deliver(_ index: Int, _ commits: Int) throws {
    let hand = observers[index].hand
    observers[index].commits = commits
    let isCalled = try hand.deliver {
      try rows.read(spec.reads, from: $0, timing: context.recorder)
    }
    guard isCalled else { return }
    if spec.callbackCommits == 0 {
      try hand.callbackReturns()
    } else {
      observers[index].callbackUntil = commits + spec.callbackCommits
    }
  }

  /// When what is due at `commits` can be delivered.
  private func afterStall(_ commits: Int) -> Int {
    guard let stall, stall.contains(commits) else { return commits }
    return stall.upperBound
  }

  func end() {
    for observer in observers { observer.hand.end() }
    observers = []
  }
}
