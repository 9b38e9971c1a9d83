// What encryption costs: the same work on a plain file and on an encrypted one, in turns within one process, as ratios.
import ArgumentParser
import CommitFloor
import Foundation
import StorageEngine

@main
struct EncryptionBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "encryption-bench",
    abstract: "The storage engine with a key beside itself without one.")

  @Option(help: "Rows in the table.") var rows = 20_000
  @Option(help: "Bytes of each value.") var value = 256
  @Option(help: "Updates in each commit, at random keys.") var updates = 10
  @Option(help: "Commits of each kind in a round.") var commits = 300
  @Option(help: "Point reads in a round.") var reads = 300_000
  @Option(help: "Rounds; ratios are taken within each.") var rounds = 5
  @Option(help: "Folder for the files, on the file system to be measured.") var folder = "."

  func validate() throws {
    guard rows > 0, value > 0, updates > 0, commits > 0, reads > 0, rounds > 0 else {
      throw ValidationError("Every size is at least 1.")
    }
  }

  /// Seconds of one side's work, by what was done.
  private typealias Times = [String: Double]

  private static let kinds = [
    "load, one durable commit", "commits without sync", "durable commits",
    "all rows, first touch", "random reads, touched before",
  ]
  /// The work of the plain file's commits, and the calls of the encrypted one's.
  private static let least = "durable commits if encryption took no time"
  private static let floor = "writes and syncs of the durable commits alone"

  func run() throws {
    let runFolder = URL(fileURLWithPath: folder).appendingPathComponent(
      "encryption-bench-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: runFolder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: runFolder) }
    var ratios: [String: [Double]] = [:]
    var sizes: (plain: Int, encrypted: Int) = (0, 0)
    for round in 0..<rounds {
      let paths = ["plain", "encrypted"].map {
        runFolder.appendingPathComponent("\($0)-\(round).db").path
      }
      // Each goes first as often as the other.
      var times: [Times] = [[:], [:]]
      for side in round % 2 == 0 ? [0, 1] : [1, 0] {
        (times[side], sizes.plain, sizes.encrypted) = try measure(
          paths[side], isEncrypted: side == 1, sizes)
      }
      for kind in Self.kinds {
        guard let plain = times[0][kind], let encrypted = times[1][kind] else { continue }
        ratios[kind, default: []].append(encrypted / plain)
      }
      if let calls = times[0][Self.floor], let encryptedCalls = times[1][Self.floor],
        let plain = times[0][Self.kinds[2]]
      {
        ratios[Self.floor, default: []].append(encryptedCalls / calls)
        ratios[Self.least, default: []].append((plain - calls + encryptedCalls) / plain)
      }
      for path in paths { try FileManager.default.removeItem(atPath: path) }
    }
    print("\(rows) rows of \(value) B, \(updates) updates per commit, \(rounds) rounds\n")
    print("| | time encrypted ÷ plain, median | least | greatest |\n|---|--:|--:|--:|")
    for kind in Self.kinds + [Self.floor, Self.least] {
      let sorted = (ratios[kind] ?? []).sorted()
      guard let least = sorted.first, let greatest = sorted.last else { continue }
      let numbers = [sorted[sorted.count / 2], least, greatest].map {
        String(format: "%.2f", $0)
      }
      print("| \(kind) | \(numbers.joined(separator: " | ")) |")
    }
    print("\nbytes of the file after the load: \(sizes.plain) plain, \(sizes.encrypted) encrypted")
  }

  private func measure(
    _ path: String, isEncrypted: Bool, _ sizes: (plain: Int, encrypted: Int)
  ) throws -> (Times, Int, Int) {
    // The plain file has the defaults: what a program has that gives no key.
    var options = DatabaseOptions()
    if isEncrypted { options.encryptionKey = EncryptionKey((0..<64).map { UInt8($0) }) }
    var random = SystemRandomNumberGenerator()
    let bytes = (0..<value).map { _ in UInt8.random(in: 0...255, using: &random) }
    var times: Times = [:]
    var sizes = sizes
    func time(_ kind: String, _ body: () throws -> Void) rethrows {
      let start = DispatchTime.now().uptimeNanoseconds
      try body()
      times[kind] = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
    }
    func update(_ database: Database) throws {
      let transaction = try database.beginWrite()
      let table = try transaction.table("rows")
      for _ in 0..<updates {
        let key = Int64.random(in: 0..<Int64(rows), using: &random)
        try bytes.withUnsafeBytes { try transaction.put(table, key, $0) }
      }
      try transaction.commit()
    }
    var database = try Database.open(path: .init(path), options: options)
    try time(Self.kinds[0]) {
      let transaction = try database.beginWrite()
      let table = try transaction.table("rows")
      for key in 0..<rows {
        try bytes.withUnsafeBytes { try transaction.put(table, Int64(key), $0) }
      }
      try transaction.commit()
    }
    if isEncrypted {
      sizes.encrypted = database.usage().file
    } else {
      sizes.plain = database.usage().file
    }
    try database.close()
    options.durability = .none
    database = try Database.open(path: .init(path), options: options)
    try time(Self.kinds[1]) { for _ in 0..<commits { try update(database) } }
    try database.close()
    options.durability = .full
    database = try Database.open(path: .init(path), options: options)
    let floor = CommitFloor()
    let (_, calls) = try floor.record {
      try time(Self.kinds[2]) { for _ in 0..<commits { try update(database) } }
    }
    if !calls.isEmpty { times[Self.floor] = try floor.replay(calls) }
    try database.close()
    database = try Database.open(path: .init(path), options: options)
    let snapshot = try database.beginSnapshot()
    guard let table = snapshot.table("rows") else { throw ValidationError("The table is gone.") }
    var sum = 0
    try time(Self.kinds[3]) { _ = try snapshot.scan(table) { sum &+= Int($1[0]) } }
    try time(Self.kinds[4]) {
      for _ in 0..<reads {
        let key = Int64.random(in: 0..<Int64(rows), using: &random)
        _ = try snapshot.get(table, key) { sum &+= Int($0[0]) }
      }
    }
    snapshot.end()
    try database.close()
    guard sum != 0 else { throw ValidationError("Nothing was read.") }
    return (times, sizes.plain, sizes.encrypted)
  }
}
