import SystemIO
import TestSupport
import Testing
import TraceFormat

@testable import TraceEmitter

@Suite("An emitter never disturbs the app")
struct EmitterLimitTests {
  private static let eventLength = MemoryLayout<TraceEvent>.stride

  @Test("without memory whole transactions are dropped, and the trace has their number")
  func bounded() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending("app.jsonl")
      // Memory for the four events that begin the trace, 63 open transactions of 16, and one event more.
      let emitter = TraceEmitter(path) {
        $0.memoryLimit = 1013 * Self.eventLength
        $0.flushMilliseconds = 1_000_000
      }
      let table = emitter.table("Item")
      let open = (0..<80).map { key in
        let transaction = emitter.beginWrite()
        transaction.put(table, key: .integer(Int64(key)), bytes: key)
        return transaction
      }
      let refused = emitter.beginSnapshot("too much")
      refused.read(table, key: .integer(1))
      // One more event than the first piece of memory has.
      for _ in 0..<15 { open[0].put(table, key: .integer(0), bytes: 0) }
      for transaction in open { transaction.commit() }
      emitter.close()
      let trace = try EmittedTrace(path)
      let sizes = try #require(trace.transactions).map { $0[1].size }
      #expect(sizes == Array(1...62))
      #expect(trace.dropped == 19)
      #expect(trace.records.filter { $0.operation == .enter }.count == sizes.count)
      #expect(!trace.records.contains { $0.operation == .snapshot })
    }
  }

  @Test("a transaction larger than the memory is dropped, and what follows is recorded")
  func hugeTransaction() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending("app.jsonl")
      let emitter = TraceEmitter(path) { $0.memoryLimit = 2000 * Self.eventLength }
      let table = emitter.table("Item")
      let huge = emitter.beginWrite()
      for key in 0..<3000 { huge.put(table, key: .integer(Int64(key)), bytes: 9) }
      huge.commit()
      let next = emitter.beginWrite()
      next.put(table, key: .integer(1), bytes: 5)
      next.commit()
      emitter.close()
      let trace = try EmittedTrace(path)
      #expect(trace.dropped == 1)
      #expect(trace.transactions?.map { $0.map(\.operation) } == [[.beginWrite, .put, .commit]])
    }
  }

  @Test("of more transactions than the disk takes, each is recorded whole or counted as dropped")
  func fasterThanDisk() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending("app.jsonl")
      let emitter = TraceEmitter(path) { $0.memoryLimit = 256 * Self.eventLength }
      let table = emitter.table("Item")
      let total = 1500
      for size in 0..<total {
        let transaction = emitter.beginWrite()
        for key in 0..<10 { transaction.put(table, key: .integer(Int64(key)), bytes: size) }
        transaction.commit()
      }
      emitter.close()
      let trace = try EmittedTrace(path)
      let transactions = try #require(trace.transactions)
      #expect(transactions.count + trace.dropped == total)
      #expect(transactions.count > 0)
      #expect(transactions.allSatisfy { $0.count == 12 && Set($0[1...10].map(\.size)).count == 1 })
      let sizes = transactions.map { $0[1].size }
      #expect(sizes == sizes.sorted() && Set(sizes).count == sizes.count)
      #expect(trace.end?.records == trace.records.count)
    }
  }

  @Test("many threads record at once: no transaction is lost, divided or out of its thread's order")
  func threads() async throws {
    try await withTemporaryFolder { folder in
      let path = folder.appending("app.jsonl")
      let emitter = TraceEmitter(path) { $0.memoryLimit = 1 << 26 }
      let (threads, each) = (8, 500)
      await withTaskGroup(of: Void.self) { group in
        for thread in 0..<threads {
          group.addTask {
            let table = emitter.table("table \(thread)")
            for number in 0..<each {
              let transaction = emitter.beginWrite()
              for key in 0..<(number % 40) {
                transaction.put(table, key: .integer(Int64(key)), bytes: number)
              }
              let snapshot = emitter.beginSnapshot("reader")
              snapshot.read(table, key: .integer(1))
              transaction.commit()
              snapshot.end()
            }
          }
        }
      }
      emitter.close()
      let trace = try EmittedTrace(path)
      #expect(trace.dropped == 0 && trace.tables.count == threads)
      let transactions = try #require(trace.transactions)
      #expect(transactions.count == threads * each)
      for table in 0..<threads {
        let own = transactions.filter { $0.count > 2 && $0[1].table == table }
        #expect(own.map { $0[1].size } == (0..<each).filter { $0 % 40 > 0 })
        #expect(own.allSatisfy { $0.count == $0[1].size % 40 + 2 })
      }
      #expect(trace.records.filter { $0.operation == .end }.count == threads * each)
    }
  }

  @Test("a path that cannot be written is an error that is stored, and nothing else")
  func unwritable() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending("missing").appending("app.jsonl")
      let emitter = TraceEmitter(path)
      let table = emitter.table("Item")
      let transaction = emitter.beginWrite()
      transaction.put(table, key: .integer(1), bytes: 5)
      transaction.commit()
      emitter.beginSnapshot("reader").read(table, key: .integer(1))
      emitter.unpin(emitter.pin("pin"))
      emitter.beginLaunch()
      emitter.close()
      #expect(emitter.error?.call == "open" && emitter.error?.path == path.string)
      #expect(!FileSystem.exists(path))
    }
  }

  @Test("an existing file is never overwritten")
  func existing() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending("app.jsonl")
      try FileSystem.write(text: "mine", to: path)
      let emitter = TraceEmitter(path)
      emitter.close()
      #expect(emitter.error?.call == "open")
      #expect(try FileSystem.readText(path) == "mine")
    }
  }
}
