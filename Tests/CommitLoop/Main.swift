// Some hundred commits on the storage engine and nothing beside: what a comparison of a program with itself is made of
// where many are wanted. It starts in a few milliseconds, since it takes no library but the engine's.
//
//     commit-loop COMMITS [SECONDS PER_SECOND ROWS]
//
// With SECONDS it ends after so long, too, commits PER_SECOND times a second (0: at full speed) to ROWS rows, and prints the
// number of commits: a program that runs while others look at its file.
import StorageEngine

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@main
struct CommitLoop {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst().map { Int($0) ?? 0 }
    let commits = arguments.first ?? 500
    let isTimed = arguments.count > 1
    let rate = arguments.count > 2 ? arguments[2] : 0
    let rows = Int64(arguments.count > 3 ? arguments[3] : 1000)
    let database = try Database.open(
      path: "loop.native", options: DatabaseOptions(durability: .none))
    let value = [UInt8](repeating: 7, count: 100)
    var key: Int64 = 0
    let clock = ContinuousClock()
    let start = clock.now
    var done = 0
    while done < commits {
      if isTimed, clock.now - start >= .seconds(arguments[1]) { break }
      if rate > 0 { try sleep(until: start + .seconds(1) * (Double(done) / Double(rate)), clock) }
      let transaction = try database.beginWrite()
      let table = try transaction.table("rows")
      for _ in 0..<10 {
        // A step without a common factor with the number of rows goes through all of them, far apart.
        key = (key + 617) % rows
        try value.withUnsafeBytes { try transaction.put(table, key, $0) }
      }
      try transaction.commit()
      done += 1
    }
    if isTimed { print(done) }
    try database.close()
  }

  private static func sleep(until instant: ContinuousClock.Instant, _ clock: ContinuousClock) throws
  {
    let left = instant - clock.now
    guard left > .zero else { return }
    let (seconds, attoseconds) = left.components
    var rest = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    nanosleep(&rest, nil)
  }
}
