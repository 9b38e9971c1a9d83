// One engine over k files: rows are divided by their keys, the row of key n is in file n mod k. It is what documents advise
// for large data, so that a pin, a large value or a compaction concerns one file; what it does is measured, not assumed.
package import EngineInterface
import MetricModel
package import SystemIO

/// Opens k databases of one engine, each in a folder of its own, and has them look like one.
///
/// There is one write transaction at a time over all files. It begins in a file when it first needs a row there, and
/// commits the files of which it changed rows, one after the other: snapshots of this session see all of that or
/// nothing, but a crash or a failure in between leaves the earlier files changed and the later ones not. A limit on
/// addresses is divided evenly.
package struct SplitEngine: Engine {
  let inner: any Engine
  let files: Int

  package init(_ inner: any Engine, files: Int) {
    precondition(files >= 1, "A database is in one file at least.")
    self.inner = inner
    self.files = files
  }

  package var id: String { inner.id }
  package var mainFile: String { names(inner.mainFile).first ?? "" }
  package var sidecarFiles: [String] {
    Array(names(inner.mainFile).dropFirst()) + inner.sidecarFiles.flatMap(names)
  }

  package var capabilities: EngineCapabilities {
    var capabilities = inner.capabilities
    let absent = EngineCapabilities.Support.notApplicable(
      reason: "the database is divided over \(files) files")
    capabilities.otherProcesses = absent
    capabilities.otherOpenings = absent
    capabilities.savepoints = absent
    capabilities.versionLimit = absent
    capabilities.log = inner.capabilities.log
    return capabilities
  }

  package func open(_ folder: FilePath, _ options: SessionOptions) throws(EngineError)
    -> OpenedSession
  {
    try refuseLimits(options)
    var options = options
    options.maximumMappedBytes = options.maximumMappedBytes.map { $0 / files }
    var opened: [OpenedSession] = []
    do throws(EngineError) {
      for file in 0..<files {
        opened.append(try inner.open(try makeFolder(file, in: folder), options))
      }
    } catch {
      for one in opened { try? one.session.close() }
      throw error
    }
    var launches = opened.map(\.launch)
    let first = launches.removeFirst()
    var split = OpenedSession(
      session: SplitSession(opened.map(\.session), engine: id), launch: first)
    split.launchOfOtherFiles = launches
    return split
  }

  private func makeFolder(_ file: Int, in folder: FilePath) throws(EngineError) -> FilePath {
    let own = folder.appending(Self.folder(file))
    do throws(SystemError) {
      try FileSystem.makeFolders(own)
    } catch {
      throw EngineError(engine: id, error, while: "making the folder of file \(file + 1)")
    }
    return own
  }

  private func names(_ name: String) -> [String] {
    name.isEmpty ? [] : (0..<files).map { "\(Self.folder($0))/\(name)" }
  }

  private static func folder(_ file: Int) -> String { "file-\(file + 1)" }
}

/// Where a row is.
struct KeyDivision {
  let files: Int

  func file(of key: Int64) -> Int {
    let rest = Int(key % Int64(files))
    return rest < 0 ? rest + files : rest
  }
}
