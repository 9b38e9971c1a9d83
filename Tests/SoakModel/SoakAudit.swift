// Checks what a soak left: the rows of every commit that a process was told of, bytes that add up, no version held, and a
// compacted copy with the same rows.
import EngineInterface
package import MetricModel
import StorageEngine
package import SystemIO
package import TestSupport

package enum SoakAudit {
  /// Returns the bytes of the files. `commits` is the number of commits that were reported to all processes together;
  /// `beside` are rows that none of them changes.
  package static func run(
    engineID: String, folder: FilePath, seed: UInt64, commits: Int, beside: RowModel
  ) throws -> ByteCount {
    let engine = try SoakEngine.named(engineID)
    let session = try SoakEngine.open(engine, folder)
    let rows = try read(session)
    let series = NumberedCommits(seed: seed)
    guard NumberedCommits.number(in: rows) == commits else {
      throw SoakError(
        "\(commits) commits were told, and the file has \(NumberedCommits.number(in: rows) ?? -1)")
    }
    var wanted = beside
    for number in 0..<commits {
      for change in series.changes(of: number + 1) { wanted[change.key] = change.value }
    }
    guard rows == wanted else { throw SoakError("the rows are not those of \(commits) commits") }
    let space = try session.spaceUsage()
    try check(space, engine.capabilities.accounting)
    if let versions = try session.capability((any VersionCounting).self)?.liveVersions(),
      versions != 1
    {
      throw SoakError("\(versions) versions are readable, and there is no reader")
    }
    try checkCopy(of: session, engine, rows, beside: folder)
    try session.close()
    if engineID.hasPrefix("native") { try audit(folder.appending(engine.mainFile)) }
    return space.total
  }

  private static func read(_ session: any EngineSession) throws -> RowModel {
    let snapshot = try session.beginSnapshot(label: "audit")
    defer { snapshot.end() }
    return try snapshot.rows()
  }

  private static func check(
    _ space: SpaceUsage, _ accounting: EngineCapabilities.Accounting
  ) throws {
    guard accounting == .exact, let live = space.live, let free = space.free,
      let pinned = space.pinned, let pending = space.pending, let overhead = space.overhead
    else { return }
    guard live + free + pinned + pending + overhead == space.file else {
      throw SoakError("the bytes do not add up: \(space)")
    }
  }

  private static func checkCopy(
    of session: any EngineSession, _ engine: any Engine, _ rows: RowModel,
    beside folder: FilePath
  ) throws {
    let copyFolder = FilePath(folder.string + "-copy")
    try FileSystem.makeFolders(copyFolder)
    defer { try? FileSystem.removeTree(copyFolder) }
    try session.writeCompactedCopy(to: copyFolder.appending(engine.mainFile))
    let copy = try SoakEngine.open(engine, copyFolder)
    guard try read(copy) == rows else { throw SoakError("the compacted copy has other rows") }
    try copy.close()
  }

  /// The storage engine's own walk over all that its file refers to.
  private static func audit(_ file: FilePath) throws {
    let database = try Database.open(path: file)
    let violations = try database.audit().violations
    guard violations.isEmpty else { throw SoakError("audit: \(violations)") }
    try database.close()
  }
}
