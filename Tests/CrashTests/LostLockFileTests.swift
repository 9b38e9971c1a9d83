// The lock file is removed while processes have the database open: another process must then not be able to open it.
import StorageEngine
import SystemIO
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite("Lost lock files")
struct LostLockFileTests {
  private let seed = testSeed()
  private var series: NumberedCommits { NumberedCommits(seed: seed) }

  private func commit(_ path: FilePath, upTo last: Int) throws {
    let database = try Database.open(path: path)
    for number in 1...last { try database.apply(series.changes(of: number)) }
    try database.close()
  }

  /// Opens the file, and compares it with what `number` commits make and with the walk.
  private func verify(_ path: FilePath, _ number: Int) throws {
    let database = try Database.open(path: path)
    let rows = try database.rows()
    let model = (0..<number).reduce(into: RowModel()) {
      $0 = $0.applying(series.changes(of: $1 + 1))
    }
    let isEqual = rows == model
    #expect(isEqual, "SEED=\(seed)")
    #expect(try database.audit().violations == [], "SEED=\(seed)")
    try database.close()
    #expect(try FileSystem.list(path.removingLastComponent()) == ["shared.db"])
  }

  @Test(
    "without the lock file an opening is refused while another process has the database open")
  func refused() async throws {
    try await withTemporaryFolder { folder in
      let path = folder.appending("shared.db")
      try commit(path, upTo: 5)
      let helper = WriterProcess(file: path, seed: seed)
      let outcome = try await helper.runHolding(label: "there") { process in
        try FileSystem.removeFile(FilePath(path.string + ".lock"))
        for _ in 0..<2 {
          let error = #expect(throws: StorageError.self) { try Database.open(path: path) }
          #expect(error?.code == .busy && error?.message.contains("lock file") == true)
          #expect(try FileSystem.list(folder) == ["shared.db"])
        }
        kill(process, SIGKILL)
      }
      #expect(outcome.ending == .signalled(SIGKILL))
      try verify(path, 5)
    }
  }

  @Test(
    "without the lock file its writer and other processes are refused, until the writer has closed"
  )
  func writer() async throws {
    try await withTemporaryFolder { folder in
      let path = folder.appending("shared.db")
      try commit(path, upTo: 5)
      let helper = WriterProcess(file: path, seed: seed)
      let database = try Database.open(path: path)
      try database.apply(series.changes(of: 6))
      try FileSystem.removeFile(FilePath(path.string + ".lock"))
      let outcome = try await helper.run(["turns", "1"])
      #expect(outcome.ending == .exited(1))
      #expect(outcome.outputText.contains("lock file"), "\(outcome.outputText)")
      let error = #expect(throws: StorageError.self) { try database.beginWrite() }
      #expect(error?.code == .displaced)
      #expect(NumberedCommits.number(in: try database.rows()) == 6)
      try database.close()
      let again = try await helper.run(["turns", "1"])
      #expect(again.ending.isSuccess, "\(again.outputText)")
      try verify(path, 7)
    }
  }

  @Test(
    "however often the lock file of three writing processes is removed, no commit is lost or made twice"
  )
  func storm() async throws {
    try await withTemporaryFolder { folder in
      let path = folder.appending("shared.db")
      let lock = FilePath(path.string + ".lock")
      let words = [path.string, String(seed), "turns", "12"]
      let (said, refusals) = try await withThrowingTaskGroup(of: ([Int], Int).self) { group in
        for _ in 0..<3 {
          group.addTask {
            var (said, refusals): ([Int], Int) = ([], 0)
            for _ in 0..<8 {
              let child = ChildProcess(try WriterProcess.executable(), arguments: words)
              // It has committed; next it, or another process, finds the lock file missing.
              let text = HeardText()
              let outcome = try await child.run(onOutput: {
                text.add($0)
                try? FileSystem.removeFile(lock)
              })
              let lines = text.text.split(separator: "\n")
              said += lines.compactMap { Int($0) }
              guard !outcome.ending.isSuccess else { continue }
              refusals += 1
              #expect(
                lines.last?.contains("lock") == true, "SEED=\(seed): \(text.text)")
            }
            return (said, refusals)
          }
        }
        return try await group.reduce(into: ([], 0)) { $0 = ($0.0 + $1.0, $0.1 + $1.1) }
      }
      print(
        "lost lock files: \(said.count) commits, \(refusals) of 24 processes refused, seed \(seed)")
      #expect(refusals > 0, "SEED=\(seed)")
      #expect(said.sorted() == Array(1...max(1, said.count)), "SEED=\(seed)")
      try verify(path, said.count)
    }
  }
}

/// The output of a process so far.
private final class HeardText: @unchecked Sendable {
  private let mutex = ThreadMutex()
  private var bytes: [UInt8] = []

  func add(_ more: [UInt8]) { mutex.withLock { bytes += more } }

  var text: String { mutex.withLock { String(decoding: bytes, as: UTF8.self) } }
}
