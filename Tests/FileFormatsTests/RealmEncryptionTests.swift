import FileFormats
import SystemIO
import TestSupport
import Testing

/// Realm files that a program in C encrypted, beside what they were before.
private struct EncryptedFiles {
  static let key = RealmKey((0..<64).map { $0 })!

  var plain: [[UInt8]] = []
  var encrypted: [[UInt8]] = []

  init(_ count: Int, in folder: FilePath) throws {
    for index in 0..<count {
      var builder = RealmFileBuilder(seed: testSeed() &* 100 &+ UInt64(index))
      _ = builder.build(isStreaming: index % 5 == 4)
      // Realm Core gives an encrypted file whole pages, of which the last may have bytes that belong to nothing.
      var bytes = builder.bytes
      if index % 5 != 4 { bytes += [UInt8](repeating: 0, count: -bytes.count & 4095) }
      if index == 3 { bytes += [UInt8](repeating: 0, count: 70 * 4096) }
      // A streaming form has its footer at the end of the data: it fills the last page.
      guard bytes.count % 4096 == 0 else { continue }
      plain.append(bytes)
      try FileSystem.write(bytes, to: folder.appending("\(plain.count - 1).plain"))
    }
    _ = try CProgram.run(
      "encrypt_realm", flags: "-lcrypto", in: folder, "\(plain.count) \(testSeed() % 1000)")
    for index in plain.indices {
      encrypted.append(try FileSystem.read(folder.appending("\(index).db"), atMost: 1 << 26))
    }
  }

  static func report(_ bytes: [UInt8], _ key: RealmKey = key) throws(FileFormatError) -> FileReport
  {
    try DatabaseFileReader.report(
      ofEncryptedRealm: SourceFamily(memory: MemorySource(bytes)), key)
  }
}

@Suite(
  "Encrypted Realm files are read with their key",
  .enabled(if: CProgram.hasCompiler(), "there is no C compiler"))
struct RealmEncryptionTests {
  private func error(_ body: () throws(FileFormatError) -> FileReport) -> FileFormatError? {
    do throws(FileFormatError) { _ = try body() } catch { return error }
    return nil
  }

  @Test("the report is that of the plain file, also where the write of a page was interrupted")
  func figures() throws {
    try withTemporaryFolder { folder in
      let files = try EncryptedFiles(60, in: folder)
      #expect(files.plain.count >= 40)
      #expect(files.plain.contains { $0.count > 64 * 4096 }, "one has two groups of entries")
      for (plain, encrypted) in zip(files.plain, files.encrypted) {
        let expected = try DatabaseFileReader.report(
          of: SourceFamily(memory: MemorySource(plain)))
        let report = try EncryptedFiles.report(encrypted)
        #expect(report.isEncrypted && !expected.isEncrypted)
        #expect(report.space == expected.space)
        #expect(report.trees == expected.trees)
        #expect(report.versions == expected.versions)
        #expect(report.grid == expected.grid)
        #expect(report.problems == expected.problems)
        #expect(report.fileBytes == encrypted.count)
        let entries = (plain.count / 4096 + 63) / 64 * 4096
        #expect(report.fact("encryptionBytes") == .bytes(entries))
      }
    }
  }

  @Test("under another key the error names the key, and a plain file is no encrypted one")
  func wrongKey() throws {
    try withTemporaryFolder { folder in
      let files = try EncryptedFiles(2, in: folder)
      for changed in [0, 31, 32, 63] {
        var bytes = (0..<64).map { UInt8($0) }
        bytes[changed] ^= 1
        let key = try #require(RealmKey(bytes))
        let error = error { () throws(FileFormatError) in
          try EncryptedFiles.report(files.encrypted[0], key)
        }
        // The first half decrypts, the second authenticates.
        if changed < 32 {
          guard case .unrecognized = error else { throw UnexpectedError(error: error) }
        } else {
          guard case .wrongKey = error else { throw UnexpectedError(error: error) }
        }
      }
      let plain = error { () throws(FileFormatError) in
        try EncryptedFiles.report(files.plain[0])
      }
      guard case .wrongKey = plain else { throw UnexpectedError(error: plain) }
      #expect(RealmKey([1, 2, 3]) == nil)
    }
  }

  @Test("a damaged page is reported with its offset, and nothing is read from it")
  func damage() throws {
    try withTemporaryFolder { folder in
      let files = try EncryptedFiles(30, in: folder)
      let index = try #require(
        files.plain.indices.max { files.plain[$0].count < files.plain[$1].count })
      let encrypted = files.encrypted[index]
      let plain = try EncryptedFiles.report(encrypted)
      var found = 0
      for page in stride(from: 1, to: files.plain[index].count / 4096, by: 3) {
        let offset = (page / 64 * 65 + 1 + page % 64) * 4096
        var bytes = encrypted
        bytes[offset + 100] ^= 16
        let report = try EncryptedFiles.report(bytes)
        let names = report.problems.texts.contains { $0.hasPrefix("the page at \(offset) of") }
        // A page without headers of arrays is not looked at.
        #expect(names || report == plain, "page \(page)")
        if names { found += 1 }
        for part in report.space.parts { #expect((part.measure.bounds?.lowerBound ?? 0) >= 0) }
      }
      #expect(found > 0)
      var bytes = encrypted
      bytes[4096 + 7] ^= 1
      let first = error { () throws(FileFormatError) in try EncryptedFiles.report(bytes) }
      guard case .damaged = first else { throw UnexpectedError(error: first) }
    }
  }

  @Test("3,000 damaged encrypted files: never a crash, a hang or an empty error")
  func flips() throws {
    try withTemporaryFolder { folder in
      let files = try EncryptedFiles(12, in: folder)
      var random = SeededRandom(seed: testSeed(26))
      for trial in 0..<3000 {
        var bytes = files.encrypted[trial % files.encrypted.count]
        for _ in 0...random.below(3) {
          // Entries are damaged as often as pages.
          let area = random.oneIn(2) ? 4096 : bytes.count
          bytes[random.below(area)] = UInt8(truncatingIfNeeded: random.next())
        }
        if random.oneIn(4) { bytes.removeLast(random.below(bytes.count + 1)) }
        do throws(FileFormatError) {
          let report = try EncryptedFiles.report(bytes)
          #expect(report.problems.texts.count <= ProblemList.maxTexts)
        } catch { #expect(!"\(error)".isEmpty) }
      }
    }
  }

  @Test("pages that were never written, and space that was cut off and given back, are zeros")
  func unwritten() throws {
    try withTemporaryFolder { folder in
      let files = try EncryptedFiles(1, in: folder)
      let before = try EncryptedFiles.report(files.encrypted[0])
      let longer = files.encrypted[0] + [UInt8](repeating: 0, count: 8 * 4096)
      let report = try EncryptedFiles.report(longer)
      #expect(report.space.live == before.space.live)
      #expect(report.space.tail == before.space.tail + 8 * 4096)
      #expect(report.problems == before.problems)
    }
  }
}

private struct UnexpectedError: Error {
  let error: FileFormatError?
}
