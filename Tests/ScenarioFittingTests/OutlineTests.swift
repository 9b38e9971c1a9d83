import Generators
import ScenarioModel
import Testing
import TraceFormat

@testable import ScenarioFitting

@Suite("Phases of traces that name none")
struct OutlineTests {
  /// A trace of launches without phases: a sync of 300 inserts, then 500 updates; a snapshot over half of those.
  private func trace(launches: Int = 1, isPinned: Bool = false) -> SyntheticTrace {
    var trace = SyntheticTrace()
    var keys = KeyChooser(.uniform, seed: 1, label: "keys")
    for _ in 1...launches {
      trace.launch(loading: [1000])
      for _ in 0..<300 { trace.commit { trace in for _ in 0..<4 { trace.insert() } } }
      var held = 0
      for number in 0..<512 {
        if isPinned, number == 128 { held = trace.snapshot("main") }
        if isPinned, number == 384 { trace.end(held) }
        trace.commit { trace in for _ in 0..<4 { trace.update(&keys) } }
      }
    }
    return trace
  }

  @Test("a phase begins with the first commit of another kind")
  func mix() throws {
    let trace = trace()
    let fitted = try trace.fitted()
    #expect(fitted.phases.map(\.spec.name) == ["part-1", "part-2"])
    #expect(fitted.phases.map(\.spec.commits) == [300, 512])
    let writers = fitted.clients.compactMap(\.writer)
    #expect(writers.contains { $0.inserts == 4 && $0.updates == 0 })
    #expect(writers.contains { $0.updates == 4 && $0.inserts == 0 })
  }

  @Test("a phase begins where a snapshot is held, and has a reader")
  func pinned() throws {
    let trace = trace(isPinned: true)
    let fitted = try trace.fitted()
    #expect(fitted.phases.count == 4)
    let held = fitted.phases.filter { $0.spec.clients.contains("main") }
    #expect(held.map(\.spec.commits) == [256])
    let reader = fitted.clients.first { $0.spec.name == "main" }
    #expect(reader?.spec.kind == .reader(ReaderSpec(table: "Item", reads: 0)))
  }

  @Test("the same mix in another launch is the same phase")
  func launches() throws {
    let trace = trace(launches: 3)
    let fitted = try trace.fitted()
    #expect(fitted.phases.map(\.spec.name) == ["part-1", "part-2"])
    #expect(fitted.launches.count == 3)
    #expect(fitted.phases.allSatisfy { $0.spec.onlyInLaunches == nil })
  }

  @Test("without a change there is one phase")
  func unchanged() throws {
    var trace = SyntheticTrace()
    trace.launch(loading: [1000])
    var keys = KeyChooser(.uniform, seed: 1, label: "keys")
    for _ in 0..<2000 { trace.commit { trace in trace.update(&keys) } }
    let fitted = try trace.fitted()
    #expect(fitted.phases.map(\.spec.commits) == [2000])
  }

  @Test("one huge transaction among small ones is a phase, and one of another kind is not")
  func burst() throws {
    var trace = SyntheticTrace()
    trace.launch(loading: [1000])
    var keys = KeyChooser(.uniform, seed: 1, label: "keys")
    for number in 0..<900 {
      trace.commit { trace in
        switch number {
        case 300: for _ in 0..<500 { trace.delete(rank: 0) }
        case 600: trace.insert()
        default: trace.update(&keys)
        }
      }
    }
    let fitted = try trace.fitted()
    #expect(fitted.phases.map(\.spec.commits) == [300, 0, 599])
    #expect(fitted.phases.map(\.spec.deleteShare) == [0, 0.5, 0])
  }

  @Test("pins that come again and again make no phases of a launch")
  func pins() throws {
    var trace = SyntheticTrace()
    trace.launch(loading: [1000])
    var keys = KeyChooser(.uniform, seed: 1, label: "keys")
    var held: [(due: Int, snapshot: Int)] = []
    for number in 0..<1200 {
      if number >= 200, number < 1000, number % 10 == 0 {
        held.append((number + 100, trace.snapshot("jobs")))
      }
      for pin in held where pin.due == number { trace.end(pin.snapshot) }
      held.removeAll { $0.due == number }
      trace.commit { trace in trace.update(&keys) }
    }
    let fitted = try trace.fitted()
    #expect(fitted.phases.map(\.spec.commits) == [200, 890, 110])
    let pins = fitted.clients.compactMap(\.pins)
    #expect(pins.map(\.takeEveryCommits) == [10])
    #expect(pins.map(\.lifetime) == [.fixed(commits: 100)])
  }

  @Test("windows are never more than their limit")
  func windows() {
    var windows = MixWindows()
    for number in 0..<100_000 {
      var commit = CommitMix()
      commit.add(.puts, number < 60_000 ? 2 : 7)
      commit.endCommit()
      windows.add(commit)
    }
    #expect(windows.windows.count < MixWindows.maxWindows)
    let bounds = windows.bounds(seed: 1)
    #expect(bounds.count == 1)
    #expect(abs((bounds.first ?? 0) - 60_000) <= windows.length)
  }

  @Test("phases stand in an order that fits all launches")
  func order() {
    var order = PhaseOrder()
    let phases = (0..<4).map { _ in order.append() }
    let pairs = [(0, 1), (3, 0), (1, 3), (2, 2)]
    let fits = pairs.map { order.follow(phases[$0], by: phases[$1]) }
    #expect(fits == [true, true, false, false])
    #expect(order.sorted == [2, 3, 0, 1])
  }
}
