import SystemIO
import TestSupport
import Testing
import TraceFormat

@testable import TraceEmitter

@Suite("What an app records is what the trace has")
struct EmittedLinesTests {
  @Test("each call is a record of the trace, in the order of the calls")
  func calls() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending("app.jsonl")
      let emitter = TraceEmitter(path) {
        $0.name = "My App 2"
        $0.engine = "sqlite"
        $0.engineVersion = "3 \"beta\"\n"
        $0.isDurable = false
        $0.sampleEveryCommits = 7
      }
      let people = emitter.table("Person", rows: 4)
      let pets = emitter.table("Pet")
      #expect(emitter.table("Person") == people)
      let transaction = emitter.beginWrite()
      transaction.put(people, key: .text("ada"), bytes: 120)
      transaction.put(pets, key: .integer(-1), bytes: 0)
      transaction.delete(people, key: .bytes([1, 2, 3]))
      transaction.read(pets, key: .integer(7))
      transaction.commit()
      let snapshot = emitter.beginSnapshot("a \"list\"")
      let pin = emitter.pin("export\u{7}\\")
      snapshot.read(people, key: .text("ada"))
      snapshot.scan(pets, from: .integer(.min), limit: 30)
      snapshot.count(pets)
      snapshot.refresh()
      snapshot.end()
      emitter.unpin(pin)
      emitter.sample()
      let second = emitter.beginWrite()
      second.delete(pets, key: .integer(-1))
      second.rollBack()
      emitter.beginPhase("second")
      emitter.close()
      #expect(emitter.error == nil)

      let trace = try EmittedTrace(path)
      let header = try #require(trace.header)
      #expect(header.origin.scenario == "my-app-2" && header.origin.engine == "sqlite")
      #expect(header.origin.engineVersion == "3 \"beta\" " && header.clock == .machine)
      #expect(!header.durable && header.sampleEveryCommits == 7 && header.tables.isEmpty)
      #expect(trace.tables == [.init(name: "Person", rows: 4), .init(name: "Pet", rows: 0)])
      func key(_ key: TraceKey) -> Int64 { emitter.hasher.number(of: key) }
      let expected: [TraceRecord] = [
        .init(.launch, number: 1), .init(.open), .init(.phase, text: "app"), .init(.beginWrite),
        .init(.put, table: 0, key: key(.text("ada")), size: 120),
        .init(.put, table: 1, key: key(.integer(-1)), size: 0),
        .init(.delete, table: 0, key: key(.bytes([1, 2, 3]))),
        .init(.read, table: 1, key: key(.integer(7))), .init(.commit),
        .init(.enter, number: 3, size: 144),
        .init(.snapshot, number: 1, text: "a \"list\""),
        .init(.pin, number: 1, text: "export \\"),
        .init(.snapshotRead, table: 0, key: key(.text("ada")), number: 1),
        .init(.scan, table: 1, key: key(.integer(.min)), number: 1, size: 30),
        .init(.count, table: 1, number: 1), .init(.refresh, number: 1), .init(.end, number: 1),
        .init(.unpin, number: 1), .init(.sample), .init(.beginWrite),
        .init(.delete, table: 1, key: key(.integer(-1))), .init(.rollBack),
        .init(.phaseEnd, number: 0), .init(.phase, text: "second"), .init(.phaseEnd, number: 1),
        .init(.closing), .init(.close),
      ]
      #expect(trace.untimed == expected)
      #expect(trace.end == TraceTotals(records: expected.count, commits: 1))
      #expect(trace.dropped == 0)
    }
  }

  @Test("every operation has the name and the parts of the trace format")
  func forms() {
    for kind in TraceEventKind.allCases where kind != .table {
      let name = "\(kind.form.name)"
      let operation = TraceOperation(name: name)
      let parts = kind.form.parts.map { part in
        switch part {
        case .table: "table"
        case .key: "key"
        case .number(let name), .size(let name), .text(let name): "\(name)"
        }
      }
      #expect(operation?.parts.map(\.name) == parts, "\(name)")
    }
  }

  @Test("a launch ends what the launch before left open; loading is not counted as commits")
  func launches() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending("app.jsonl")
      let emitter = TraceEmitter(path) { $0.phase = "load" }
      let table = emitter.table("Item")
      let initial = emitter.beginWrite()
      initial.put(table, key: .integer(1), bytes: 10)
      initial.commit()
      emitter.beginPhase("work")
      let snapshot = emitter.beginSnapshot("leaked")
      let pin = emitter.pin("leaked")
      emitter.beginLaunch(phase: "again")
      snapshot.end()
      emitter.unpin(pin)
      emitter.close()
      let operations = try EmittedTrace(path).records.map(\.operation)
      #expect(
        operations == [
          .launch, .open, .phase, .beginWrite, .put, .commit, .phase, .snapshot, .pin, .end,
          .unpin, .phaseEnd, .closing, .close, .launch, .open, .phase, .phaseEnd, .closing, .close,
        ])
    }
  }

  @Test("calls after the end do nothing, and a transaction that is not ended is rolled back")
  func afterEnd() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending("app.jsonl")
      let emitter = TraceEmitter(path)
      let table = emitter.table("Item")
      emitter.beginWrite().put(table, key: .integer(1), bytes: 1)
      let open = emitter.beginWrite()
      emitter.close()
      let text = try FileSystem.readText(path)
      open.put(table, key: .integer(2), bytes: 1)
      open.commit()
      emitter.beginLaunch()
      emitter.beginSnapshot("late").end()
      emitter.sample()
      emitter.close()
      #expect(try FileSystem.readText(path) == text)
      #expect(emitter.error == nil)
      let operations = try EmittedTrace(path).records.map(\.operation)
      #expect(operations.filter { $0 == .rollBack }.count == 1 && !operations.contains(.commit))
    }
  }

  @Test("a trace that is cut anywhere is read up to its last whole line, and can be completed")
  func cut() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending("app.jsonl")
      let emitter = TraceEmitter(path)
      let table = emitter.table("Item")
      for key in 0..<40 {
        let transaction = emitter.beginWrite()
        transaction.put(table, key: .integer(Int64(key)), bytes: key)
        transaction.commit()
      }
      emitter.close()
      let text = try FileSystem.readText(path)
      let whole = try EmittedTrace(text: text)
      let header = text.prefix { $0 != "\n" }.utf8.count + 1
      for length in stride(from: header, to: text.utf8.count, by: 211) {
        let cut = String(decoding: text.utf8.prefix(length), as: UTF8.self)
        let trace = try EmittedTrace(text: cut)
        #expect(trace.end == nil && whole.records.starts(with: trace.records))
        var completion = TraceCompletion()
        for record in trace.records { completion.follow(record) }
        let last = (trace.records + completion.missing).last?.operation
        let isOpened = trace.records.contains { $0.operation == .open }
        #expect(last == (isOpened ? .close : trace.records.last?.operation))
      }
    }
  }
}
