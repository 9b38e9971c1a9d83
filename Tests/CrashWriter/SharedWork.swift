// The work of a process that shares the database with others. The contents of every transaction follow from its number,
// which is read within the transaction, so the same rows must result whichever process commits.
import StorageEngine
import SystemIO
import TestSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// `crash-writer <file> <seed> hold <label> | write | turns <n> | die <operation> | soak <operations> <threads> [seconds <n>]`
struct SharedWork {
  let path: FilePath
  let series: NumberedCommits
  let say: (String) -> Void

  /// Returns false if the command is none of these.
  func run(_ arguments: [String]) throws -> Bool {
    guard let command = arguments.first else { return false }
    let word = arguments.count > 1 ? arguments[1] : ""
    switch command {
    case "hold": try hold(label: word)
    case "write": try holdTransaction()
    case "turns": try takeTurns(Int(word) ?? 1)
    case "die": try die(before: Int(word) ?? 0)
    case "soak":
      let threads = arguments.count > 2 ? Int(arguments[2]) ?? 1 : 1
      let index = arguments.firstIndex(of: "seconds").map { $0 + 1 }
      let seconds = index.flatMap { Int(arguments[$0]) }
      try Soak(path: path, series: series).run(
        operations: Int(word) ?? 100, threads: threads, seconds: seconds)
    default: return false
    }
    return true
  }

  /// Blocks SIGUSR1, for which the work waits.
  private func blockSignal() -> sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGUSR1)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    return signals
  }

  /// Begins the next transaction, and commits it at SIGUSR1.
  private func holdTransaction() throws {
    var signals = blockSignal()
    let database = try Database.open(path: path)
    let number = try database.commitNext(series) {
      say("holding")
      var signal: Int32 = 0
      sigwait(&signals, &signal)
    }
    say(String(number))
    try database.close()
  }

  /// Holds a snapshot until SIGUSR1, then checks that it still sees the same.
  private func hold(label: String) throws {
    var signals = blockSignal()
    let database = try Database.open(path: path)
    let snapshot = try database.beginSnapshot(label: label)
    let before = try snapshot.rows()
    say("holding \(snapshot.version)")
    var number: Int32 = 0
    sigwait(&signals, &number)
    guard try snapshot.rows() == before else {
      say("changed")
      exit(3)
    }
    snapshot.end()
    try database.close()
    say("ended")
  }

  private func takeTurns(_ commits: Int) throws {
    let database = try Database.open(path: path)
    for _ in 0..<commits { say(String(try database.commitNext(series))) }
    try database.close()
  }

  /// Commits once, and dies before that operation on the file, if the commit has that many.
  private func die(before operation: Int) throws {
    let volume = DyingVolume()
    let database = try Database.open(path: path, on: volume)
    volume.fuse.arm(operation)
    _ = try database.commitNext(series)
    volume.fuse.disarm()
    say("survived")
    try database.close()
  }
}

extension Database {
  /// Commits the transaction that follows the newest one, after `beforeCommit`. Returns its number.
  func commitNext(_ series: NumberedCommits, beforeCommit: () -> Void = {}) throws -> Int {
    let transaction = try beginWrite()
    do {
      let table = try transaction.table("rows")
      var digits = ""
      _ = try transaction.get(table, NumberedCommits.counterKey) {
        digits = String(decoding: $0, as: UTF8.self)
      }
      let number = (Int(digits) ?? 0) + 1
      for change in series.changes(of: number) {
        if let value = change.value {
          try value.withUnsafeBytes { try transaction.put(table, change.key, $0) }
        } else {
          _ = try transaction.delete(table, change.key)
        }
      }
      beforeCommit()
      try transaction.commit()
      return number
    } catch {
      transaction.rollBack()
      throw error
    }
  }
}

extension Snapshot {
  func rows() throws -> RowModel {
    guard let table = table("rows") else { return [:] }
    var rows: RowModel = [:]
    _ = try scan(table) { rows[$0] = Array($1) }
    return rows
  }

  /// Returns the number of the snapshot's own transaction if its rows are right; 0 if there is none yet.
  func check(_ series: NumberedCommits) throws -> Int {
    guard let table = table("rows") else { return 0 }
    func value(_ key: Int64) throws -> [UInt8]? {
      var found: [UInt8]?
      _ = try get(table, key) { found = Array($0) }
      return found
    }
    guard let digits = try value(NumberedCommits.counterKey),
      let number = Int(String(decoding: digits, as: UTF8.self))
    else { return 0 }
    let wanted = RowModel().applying(series.changes(of: number))
    for change in series.changes(of: number) where try value(change.key) != wanted[change.key] {
      throw SharedWorkError(
        text: "version \(version): row \(change.key) is not of number \(number)")
    }
    return number
  }
}

struct SharedWorkError: Error, CustomStringConvertible {
  let text: String
  var description: String { text }
}
