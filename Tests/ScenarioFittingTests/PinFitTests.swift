import Generators
import ScenarioModel
import Testing

@testable import ScenarioFitting

@Suite("Fits of pins")
struct PinFitTests {
  /// Returns the clients fitted to a phase of 1,000 commits in which `act` is called after each.
  private func clients(
    _ act: (inout SyntheticTrace, _ commit: Int) -> Void,
    atEnd: (inout SyntheticTrace) -> Void = { _ in }
  ) throws -> [FittedScenario.Client] {
    var trace = SyntheticTrace()
    trace.launch(loading: [200])
    var keys = KeyChooser(.uniform, seed: 1, label: "keys")
    trace.phase("held") { trace in
      act(&trace, 0)
      for commit in 1...1000 {
        trace.commit { trace in trace.update(&keys) }
        act(&trace, commit)
      }
      atEnd(&trace)
    }
    return try trace.fitted().clients.filter { $0.writer == nil }
  }

  @Test("a snapshot from a phase's beginning to its end is a reader's")
  func reader() throws {
    var held = 0
    let found = try clients(
      { trace, commit in if commit == 0 { held = trace.snapshot("reader", reads: 10) } },
      atEnd: { $0.end(held) })
    #expect(found.map(\.spec.kind) == [.reader(ReaderSpec(table: "Item", reads: 10))])
    #expect(found.map(\.spec.name) == ["reader"])
  }

  @Test("pins have their interval, their number at once and their lifetime")
  func pins() throws {
    var held: [(due: Int, snapshot: Int)] = []
    let found = try clients(
      { trace, commit in
        if commit % 20 == 0 {
          for _ in 0..<3 { held.append((commit + 70, trace.snapshot("screens"))) }
        }
        for pin in held where pin.due == commit { trace.end(pin.snapshot) }
        held.removeAll { $0.due == commit }
      },
      atEnd: { trace in for pin in held { trace.end(pin.snapshot) } })
    let spec = try #require(found.first?.pins)
    #expect(found.count == 1)
    #expect(spec.takeEveryCommits == 20)
    #expect(spec.atOnce == 3)
    #expect(spec.lifetime == .fixed(commits: 70))
  }

  @Test("pins that outlive their phase are leaks")
  func leaks() throws {
    var trace = SyntheticTrace()
    trace.launch(loading: [200])
    var keys = KeyChooser(.uniform, seed: 1, label: "keys")
    var leaked: [Int] = []
    for name in ["leaking", "after"] {
      trace.phase(name) { trace in
        for commit in 0..<300 {
          if name == "leaking", commit % 100 == 0 { leaked.append(trace.snapshot("forgotten")) }
          trace.commit { trace in trace.update(&keys) }
        }
      }
    }
    for snapshot in leaked { trace.end(snapshot) }
    let fitted = try trace.fitted()
    let spec = try #require(fitted.clients.compactMap(\.pins).first)
    #expect(spec.lifetime == .never)
    #expect(spec.takeEveryCommits == 100)
    #expect(fitted.phases.map { $0.spec.clients.contains("forgotten") } == [true, false])
  }

  @Test("a stalled observer holds its version from there on")
  func observer() throws {
    var held = 0
    let found = try clients(
      { trace, commit in
        guard commit <= 600 else { return }
        let next = trace.snapshot("view")
        if held > 0 { trace.end(held) }
        held = next
      }, atEnd: { $0.end(held) })
    guard case .observers(let spec) = found.first?.spec.kind else {
      Issue.record("\(found)")
      return
    }
    #expect(spec.observers == 1)
    #expect(spec.callbackCommits == 0)
    #expect(spec.stallsAfterCommits == 600)
  }

  @Test("snapshots that end before the next commit are jobs, or lookups where there are more")
  func brief() throws {
    let jobs = try clients { trace, commit in
      guard commit % 5 == 0 else { return }
      trace.end(trace.snapshot("jobs on jobs.3", reads: 2))
    }
    guard case .queues(let spec) = jobs.first?.spec.kind else {
      Issue.record("\(jobs)")
      return
    }
    #expect(jobs.map(\.spec.name) == ["jobs"])
    #expect(spec.jobEveryCommits == 5)
    #expect(spec.reads == 2)
    let lookups = try clients { trace, commit in
      for _ in 0..<4 { trace.end(trace.snapshot("main", reads: 3)) }
    }
    guard case .lookups(let spec) = lookups.first?.spec.kind else {
      Issue.record("\(lookups)")
      return
    }
    #expect(spec.reads == 3)
    #expect(abs(spec.load.virtualRate - 400) < 4)
  }

  @Test(
    "a label is a name and a number",
    arguments: [
      ("reader", "reader", 0), ("line 12", "line", 12), ("jobs on jobs.2", "jobs", 0),
      ("thread-7", "thread", 7), ("42", "snapshots", 42),
    ])
  func holders(label: String, name: String, number: Int) {
    #expect(Holder(label).name == name)
    #expect(Holder(label).number == number)
  }
}
