// One engine over k files, with rows divided by key: the row of key n is in file n mod k. Manuals recommend this for large
// data, so that a pin, a large value or a compaction affects one file only; here its effect is measured.
package import EngineInterface
import MetricModel
package import SystemIO

/// Opens k databases of one engine, each in a folder of its own, as if they were one.
///
/// There is one write transaction at a time over all files. It begins in a file when it first needs a row there, and
/// commits the files whose rows it changed one after the other. Snapshots of this session see all of these commits or
/// none, but a crash or a failure in between leaves the earlier files changed and the later ones unchanged. A limit on
/// the address space is divided evenly.
package struct SplitEngine: Engine {
  let inner: any Engine
  let files: Int

  package init(_ inner: any Engine, files: Int) {
    precondition(files >= 1, "A database has at least one file.")
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

/// Which file has a row.
struct KeyDivision {
  let files: Int

  func file(of key: Int64) -> Int {
    let rest = Int(key % Int64(files))
    return rest < 0 ? rest + files : rest
  }
}
