// How versions are held over the object store: each way has its own name among the pins, and keeps to the byte what a
// snapshot of the same version keeps. Over the other engines each way is a snapshot.
import Dispatch
import EngineInterface
import Foundation
import MetricModel
import NativeEngine
import SystemIO
import TestSupport
import Testing

@Suite("How versions are held")
struct HoldingTests {
  private static let objects = EngineUnderTest(engine: NativeEngine.objects)

  /// Not a task's: who opens for an actor waits for it.
  private func onThread(_ body: @escaping @Sendable () throws -> Void) async throws {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
  }

  /// Overwrites 20 of 200 rows, others each time.
  private func write(_ session: any EngineSession, _ round: Int) throws {
    try session.write { transaction in
      for step in 0..<20 {
        try transaction.put(
          Int64((round * 7 + step * 10) % 200), Array(repeating: UInt8(round % 256), count: 100))
      }
    }
  }

  private func fill(_ session: any EngineSession) throws {
    try session.write { transaction in
      for key in 0..<200 { try transaction.put(Int64(key), Array(repeating: 0, count: 100)) }
    }
  }

  private func objects(_ session: any EngineSession) throws -> any InstanceHolding {
    try session.require((any InstanceHolding).self, for: "holding instances")
  }

  private func labels(_ session: any EngineSession) throws -> [String] {
    try #require(try session.capability((any PinInspecting).self)?.pins()).map(\.label)
  }

  /// What a file comes to in which `hold` began after the first commit, and ended after ten more: then, and after one more.
  private func usage(
    _ hold: (any EngineSession) throws -> any EngineSnapshot,
    _ body: (any EngineSession, any EngineSnapshot) throws -> Void = { _, _ in }
  ) throws -> [SpaceUsage] {
    try Self.objects.withSession { session, _ in
      try fill(session)
      let held = try hold(session)
      #expect(try held.value(10) == Array(repeating: 0, count: 100))
      for round in 1...10 { try write(session, round) }
      // Still of its version.
      #expect(try held.value(10) == Array(repeating: 0, count: 100))
      var usages = [try session.spaceUsage()]
      try body(session, held)
      held.end()
      #expect(try session.capability((any PinInspecting).self)?.pins() == [])
      usages.append(try session.spaceUsage())
      try write(session, 11)
      usages.append(try session.spaceUsage())
      return usages
    }
  }

  @Test("a live realm, a frozen one and an actor's keep to the byte what a snapshot keeps, by name")
  func exact() async throws {
    try await onThread {
      let plain = try usage { try $0.beginSnapshot(label: "plain") }
      #expect(plain[0].pinned != .zero && plain[1].pinned == .zero)
      let ways: [(Holding, String)] = [
        (.live, "live realm data.native, queue reader"),
        (.frozen, "frozen realm data.native, reader"),
        (.actor, "live realm data.native, actor reader"),
      ]
      for (way, label) in ways {
        func look(_ session: any EngineSession, _ held: any EngineSnapshot) throws {
          #expect(held.pinLabel == label)
          #expect(try labels(session) == [label])
        }
        let held = try usage({ try objects($0).hold(way, label: "reader") }, look)
        #expect(held == plain, "\(label)")
      }
    }
  }

  @Test(
    "what was read through a live realm is read again: after refresh as it is then, or not at all")
  func live() throws {
    try Self.objects.withSession { session, _ in
      try fill(session)
      let held = try objects(session).hold(.live, label: "reader")
      #expect(try held.value(3) == Array(repeating: 0, count: 100))
      try session.write { transaction in
        try transaction.put(3, [9])
        _ = try transaction.delete(0, 4)
      }
      #expect(try held.value(3) == Array(repeating: 0, count: 100))
      #expect(try held.value(4) != nil)
      try held.refresh()
      #expect(try held.value(3) == [9])
      #expect(try held.value(4) == nil)
      #expect(try held.count(0) == 199)
      #expect(try held.rows(limit: 2).map(\.key) == [0, 1])
      held.end()
      held.end()
      #expect(throws: EngineError.self) { try held.value(3) }
    }
  }

  @Test(
    "a pool keeps one realm for its queue, whatever number of blocks open one, at the first one's version"
  )
  func block() throws {
    try Self.objects.withSession { session, _ in
      try fill(session)
      let queue = DispatchQueue(label: "worker")
      let held = try queue.sync { try objects(session).hold(.block(of: queue), label: "job") }
      try write(session, 1)
      let usage = try session.spaceUsage()
      #expect(usage.pinned != .zero)
      try queue.sync {
        #expect(try held.value(17) == Array(repeating: 0, count: 100))
        let again = try objects(session).hold(.block(of: queue), label: "job")
        #expect(try again.value(17) == Array(repeating: 0, count: 100))
        again.end()
      }
      #expect(try labels(session) == ["live realm data.native, queue worker"])
      #expect(try session.spaceUsage() == usage)
      queue.sync { held.end() }
      #expect(try labels(session) == [])
      #expect(try session.spaceUsage().pinned == .zero)
      try queue.sync {
        let next = try objects(session).hold(.block(of: queue), label: "job")
        #expect(try next.value(17) == Array(repeating: 1, count: 100))
        next.end()
      }
    }
  }

  @Test(
    "an observer holds what it saw, and both versions until its callback returns, as two snapshots do"
  )
  func observer() throws {
    func usages(observing: Bool) throws -> [SpaceUsage] {
      try Self.objects.withSession { session, _ in
        try fill(session)
        var usages: [SpaceUsage] = []
        let observer = observing ? try objects(session).observe(0, label: "screen") : nil
        let first = observing ? nil : try session.beginSnapshot(label: "first")
        for round in 1...5 { try write(session, round) }
        usages.append(try session.spaceUsage())
        let label = "live realm data.native, queue screen"
        var second: (any EngineSnapshot)?
        if let observer {
          #expect(try labels(session) == [label])
          #expect(try observer.deliver() == .called)
          #expect(try labels(session) == [label, label])
          var found: [UInt8] = []
          #expect(try observer.read(0, 35) { found = Array($0) })
          #expect(found == Array(repeating: 5, count: 100))
        } else {
          second = try session.beginSnapshot(label: "second")
        }
        for round in 6...9 { try write(session, round) }
        usages.append(try session.spaceUsage())
        try observer?.callbackReturns()
        first?.end()
        usages.append(try session.spaceUsage())
        if let observer {
          #expect(try labels(session) == [label])
          #expect(try observer.deliver() == .called)
          try observer.callbackReturns()
          #expect(try observer.deliver() == .nothingNew)
          observer.end()
          #expect(try labels(session) == [])
        }
        second?.end()
        usages.append(try session.spaceUsage())
        return usages
      }
    }
    #expect(try usages(observing: true) == usages(observing: false))
  }

  @Test("an observer is not called for another table, and moves all the same")
  func otherTable() throws {
    try Self.objects.withSession(tables: ["rows", "others"]) { session, _ in
      try fill(session)
      let observer = try objects(session).observe(1, label: "screen")
      try write(session, 1)
      #expect(try session.spaceUsage().pinned != .zero)
      #expect(try observer.deliver() == .moved)
      #expect(try session.spaceUsage().pinned == .zero)
      observer.end()
    }
  }

  @Test("over other engines every way is a snapshot of that name, and there are no observers")
  func others() throws {
    for engine in EngineUnderTest.all where engine.engine.id != "native-objects" {
      try engine.withSession { session, _ in
        try fill(session)
        #expect(session.capability((any InstanceHolding).self) == nil)
        let holds = session.capability((any VersionHolding).self)
        for way in [Holding.live, .frozen, .actor, .block(of: .main)] {
          let held =
            try holds?.hold(way, label: "reader") ?? session.beginSnapshot(label: "reader")
          #expect(held.pinLabel == nil)
          if let pins = try session.capability((any PinInspecting).self)?.pins() {
            #expect(pins.map(\.label) == ["reader"])
          }
          held.end()
        }
      }
    }
  }
}
