// Random readers and writers on many threads, beside those of other processes: each checks what it reads, and stops the
// process at the first violation.
import StorageEngine
import SystemIO
import TestSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

struct Soak: Sendable {
  let path: FilePath
  let series: NumberedCommits

  /// Each thread executes that many operations, or runs for that many seconds if given.
  func run(operations: Int, threads: Int, seconds: Int?) throws {
    let seed = UInt64(getpid())
    // One process in two syncs its commits.
    let options = DatabaseOptions(durability: seed % 2 == 0 ? .full : .none)
    let database = try Database.open(path: path, options: options)
    let end = seconds.map { Clock.monotonicNanoseconds() + UInt64($0) * 1_000_000_000 }
    let workers = try (0..<threads).map { index in
      try SystemThread.start(name: "soak \(index)") {
        var worker = Worker(
          soak: self, database: database, options: options,
          random: SeededRandom(seed: seed &* 1000 &+ UInt64(index)))
        do {
          var done = 0
          while end.map({ Clock.monotonicNanoseconds() < $0 }) ?? (done < operations) {
            try worker.step()
            done += 1
          }
          worker.held.removeAll()
        } catch {
          Terminal.write("wrong (seed \(seed), thread \(index)): \(error)\n", to: .output)
          exit(3)
        }
      }
    }
    for worker in workers { worker.join() }
    try database.close()
  }
}

private struct Worker {
  let soak: Soak
  let database: Database
  let options: DatabaseOptions
  var random: SeededRandom
  var held: [(snapshot: Snapshot, number: Int)] = []

  mutating func step() throws {
    switch random.below(20) {
    case 0..<5: _ = try database.commitNext(soak.series)
    case 5: try rollBack()
    case 6..<9: try keep()
    case 9..<12: try lookAgain()
    case 12: try visit()
    case 13: try count()
    default:
      let snapshot = try database.beginSnapshot(label: "look")
      _ = try snapshot.check(soak.series)
    }
  }

  private func rollBack() throws {
    let transaction = try database.beginWrite()
    try transaction.put(
      try transaction.table("rows"), 5, UnsafeRawBufferPointer(start: nil, count: 0))
    transaction.rollBack()
  }

  private mutating func keep() throws {
    if held.count > 2 { held.remove(at: random.below(held.count)) }
    let snapshot = try database.beginSnapshot(label: "kept")
    held.append((snapshot, try snapshot.check(soak.series)))
  }

  private mutating func lookAgain() throws {
    guard !held.isEmpty else { return }
    let index = random.below(held.count)
    let (snapshot, number) = held[index]
    guard try snapshot.check(soak.series) == number else {
      throw SharedWorkError(text: "version \(snapshot.version) changed under a snapshot")
    }
    guard random.oneIn(3) else { return }
    try snapshot.refresh()
    let next = try snapshot.check(soak.series)
    guard next >= number else {
      throw SharedWorkError(text: "from number \(number) back to \(next)")
    }
    held[index].number = next
  }

  /// Another session, which may be the first or the last, and requests a compaction that others may prevent.
  private func visit() throws {
    let visitor = try Database.open(
      path: soak.path, options: options, compactOnLaunch: { _ in true })
    let snapshot = try visitor.beginSnapshot(label: "visitor")
    _ = try snapshot.check(soak.series)
    snapshot.end()
    try visitor.close()
  }

  private func count() throws {
    let account = database.usage()
    let parts = account.live + account.free + account.pinned + account.pending + account.overhead
    guard parts == account.file else { throw SharedWorkError(text: "SPACE-1: \(account)") }
    _ = database.oldestPins()
  }
}
