// A process for crash tests to kill: it commits numbered transactions, each durable, and prints each number on standard
// output when its commit has returned. The numbers read are those that must survive.
import StorageEngine
import SystemIO
import TestSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// `crash-writer <file> <seed> [commits <n>] [limit <bytes>] [compacting <every n commits>] [unsynced]`, or a command of
/// `SharedWork`.
@main
enum CrashWriter {
  static func main() {
    let arguments = CommandLine.arguments
    guard arguments.count >= 3, let seed = UInt64(arguments[2]) else {
      say(
        "usage: crash-writer <file> <seed> [commits <n>] [limit <bytes>] [compacting <every n commits>] [unsynced]"
      )
      exit(64)
    }
    do {
      let work = SharedWork(
        path: FilePath(arguments[1]), series: NumberedCommits(seed: seed), say: say)
      if try work.run(Array(arguments.dropFirst(3))) { return }
    } catch {
      say("error \(error)")
      exit(1)
    }
    if let limit = number(after: "limit") { limitFileSize(to: limit) }
    do {
      try write(to: FilePath(arguments[1]), seed, commits: number(after: "commits") ?? .max)
    } catch {
      say("error \(error.code.rawValue)")
      exit(error.code == .outOfSpace ? 0 : 1)
    }
  }

  private static func write(
    to path: FilePath, _ seed: UInt64, commits: Int
  ) throws(StorageError) {
    let isUnsynced = CommandLine.arguments.contains("unsynced")
    let database = try Database.open(
      path: path, options: DatabaseOptions(durability: isUnsynced ? .none : .full))
    let series = NumberedCommits(seed: seed)
    let first = try lastNumber(database) + 1
    do throws(StorageError) {
      let opening = database.syncCount
      for number in first..<(commits == .max ? .max : first + commits) {
        try commit(series.changes(of: number), to: database)
        say(String(number))
        if let every = self.number(after: "compacting"), number % every == 0 {
          _ = try database.compact()
        }
      }
      say("syncs \(database.syncCount - opening)")
    } catch {
      // The disk is full: existing rows must still be readable here.
      say("readable \(try lastNumber(database))")
      try database.close()
      throw error
    }
    try database.close()
  }

  private static func commit(
    _ changes: [RowChange], to database: Database
  ) throws(StorageError) {
    let transaction = try database.beginWrite()
    do throws(StorageError) {
      let table = try transaction.table("rows")
      for change in changes {
        guard let value = change.value else {
          _ = try transaction.delete(table, change.key)
          continue
        }
        let result: Result<Void, StorageError> = value.withUnsafeBytes { bytes in
          Result { () throws(StorageError) in try transaction.put(table, change.key, bytes) }
        }
        try result.get()
      }
    } catch {
      transaction.rollBack()
      throw error
    }
    try transaction.commit()
  }

  private static func lastNumber(_ database: Database) throws(StorageError) -> Int {
    let snapshot = try database.beginSnapshot()
    defer { snapshot.end() }
    guard let table = snapshot.table("rows") else { return 0 }
    var digits = ""
    _ = try snapshot.get(table, NumberedCommits.counterKey) {
      digits = String(decoding: $0, as: UTF8.self)
    }
    return Int(digits) ?? 0
  }

  private static func number(after word: String) -> Int? {
    let arguments = CommandLine.arguments
    guard let index = arguments.firstIndex(of: word), index + 1 < arguments.count else {
      return nil
    }
    return Int(arguments[index + 1])
  }

  /// From now on a write past this length fails with `EFBIG` instead of ending the process.
  private static func limitFileSize(to bytes: Int) {
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
    #if canImport(Glibc)
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    #else
      setrlimit(RLIMIT_FSIZE, &limit)
    #endif
  }

  /// One line, in one call: a pipe never sees half of it.
  private static func say(_ line: String) { Terminal.write(line + "\n", to: .output) }
}
