// What one process of a soak does, or one thread of it: it commits, reads, holds versions for a while and reads them again, and
// closes and reopens the database. It stops at the first error. Between two steps it sleeps, so that many processes soak for
// hours beside other work; this synchronizes nothing. Every minute all processes release their versions for a moment.
import EngineInterface
package import SystemIO
import TestSupport

package struct SoakWorker {
  private let engine: any Engine
  private let folder: FilePath
  private let series: NumberedCommits
  /// Whether this worker empties the log, as one of them does where there is a log.
  private let emptiesLog: Bool
  private var random: SeededRandom
  private var session: any EngineSession
  private var held: [Held] = []
  /// What has been done.
  package private(set) var tally = Tally()

  package struct Tally: Sendable, Equatable {
    package var commits = 0
    package var reads = 0
    package var openings = 0
    /// Steps refused because another process held the lock (`busy`).
    package var refusals = 0
    /// How often the log was emptied, by an engine that has one.
    package var checkpoints = 0

    package init() {}

    /// `commits 3 reads 5 …`, which `init(_:)` reads.
    package var line: String {
      "commits \(commits) reads \(reads) openings \(openings) refusals \(refusals) checkpoints \(checkpoints)"
    }

    package init?(_ line: some StringProtocol) {
      let words = line.split(separator: " ")
      guard words.count == 10, words[0] == "commits", let commits = Int(words[1]),
        let reads = Int(words[3]), let openings = Int(words[5]), let refusals = Int(words[7]),
        let checkpoints = Int(words[9])
      else { return nil }
      (self.commits, self.reads, self.openings) = (commits, reads, openings)
      (self.refusals, self.checkpoints) = (refusals, checkpoints)
    }

    package static func += (sum: inout Tally, tally: Tally) {
      sum.commits += tally.commits
      sum.reads += tally.reads
      sum.openings += tally.openings
      sum.refusals += tally.refusals
      sum.checkpoints += tally.checkpoints
    }
  }

  /// A version that is held, with what was seen in it.
  private struct Held {
    var snapshot: any EngineSnapshot
    var number: Int
    var digest: UInt64
  }

  /// The most versions that one process holds at once.
  private static let maxHeld = 3

  package init(engineID: String, folder: FilePath, seed: UInt64, worker: Int) throws {
    engine = try SoakEngine.named(engineID)
    self.folder = folder
    emptiesLog = worker == 0 && engine.capabilities.log.isSupported
    series = NumberedCommits(seed: seed)
    random = SeededRandom(seed: seed &* 1000 &+ UInt64(worker))
    session = try Self.open(engine, folder, &tally)
  }

  /// When a run ends: after so many steps, or seconds.
  package enum End: Sendable {
    case steps(Int)
    case seconds(Int)
  }

  /// Steps between two times that all pages of the mapped file are fetched.
  private static let stepsBetweenFetches = 10

  /// Works until `end`, then releases all versions and closes.
  package mutating func run(until end: End, paceMilliseconds: Int, lull: Lull? = nil) throws {
    let began = Clock.monotonicNanoseconds()
    var steps = 0
    func isOver() -> Bool {
      switch end {
      case .steps(let most): steps >= most
      case .seconds(let most):
        Clock.monotonicNanoseconds() - began >= UInt64(most) * 1_000_000_000
      }
    }
    while !isOver() {
      if let end = lull?.end(at: Clock.monotonicNanoseconds()) { try rest(untilNanoseconds: end) }
      do {
        try step()
      } catch let error as EngineError where error.code == .busy {
        tally.refusals += 1
      }
      if steps % Self.stepsBetweenFetches == 0 { MappedPages.makeResident(of: folder) }
      steps += 1
      if paceMilliseconds > 0 {
        Clock.sleep(
          untilNanoseconds: Clock.monotonicNanoseconds() + UInt64(paceMilliseconds) * 1_000_000)
      }
    }
    endHeld()
    try session.close()
  }

  /// Releases all versions, and reads none until `end`.
  package mutating func rest(untilNanoseconds end: UInt64) throws {
    endHeld()
    if emptiesLog { try emptyLog(untilNanoseconds: end) }
    Clock.sleep(untilNanoseconds: end)
  }

  /// Repeats the checkpoint until no reader or writer blocks it.
  private mutating func emptyLog(untilNanoseconds end: UInt64) throws {
    while try session.require((any Checkpointing).self, for: "a checkpoint").checkpoint(.truncate)
      .isBusy
    {
      let now = Clock.monotonicNanoseconds()
      if now >= end { return }
      Clock.sleep(untilNanoseconds: now + 10_000_000)
    }
    tally.checkpoints += 1
  }

  private mutating func step() throws {
    switch random.below(100) {
    case 0..<45:
      try session.commitNext(series)
      tally.commits += 1
      // Undrained events would accumulate.
      _ = session.drainEvents()
    case 45..<50: try rollBack()
    case 50..<60: try hold()
    case 60..<80: try lookAgain()
    case 80..<84: try count()
    case 84: try reopen()
    default:
      let snapshot = try session.beginSnapshot(label: "look")
      defer { snapshot.end() }
      _ = try snapshot.check(series)
      tally.reads += 1
    }
  }

  private func rollBack() throws {
    let transaction = try session.beginWrite()
    defer { transaction.rollBack() }
    let nonsense = [UInt8](repeating: 7, count: 5000)
    try nonsense.withUnsafeBytes { try transaction.put(0, 5, $0) }
  }

  private mutating func hold() throws {
    if held.count == Self.maxHeld {
      held.remove(at: random.below(held.count)).snapshot.end()
    }
    let snapshot = try session.beginSnapshot(label: "held")
    do {
      held.append(
        Held(
          snapshot: snapshot, number: try snapshot.check(series), digest: try snapshot.digest()))
    } catch {
      snapshot.end()
      throw error
    }
  }

  private mutating func lookAgain() throws {
    guard !held.isEmpty else { return }
    let index = random.below(held.count)
    let seen = held[index]
    tally.reads += 1
    guard try seen.snapshot.check(series) == seen.number,
      try seen.snapshot.digest() == seen.digest
    else { throw SoakError("version \(seen.number) changed under a snapshot") }
    guard random.oneIn(3) else { return }
    try seen.snapshot.refresh()
    let number = try seen.snapshot.check(series)
    guard number >= seen.number else {
      throw SoakError("from commit \(seen.number) back to \(number)")
    }
    held[index].number = number
    held[index].digest = try seen.snapshot.digest()
  }

  private func count() throws {
    let space = try session.spaceUsage()
    guard space.file.bytes > 0 else { throw SoakError("the file is empty: \(space)") }
    _ = try session.capability((any PinInspecting).self)?.pins()
    _ = try session.capability((any VersionCounting).self)?.liveVersions()
  }

  private mutating func reopen() throws {
    endHeld()
    try session.close()
    session = try Self.open(engine, folder, &tally)
    MappedPages.makeResident(of: folder)
  }

  private mutating func endHeld() {
    for version in held { version.snapshot.end() }
    held = []
  }

  /// Opens the database, and retries while another process is opening or closing it.
  private static func open(
    _ engine: any Engine, _ folder: FilePath, _ tally: inout Tally
  ) throws -> any EngineSession {
    for _ in 0..<1000 {
      do {
        let session = try SoakEngine.open(engine, folder)
        tally.openings += 1
        return session
      } catch {
        guard error.code == .busy else { throw error }
        tally.refusals += 1
        Clock.sleep(untilNanoseconds: Clock.monotonicNanoseconds() + 10_000_000)
      }
    }
    throw SoakError("the database could not be opened: a thousand times it was busy")
  }
}
