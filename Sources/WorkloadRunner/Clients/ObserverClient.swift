// Observers: each holds the version that it told of last. After a commit it takes the newest, reads from both what
// changed, and keeps both until its callback returns. One that is stalled keeps its old version and takes no new one.
import ScenarioModel

final class ObserverClient: PinningClient {
  private struct Observer {
    var told: HeldSnapshot
    /// The version that the callback at work came from, and when it returns.
    var before: (held: HeldSnapshot, until: Int)?
    /// The commits that `told` has seen.
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
      let held = try context.hold(spec.observers == 1 ? name : "\(name) \(number)")
      observers.append(Observer(told: held, commits: commits))
    }
  }

  var nextDue: Int? {
    let dues = observers.map { $0.before?.until ?? afterStall($0.commits + 1) }
    return dues.min().flatMap { $0 == .max ? nil : $0 }
  }

  func act() throws {
    let commits = context.recorder.position.commits
    for index in observers.indices {
      if let before = observers[index].before {
        guard before.until <= commits else { continue }
        before.held.end()
        observers[index].before = nil
      }
      if afterStall(observers[index].commits + 1) <= commits { try deliver(index, commits) }
    }
  }

  private func deliver(_ index: Int, _ commits: Int) throws {
    let old = observers[index].told
    let newest = try context.hold(old.holder)
    observers[index].told = newest
    observers[index].commits = commits
    for snapshot in [old.snapshot, newest.snapshot] {
      try rows.read(spec.reads, from: snapshot, timing: context.recorder)
    }
    if spec.callbackCommits == 0 {
      old.end()
    } else {
      observers[index].before = (old, commits + spec.callbackCommits)
    }
  }

  /// When what is due at `commits` can be delivered.
  private func afterStall(_ commits: Int) -> Int {
    guard let stall, stall.contains(commits) else { return commits }
    return stall.upperBound
  }

  func end() {
    for observer in observers {
      observer.before?.held.end()
      observer.told.end()
    }
    observers = []
  }
}
