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

  /// Makes the empty copy, its owner's alone, with space for so many bytes. Error `permissionDenied` where it may not have
  /// the owner of the file that it is to replace: before it is written, and nothing of it is left then.
  package func makeDraft(reserving bytes: ByteCount = .zero) throws(EngineError) -> FileWriter {
    do throws(SystemError) {
      return try Self.make(path, of: file, as: .draft, reserving: bytes)
    } catch {
      throw failure(error, "making room of \(bytes) for a compacted copy")
    }
  }

  /// Makes an empty file for a copy of the database in `file` that replaces nothing. It has the database's access rights,
  /// as far as this process may give them.
  package static func makeFile(
    _ path: FilePath, forCopyOf file: FilePath, engine: String, reserving bytes: ByteCount = .zero
  ) throws(EngineError) -> FileWriter {
    do throws(SystemError) {
      return try make(path, of: file, as: .copy, reserving: bytes)
    } catch  where error.isAlreadyThere {
      throw .copyExists(path, of: engine)
    } catch {
      throw EngineError(
        engine: engine, error, while: "making room of \(bytes) for a compacted copy")
    }
  }

  private static func make(
    _ path: FilePath, of file: FilePath, as role: AccessRole, reserving bytes: ByteCount
  ) throws(SystemError) -> FileWriter {
    let copy = try FileWriter(draft: path, reserving: bytes.bytes)
    do throws(SystemError) { try copy.inheritAccess(of: file, as: role) } catch {
      try? FileSystem.removeFile(path)
      throw error
    }
    return copy
  }

  /// Calls `write` to write a copy, and replaces the file by it. Returns that the compaction was skipped, and leaves
  /// nothing of the copy, if the disk has too little space or the copy may not have the file's access rights. `suffixes` as
  /// in `discard`.
  package func replaceFile(
    before: SpaceUsage, reserving bytes: ByteCount = .zero, beside suffixes: [String] = [],
    _ write: (FileWriter) throws(EngineError) -> Void
  ) throws(EngineError) -> LaunchOutcome {
    do throws(EngineError) {
      try discard(beside: suffixes)
      try write(makeDraft(reserving: bytes))
      return .compacted(before: before, after: before, rewritten: try install())
    } catch  where error.code == .outOfSpace {
      try discard(beside: suffixes)
      return .skipped(before, reason: "no disk space for the copy: \(error.message)")
    } catch  where error.code == .permissionDenied {
      try discard(beside: suffixes)
      return .skipped(before, reason: error.message)
    }
  }

  private func failure(_ error: SystemError, _ action: String) -> EngineError {
    guard error.isRefusal else { return EngineError(engine: engine, error, while: action) }
    return EngineError(
      engine: engine, code: .permissionDenied,
      message: "the copy cannot have the file's owner and access rights (\(error))")
  }

  /// Gives the copy the file's access rights and makes both durable before it takes the file's name, and the name durable
  /// after. Returns the copy's bytes.
  package func install() throws(EngineError) -> ByteCount {
    do throws(SystemError) {
      let size = try FileSystem.size(of: path).bytes
      try FileSystem.inheritAccess(of: file, to: path, as: .replacement)
      try FileSystem.rename(path, to: file)
      try FileSystem.syncFolder(file.removingLastComponent())
      return ByteCount(size)
    } catch {
      throw failure(error, "replacing \(file) by its copy")
    }
  }

  /// Removes what a compaction that was broken off left behind, with what the engine keeps beside it. The caller makes
  /// sure that no process is making that copy at this moment.
  package func discard(beside suffixes: [String] = []) throws(EngineError) {
    do throws(SystemError) {
      try FileSystem.removeFile(path)
      for suffix in suffixes { try FileSystem.removeFile(FilePath(path.string + suffix)) }
    } catch {
      throw EngineError(engine: engine, error, while: "removing \(path)")
    }
  }
}

extension EngineError {
  /// The error of a compacted copy at a path at which there is something.
  package static func copyExists(_ path: FilePath, of engine: String) -> EngineError {
    EngineError(
      engine: engine, code: .alreadyExists,
      message: "\(path) exists; a compacted copy replaces nothing, so name another")
  }
}
