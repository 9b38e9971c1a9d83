import StorageEngine
import SystemIO
import TestSupport
import Testing

@Suite("Syncs per commit")
struct SyncCountTests {
  @Test("a small durable commit syncs once, a bulk commit twice, a commit without durability never")
  func counted() throws {
    #expect(try syncs(of: 20, valueBytes: 300, DatabaseOptions()) == 20)
    #expect(try syncs(of: 20, valueBytes: 9000, DatabaseOptions(verifiedCommitLimit: 4096)) == 40)
    #expect(try syncs(of: 20, valueBytes: 300, DatabaseOptions(durability: .none)) == 0)
  }

  private func syncs(of commits: Int, valueBytes: Int, _ options: DatabaseOptions) throws -> Int {
    let file = FaultyStorageFile()
    let database = try Database.open(file: file, options: options)
    try database.apply([RowChange(key: 0, value: [0])])
    let before = file.syncCount
    for key in 0..<commits {
      let value = [UInt8](repeating: UInt8(key), count: valueBytes)
      try database.apply([RowChange(key: Int64(key % 7), value: value)])
    }
    let count = file.syncCount - before
    try database.close()
    return count
  }

  /// How the session before the opening ended.
  enum Ending: CaseIterable, Sendable { case closed, closedWithoutSyncs, killed }

  @Test(
    "only the opening of a file that was not closed syncs; the first commit to another syncs bytes and name first",
    arguments: Ending.allCases)
  func openings(_ ending: Ending) throws {
    var volume = FaultyVolume()
    var options = DatabaseOptions()
    if ending == .closedWithoutSyncs { options.durability = .none }
    let database = try Database.open(path: "/rows.db", on: volume, options: options)
    try database.apply([RowChange(key: 1, value: [1])])
    if ending == .killed { volume = volume.afterKill() } else { try database.close() }
    var syncs: [FaultyVolume.Operation] = []
    volume.beforeOperation = { _, operation, _ in
      if operation == .sync || operation == .syncFolder { syncs.append(operation) }
    }
    for opening in 1...2 {
      syncs = []
      let again = try Database.open(path: "/rows.db", on: volume)
      // The first of the two openings that follow a kill closes properly.
      let isDue = ending == .killed && opening == 1
      #expect(syncs == (isDue ? [.sync, .syncFolder] : []), "\(ending), opening \(opening)")
      try again.close()
    }
    syncs = []
    let last = try Database.open(path: "/rows.db", on: volume)
    try last.apply([RowChange(key: 2, value: [2])])
    #expect(syncs == [.sync, .syncFolder, .sync])
    volume.beforeOperation = nil
    let cut = volume.crashStates().volume(unitSize: 512) { _ in false }
    #expect(try Database.open(path: "/rows.db", on: cut).rows() == [1: [1], 2: [2]])
  }

  #if os(Linux)
    @Test(
      "the kernel counts as many syncs as the engine reports, about one for each commit",
      .enabled("strace traces here", Capabilities.canTrace))
    func seenFromOutside() async throws {
      try await withTemporaryFolder { folder in
        let trace = folder.appending("trace")
        let writer = WriterProcess(file: folder.appending("traced.db"), seed: 5)
        // A leak detector does not work in a process that is traced.
        let wrapper = [
          "strace", "-f", "-E", "ASAN_OPTIONS=detect_leaks=0", "-e",
          "trace=fdatasync,fsync,sync_file_range,msync",
        ]
        let outcome = try await writer.run(
          ["commits", "100"], under: wrapper + ["-o", trace.string])
        let text = try FileSystem.readText(trace)
        #expect(outcome.ending.isSuccess && text.contains("exited with"), "\(outcome.errorText)")
        let seen = text.split(separator: "\n").count { $0.contains("sync(") }
        let said = outcome.outputText.split(separator: "\n").first { $0.hasPrefix("syncs ") }
        let counted = try #require(said.flatMap { Int($0.dropFirst("syncs ".count)) })
        print("100 durable commits: \(counted) syncs by the engine's count, \(seen) in the process")
        #expect(counted >= 100)
        // In addition to the commits: creating the file, its folder, and closing.
        #expect(seen - counted >= 0 && seen - counted <= 8)
      }
    }
  #endif
}
