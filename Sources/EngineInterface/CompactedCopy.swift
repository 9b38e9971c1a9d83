// Compaction by a copy that takes the file's name, for engines that copy and do not replace.
package import MetricModel
package import SystemIO

/// The copy beside a database's file.
package struct CompactedCopy: Sendable {
  private let engine: String
  private let file: FilePath
  package let path: FilePath

  package init(of file: FilePath, engine: String) {
    self.engine = engine
    self.file = file
    path = FilePath(file.string + ".compacting")
  }

  /// Makes the copy durable before it takes the file's name, and the name durable after. Answers the copy's bytes.
  package func install() throws(EngineError) -> ByteCount {
    do throws(SystemError) {
      let size = try FileSystem.size(of: path).bytes
      try FileSystem.syncFile(path)
      try FileSystem.rename(path, to: file)
      try FileSystem.syncFolder(file.removingLastComponent())
      return ByteCount(size)
    } catch {
      throw EngineError(engine: engine, error, while: "replacing \(file) by its copy")
    }
  }

  /// Removes what a compaction that was broken off left behind, with what the engine keeps beside it. The caller sees to
  /// it that nobody is making that copy just now.
  package func discard(beside suffixes: [String] = []) throws(EngineError) {
    do throws(SystemError) {
      try FileSystem.removeFile(path)
      for suffix in suffixes { try FileSystem.removeFile(FilePath(path.string + suffix)) }
    } catch {
      throw EngineError(engine: engine, error, while: "removing \(path)")
    }
  }
}
