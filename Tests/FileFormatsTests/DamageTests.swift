import FileFormats
import SystemIO
import TestSupport
import Testing

/// Damages copies of small files, and inspects them: no input may end the process, take long, or make a report large.
struct DamageTrial {
  let main: [UInt8]
  let sides: [String: [UInt8]]

  /// The most bytes that an inspection may read, as a multiple of the files': every page once, headers, and the windows around.
  private static let maxReadFactor = 40

  /// Makes so many damaged copies, and checks the report or the error of each.
  func run(_ count: Int, seed: UInt64) {
    var random = SeededRandom(seed: seed)
    for trial in 0..<count {
      var bytes = main
      var beside = sides
      damage(&bytes, &beside, &random)
      let source = MemorySource(bytes)
      let files = beside.mapValues(MemorySource.init)
      let family = SourceFamily(memory: source, files)
      let note: Comment = "trial \(trial), seed \(seed)"
      do throws(FileFormatError) {
        let report = try DatabaseFileReader.report(of: family)
        check(report, note)
      } catch {
        if case .system(let cause) = error { Issue.record("\(cause), \(note)") }
        if "\(error)".isEmpty { Issue.record(note) }
      }
      let all = bytes.count + beside.values.reduce(0) { $0 + $1.count }
      let read = source.readBytes + files.values.reduce(0) { $0 + $1.readBytes }
      if read > Self.maxReadFactor * max(all, 1 << 20) {
        Issue.record("\(read) bytes were read of \(all), \(note)")
      }
    }
  }

  /// The parts of a report whose bounds are known lie in the file or the log, and nothing is negative.
  private func check(_ report: FileReport, _ note: Comment) {
    for (name, part) in report.space.parts {
      guard let bounds = part.bounds else { continue }
      if bounds.lowerBound < 0 { Issue.record("\(name) is \(part), \(note)") }
    }
    if report.trees.list.count > LargestTrees.maxCount { Issue.record(note) }
    if report.problems.texts.count > ProblemList.maxTexts { Issue.record(note) }
  }

  private func damage(
    _ main: inout [UInt8], _ sides: inout [String: [UInt8]], _ random: inout SeededRandom
  ) {
    for _ in 0...random.below(4) {
      let side = sides.keys.sorted()
      if !side.isEmpty, random.oneIn(3) {
        let name = side[random.below(side.count)]
        flip(&sides[name]!, &random)
      } else {
        flip(&main, &random)
      }
    }
    if random.oneIn(4) { main.removeLast(random.below(main.count + 1)) }
  }

  /// Flips bits, or copies one range over another, as misdirected writes do; half of the time near the beginning.
  private func flip(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
    guard bytes.count > 8 else { return }
    let area = random.oneIn(2) ? min(bytes.count, 512) : bytes.count
    switch random.below(4) {
    case 0:
      bytes[random.below(area)] ^= 1 << UInt8(random.below(8))
    case 1:
      bytes[random.below(area)] = UInt8(truncatingIfNeeded: random.next())
    case 2:
      let count = min(bytes.count, 1 << random.below(13))
      let from = random.below(bytes.count - count + 1)
      let to = random.below(bytes.count - count + 1)
      bytes.replaceSubrange(to..<to + count, with: Array(bytes[from..<from + count]))
    default:
      let count = min(8, bytes.count)
      let at = random.below(area - min(area - 1, count) + 1) & ~3
      let value: UInt8 = random.oneIn(2) ? 0xff : 0
      for index in at..<min(bytes.count, at + count) { bytes[index] = value }
    }
  }
}

@Suite("Damaged files are reported, and nothing worse", .timeLimit(.minutes(HangGuard.minutes)))
struct DamageTests {
  /// Small files of different kinds, with the files beside them.
  private func trials(
    _ lines: ReportedLines, in folder: FilePath, sides: [String], maxBytes: Int
  ) throws -> [DamageTrial] {
    try lines.keys.sorted().compactMap { file in
      let path = folder.appending("\(file).db")
      let all = try FileSystem.read(path, atMost: 1 << 26)
      var beside: [String: [UInt8]] = [:]
      for suffix in sides where FileSystem.exists(FilePath(path.string + suffix)) {
        beside[suffix] = try FileSystem.read(FilePath(path.string + suffix), atMost: 1 << 26)
      }
      guard all.count <= maxBytes else { return nil }
      if beside.values.contains(where: { $0.count > maxBytes }) { return nil }
      return DamageTrial(main: all, sides: beside)
    }
  }

  private func damage(
    _ program: String, flags: String, arguments: String = "", sides: [String]
  ) throws {
    try withTemporaryFolder { folder in
      let seed = testSeed(25)
      let lines = try CProgram.run(
        program, flags: flags, in: folder, "64 \(seed % 1000) \(arguments)")
      let trials = try trials(lines, in: folder, sides: sides, maxBytes: 300_000)
      #expect(trials.count >= 10)
      print("damage of \(trials.count) files by \(program): SEED=\(seed)")
      let each = 10_000 / trials.count + 1
      for (index, trial) in trials.enumerated() {
        trial.run(each, seed: seed &+ UInt64(index) << 32)
      }
    }
  }

  @Test(
    "10,000 damaged SQLite databases and logs",
    .enabled(if: CProgram.hasCompiler(), "there is no C compiler"))
  func sqlite() throws {
    try damage("sqlite_files", flags: "-lsqlite3", sides: ["-wal", "-shm"])
  }

  @Test(
    "10,000 damaged LMDB files and reader tables",
    .enabled(if: CProgram.hasCompiler(), "there is no C compiler"))
  func lmdb() throws { try damage("lmdb_files", flags: "-llmdb", sides: ["-lock"]) }

  @Test(
    "10,000 damaged libmdbx files and reader tables",
    .enabled(if: mdbxLibrary != nil && CProgram.hasCompiler(), "there is no libmdbx"))
  func mdbx() throws {
    let headers = Repository.root.pushing("Sources/CMDBX")
    try damage(
      "mdbx_files", flags: "-I'\(headers)' -ldl", arguments: "'\(try #require(mdbxLibrary))'",
      sides: ["-lck"])
  }
}
