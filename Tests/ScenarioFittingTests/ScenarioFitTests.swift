import Generators
import MetricModel
import ScenarioModel
import Testing
import TraceFormat

@testable import ScenarioFitting

@Suite("Fitted scenarios")
struct ScenarioFitTests {
  @Test("tables, phases, launches and gaps are those of the trace")
  func wholeTrace() throws {
    var trace = SyntheticTrace(tables: ["Item", "Note"])
    var keys = KeyChooser(.uniform, seed: 1, label: "keys")
    for launch in 1...3 {
      trace.launch(gap: 7200, loading: [300, 20])
      trace.phase("edit") { trace in
        for _ in 0..<50 { trace.commit(after: 0.5) { trace in trace.update(&keys) } }
      }
      if launch == 2 {
        trace.phase("import") { trace in
          for _ in 0..<20 {
            trace.commit(after: 0.5) { trace in for _ in 0..<10 { trace.insert(1, size: 30) } }
          }
        }
      }
    }
    let fitted = try trace.fitted()
    #expect(fitted.tables.map(\.spec.rows) == [300, 20])
    #expect(fitted.tables.map(\.spec.valueSize) == [.fixed(100), .fixed(100)])
    #expect(fitted.phases.map(\.spec.name) == ["edit", "import"])
    #expect(fitted.phases.map(\.spec.commits) == [50, 20])
    #expect(fitted.phases.map(\.spec.onlyInLaunches) == [nil, [2]])
    #expect(fitted.phases.map(\.spec.clients) == [["update-item"], ["insert-note"]])
    #expect(fitted.launches.count == 3)
    #expect(fitted.launches.gap == VirtualTime(seconds: 7200))
    #expect(fitted.launches.gapSigmaPermille == 0)
    #expect(fitted.clients.compactMap(\.writer).map(\.inserts) == [0, 10])
    #expect(fitted.clients.compactMap(\.writer).map(\.valueSize) == [nil, .fixed(30)])
    #expect(fitted.clients.compactMap(\.writer).map(\.load.virtualRate) == [2, 2])
  }

  @Test("writers that make unequal numbers of transactions come at random times, each at its rate")
  func unequalWriters() throws {
    var trace = SyntheticTrace()
    trace.launch(loading: [1000])
    var keys = KeyChooser(.uniform, seed: 1, label: "keys")
    trace.phase("work") { trace in
      for number in 0..<1000 {
        trace.commit { trace in
          if number % 10 == 0 {
            for _ in 0..<40 { trace.update(&keys) }
          } else {
            trace.update(&keys)
          }
        }
      }
    }
    let writers = try trace.fitted().clients.compactMap(\.writer)
    #expect(writers.map(\.updates) == [1, 40])
    #expect(writers.map(\.load.isOpen) == [true, true])
    let rates = writers.map(\.load.virtualRate)
    #expect(abs(rates[0] - 90) < 0.5)
    #expect(abs(rates[1] - 10) < 0.1)
  }

  @Test("transactions of many sizes become a few writers that change as many rows")
  func manySizes() throws {
    var trace = SyntheticTrace()
    trace.launch(loading: [1000])
    var keys = KeyChooser(.uniform, seed: 1, label: "keys")
    var sizes = SizeChooser(.uniform(low: 1, high: 200), seed: 2, label: "sizes")
    var updates = 0
    trace.phase("work") { trace in
      for _ in 0..<2000 {
        let count = sizes.next()
        updates += count
        trace.commit { trace in for _ in 0..<count { trace.update(&keys) } }
      }
    }
    let fitted = try trace.fitted()
    let writers = fitted.clients.compactMap(\.writer)
    #expect((2...10).contains(writers.count))
    let rates = writers.reduce(0.0) { $0 + $1.load.virtualRate }
    let rows = writers.reduce(0.0) { $0 + $1.load.virtualRate / rates * Double($1.updates) }
    #expect(abs(rows * 2000 / Double(updates) - 1) < 0.02)
    #expect(fitted.phases[0].spec.commits == 2000)
  }

  @Test("a transaction on two tables becomes one on each, and the file says so")
  func severalTables() throws {
    var trace = SyntheticTrace(tables: ["Item", "Note"])
    trace.launch(loading: [100, 100])
    trace.phase("work") { trace in
      for _ in 0..<60 {
        trace.commit { trace in
          trace.insert(0)
          trace.insert(1)
        }
      }
    }
    let fitted = try trace.fitted()
    #expect(fitted.phases[0].spec.commits == 120)
    #expect(fitted.clients.compactMap(\.writer).map(\.table) == ["Item", "Note"])
    #expect(fitted.notes.first?.hasPrefix("60 transactions changed several tables") == true)
  }

  @Test("a table that is deleted and filled anew is reloaded")
  func reload() throws {
    var trace = SyntheticTrace()
    trace.launch(loading: [80])
    trace.phase("work") { trace in
      for _ in 0..<10 {
        trace.commit { trace in
          while trace.count() > 0 { trace.delete(rank: 0) }
          for _ in 0..<80 { trace.insert() }
        }
      }
    }
    let fitted = try trace.fitted()
    #expect(fitted.clients.first?.writer?.reload == .inOneTransaction)
  }

  @Test("rows that go up and down oscillate with their period")
  func oscillation() throws {
    var trace = SyntheticTrace()
    trace.launch(loading: [1000])
    let wave = RowOscillation(minPermille: 200, maxPermille: 1000, periodCommits: 100)
    var keys = KeyChooser(.uniform, seed: 1, label: "keys")
    trace.phase("work") { trace in
      for commit in 1...500 {
        trace.commit { trace in
          let count = wave.rows(of: 1000, afterCommit: commit)
          while trace.count() < count { trace.insert() }
          while trace.count() > count { trace.delete(rank: keys.next(rows: trace.count())) }
          trace.update(&keys)
        }
      }
    }
    let writer = try #require(try trace.fitted().clients.first?.writer)
    #expect(writer.oscillation == wave)
    #expect(writer.updates == 1 && writer.inserts == 0 && writer.deletes == 0)
  }

  @Test(
    "a share of all rows deleted before the clients run is the phase's", arguments: [true, false])
  func deletedShare(isFirst: Bool) throws {
    var trace = SyntheticTrace()
    trace.launch(loading: [1000])
    var keys = KeyChooser(.uniform, seed: 1, label: "keys")
    trace.phase("trim") { trace in
      let rule = PhaseSpec(name: "", deleteShare: 0.7)
      let ranks = (0..<1000).filter { rule.deletions(of: $0 + 1) > rule.deletions(of: $0) }
      for batch in stride(from: 0, to: 700, by: 250) {
        trace.commit { trace in
          for index in batch..<min(700, batch + 250) {
            trace.delete(rank: isFirst ? 0 : ranks[index] - index)
          }
        }
      }
      for _ in 0..<30 { trace.commit { trace in trace.update(&keys) } }
    }
    let fitted = try trace.fitted()
    #expect(fitted.phases[0].spec.deleteShare == 0.7)
    #expect(fitted.phases[0].spec.deleteBatch == 250)
    #expect(fitted.phases[0].spec.commits == 30)
    #expect(fitted.deletedRows == (isFirst ? .first : .spread))
  }

  @Test("rows of the first load that are inserted again refill")
  func refill() throws {
    var trace = SyntheticTrace()
    trace.launch(loading: [500])
    trace.phase("trim") { trace in
      trace.commit { trace in for _ in 0..<250 { trace.delete(rank: 0) } }
    }
    trace.phase("regrown") { trace in
      trace.commit { trace in for key in 0..<250 { trace.reinsert(Int64(key)) } }
    }
    let fitted = try trace.fitted()
    #expect(fitted.phases.map(\.spec.refill) == [false, true])
    #expect(fitted.phases.map(\.spec.deleteShare) == [0.5, 0])
    #expect(fitted.clients.isEmpty)
  }

  @Test("a phase that is shorter in some launches is a phase of its own there")
  func unequalLaunches() throws {
    var trace = SyntheticTrace()
    var keys = KeyChooser(.uniform, seed: 1, label: "keys")
    for launch in 1...4 {
      trace.launch(loading: [100])
      trace.phase("use") { trace in
        for _ in 0..<(launch == 3 ? 20 : 80) { trace.commit { trace in trace.update(&keys) } }
      }
    }
    let phases = try trace.fitted().phases.map(\.spec)
    #expect(phases.map(\.name) == ["use", "use-launch-3"])
    #expect(phases.map(\.commits) == [80, 20])
    #expect(phases.map(\.onlyInLaunches) == [[1, 2, 4], [3]])
  }

  @Test("what was rolled back did not happen")
  func rollBack() throws {
    var trace = SyntheticTrace()
    trace.launch(loading: [100])
    trace.append(TraceRecord(.beginWrite))
    trace.append(TraceRecord(.delete, key: 50))
    trace.append(TraceRecord(.put, key: 9999, size: 5))
    trace.append(TraceRecord(.rollBack))
    var keys = KeyChooser(.fifo, seed: 1, label: "keys")
    trace.phase("use") { trace in
      for _ in 0..<30 { trace.commit { trace in trace.update(&keys) } }
    }
    let fitted = try trace.fitted()
    #expect(fitted.tables[0].spec.rows == 100)
    #expect(fitted.tables[0].spec.valueSize == .fixed(100))
    #expect(fitted.clients.compactMap(\.writer).map(\.updates) == [1])
  }

  @Test("traces of one app are fitted together, others refused")
  func severalTraces() throws {
    func device(_ rows: Int, _ commits: Int, table: String = "Item") -> SyntheticTrace {
      var trace = SyntheticTrace(tables: [table])
      var keys = KeyChooser(.uniform, seed: 1, label: "keys")
      trace.launch(loading: [rows])
      trace.phase("use") { trace in
        for _ in 0..<commits { trace.commit { trace in trace.update(&keys) } }
      }
      trace.append(TraceRecord(.close))
      return trace
    }
    let fitted = try fit([device(100, 30), device(300, 90)])
    #expect(fitted.tables[0].spec.rows == 200)
    #expect(fitted.phases.map(\.spec.commits) == [60])
    #expect(fitted.launches.count == 1)
    #expect {
      _ = try fit([device(100, 30), device(100, 30, table: "Other")])
    } throws: { ($0 as? FittingError)?.code == .differentTables }
  }

  @Test("a trace without a counted commit is refused")
  func empty() {
    var trace = SyntheticTrace()
    trace.launch(loading: [100])
    #expect { _ = try trace.fitted() } throws: { ($0 as? FittingError)?.code == .empty }
  }
}
