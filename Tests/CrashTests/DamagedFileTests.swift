import StorageEngine
import SystemIO
import TestSupport
import Testing

@Suite("Damaged files")
struct DamagedFileTests {
  /// A small file that has seen updates and deletes, with the rows of its last two commits.
  private func smallFile() throws -> (image: [UInt8], last: RowModel, previous: RowModel) {
    var random = SeededRandom(seed: 77)
    let file = FaultyStorageFile()
    let options = DatabaseOptions(growthStep: 4 << 10)
    let database = try Database.open(file: file, options: options)
    var rows: RowModel = [:]
    var previous: RowModel = [:]
    for number in 0..<12 {
      let changes = CrashWorkload.mixed.changes(of: number, on: rows, &random)
      try database.apply(changes)
      previous = rows
      rows = rows.applying(changes)
    }
    try database.close()
    return (file.liveBytes, rows, previous)
  }

  /// The result of opening damaged bytes.
  private enum Outcome: Equatable {
    case last, previous, refused
    case wrong(String)
  }

  private func open(
    _ image: [UInt8], _ verification: DatabaseOptions.Verification, _ last: RowModel,
    _ previous: RowModel
  ) -> Outcome {
    let options = DatabaseOptions(verification: verification, growthStep: 4 << 10)
    do throws(StorageError) {
      let database = try Database.open(file: FaultyStorageFile(image: image), options: options)
      let rows = try database.rows()
      let violations = try database.audit().violations
      try database.close()
      if rows == last { return .last }
      if rows == previous { return .previous }
      return violations.isEmpty ? .wrong("other rows") : .refused
    } catch {
      return .refused
    }
  }

  @Test("a file truncated to any length opens with a complete commit or is refused")
  func cutFiles() throws {
    let (image, last, previous) = try smallFile()
    var refused = 0
    for length in stride(from: 0, to: image.count, by: 61) {
      let cut = Array(image.prefix(length))
      let outcome = open(cut, .newestCommit, last, previous)
      if case .wrong(let what) = outcome, !(length == 0) {
        Issue.record("cut to \(length) of \(image.count) bytes: \(what)")
      }
      if outcome == .refused { refused += 1 }
    }
    #expect(refused > 10)
  }

  @Test(
    "with everything verified, a flipped bit anywhere is harmless, undoes the last commit, or is refused"
  )
  func flippedBits() throws {
    let (image, last, previous) = try smallFile()
    var random = SeededRandom(seed: testSeed())
    var outcomes: [String: Int] = [:]
    for offset in stride(from: 0, to: image.count, by: 3) {
      var flipped = image
      flipped[offset] ^= 1 << UInt8(random.below(8))
      let outcome = open(flipped, .everything, last, previous)
      if case .wrong(let what) = outcome { Issue.record("bit flipped at \(offset): \(what)") }
      outcomes["\(outcome)", default: 0] += 1
    }
    print("flipped bits of a file of \(image.count) bytes: \(outcomes)")
    #expect(outcomes["refused", default: 0] > 0)
  }

  @Test("with only the newest commit verified, no flipped bit ends the process")
  func flippedBitsUnverified() throws {
    let (image, last, previous) = try smallFile()
    var random = SeededRandom(seed: testSeed())
    var opened = 0
    for offset in stride(from: 1, to: image.count, by: 7) {
      var flipped = image
      flipped[offset] ^= 1 << UInt8(random.below(8))
      if open(flipped, .newestCommit, last, previous) == .last { opened += 1 }
    }
    #expect(opened > 0)
  }

  @Test(
    "a file of another format, a folder and a read-only file are refused by name and not changed"
  )
  func otherFiles() throws {
    try withTemporaryFolder { folder in
      let text = folder.appending("letter.txt")
      try FileSystem.write(text: String(repeating: "Dear reader, ", count: 1000), to: text)
      let before = try FileSystem.read(text)
      let foreign = try #require(throws: StorageError.self) { try Database.open(path: text) }
      #expect(foreign.code == .notADatabase)
      #expect(try FileSystem.read(text) == before)

      let inner = folder.appending("folder")
      try FileSystem.makeFolders(inner)
      let refused = try #require(throws: StorageError.self) { try Database.open(path: inner) }
      #expect(refused.description.contains(inner.string))
      #expect(FileSystem.isFolder(inner))

      let missing = folder.appending("no-such-folder").appending("x.db")
      let absent = try #require(throws: StorageError.self) { try Database.open(path: missing) }
      #expect(absent.description.contains("no-such-folder"))
    }
  }
}
