// What a soak does so that its memory can be judged: moments without a reader, and the mapped file resident in memory.
import EngineInterface
import Glibc
import SQLiteEngine
import SystemIO
import TestSupport
import Testing

@testable import SoakModel

@Suite("The lulls of a soak")
struct SoakLullTests {
  @Test("a lull is the first two seconds of each minute of the clock, in every process")
  func moments() throws {
    let lull = try #require(Lull(everySeconds: 60))
    let second: UInt64 = 1_000_000_000
    #expect(lull.end(at: 600 * second) == 602 * second)
    #expect(lull.end(at: 602 * second - 1) == 602 * second)
    #expect(lull.end(at: 602 * second) == nil)
    #expect(lull.end(at: 660 * second - 1) == nil)
    #expect(Lull(everySeconds: 0) == nil)
  }

  @Test("in a lull SQLite's log is emptied, unless a snapshot is still open")
  func log() throws {
    try withTemporaryFolder { folder in
      let seed = testSeed()
      let log = folder.appending("data.sqlite-wal")
      var resting = try SoakWorker(engineID: "sqlite", folder: folder, seed: seed, worker: 0)
      let other = try SoakEngine.open(SQLiteEngine(), folder)
      let snapshot = try other.beginSnapshot(label: "held")
      var working = try SoakWorker(engineID: "sqlite", folder: folder, seed: seed, worker: 1)
      try working.run(until: .steps(50), paceMilliseconds: 0)
      let bytes = try FileSystem.size(of: [log]).bytes
      try resting.rest(untilNanoseconds: 0)
      #expect(resting.tally.checkpoints == 0, "SEED=\(seed)")
      #expect(bytes > 0)
      #expect(try FileSystem.size(of: [log]).bytes == bytes, "SEED=\(seed)")
      snapshot.end()
      try resting.rest(untilNanoseconds: 0)
      #expect(resting.tally.checkpoints == 1, "SEED=\(seed)")
      #expect(try FileSystem.size(of: [log]).bytes == 0, "SEED=\(seed)")
      try other.close()
    }
  }

  @Test("an engine without a log rests without emptying one")
  func without() throws {
    try withTemporaryFolder { folder in
      var worker = try SoakWorker(engineID: "native", folder: folder, seed: 1, worker: 0)
      try worker.rest(untilNanoseconds: 0)
      #expect(worker.tally.checkpoints == 0)
    }
  }

  @Test("what a worker did can be read from the line that it prints")
  func line() throws {
    try withTemporaryFolder { folder in
      var worker = try SoakWorker(engineID: "sqlite", folder: folder, seed: 1, worker: 0)
      try worker.rest(untilNanoseconds: 0)
      try worker.run(until: .steps(30), paceMilliseconds: 0)
      let read = try #require(SoakWorker.Tally(worker.tally.line))
      #expect(read == worker.tally)
      #expect(read.commits > 0 && read.checkpoints == 1)
    }
  }
}

@Suite("The pages of a mapped file")
struct MappedPagesTests {
  @Test("all pages of a mapped file are in memory as far as the file goes, however much is mapped")
  func resident() throws {
    try withTemporaryFolder { folder in
      let length = 4 << 20
      let file = folder.appending("mapped")
      try FileSystem.write(text: String(repeating: "x", count: length), to: file)
      let descriptor = Glibc.open(file.string, O_RDONLY)
      try #require(descriptor >= 0)
      defer { Glibc.close(descriptor) }
      let address = try #require(
        mmap(nil, 2 * length, PROT_READ, MAP_SHARED, descriptor, 0).flatMap {
          $0 == MAP_FAILED ? nil : $0
        })
      defer { munmap(address, 2 * length) }
      #expect(try resident(file) == 0)
      MappedPages.makeResident(of: folder)
      #expect(try resident(file) == length)
    }
  }

  /// Bytes of this process's mappings of a file that are in memory.
  private func resident(_ file: FilePath) throws -> Int {
    var isOurs = false
    var bytes = 0
    for line in try FileSystem.readText("/proc/self/smaps").split(separator: "\n") {
      if line.contains("-"), line.contains(" r") { isOurs = line.hasSuffix(file.string) }
      guard isOurs, line.hasPrefix("Rss:") else { continue }
      bytes +=
        line.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 } ?? 0
    }
    return bytes
  }
}
