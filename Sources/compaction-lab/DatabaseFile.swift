// Files of the native engine, as the commands that look into one open them: an error that says what the file is, and no
// file made where there is none.
import ArgumentParser
import EngineInterface
import Engines
import StorageEngine
import SystemIO

/// The key of an encrypted file: from a file, because command lines are seen by others and kept.
struct KeyOption: ParsableArguments {
  @Option(help: "A file of 64 bytes: the key of an encrypted database file.")
  var keyFile: String?

  func key() throws -> EncryptionKey? {
    guard let keyFile else { return nil }
    let bytes: [UInt8]
    do { bytes = try FileSystem.read(FilePath(keyFile), atMost: 1 << 16) } catch {
      throw couldNotRun("\(error)")
    }
    guard bytes.count == EncryptionKey.size else {
      throw couldNotRun(
        "\(keyFile) has \(bytes.count) bytes; a key has \(EncryptionKey.size)")
    }
    return EncryptionKey(bytes)
  }
}

enum DatabaseFile {
  /// Opens a file to read only: nothing of it changes, and nothing appears beside it.
  static func openToRead(
    _ path: FilePath, _ key: EncryptionKey?,
    automatic: AutomaticCompaction? = AutomaticCompaction()
  ) throws -> Database {
    try check(path)
    var options = DatabaseOptions(automaticCompaction: automatic)
    options.readOnly = true
    options.encryptionKey = key
    return try Database.open(path: path, options: options)
  }

  /// Opens a file to change it.
  static func openToWrite(_ path: FilePath, _ key: EncryptionKey?) throws -> Database {
    try check(path)
    var options = DatabaseOptions(automaticCompaction: nil)
    options.encryptionKey = key
    return try Database.open(path: path, options: options)
  }

  /// Opens a file to copy it. One that other processes have open to write it is opened beside them, as one of those: what
  /// they committed is in the copy, whatever they write meanwhile.
  static func openToCopy(_ path: FilePath, _ key: EncryptionKey?) throws -> Database {
    do {
      return try openToRead(path, key, automatic: nil)
    } catch let error as StorageError where error.code == .busy && key == nil {
      var options = DatabaseOptions(automaticCompaction: nil)
      // The file is theirs to cut.
      options.trimsOnClose = false
      return try Database.open(path: path, options: options)
    }
  }

  /// The error's words, with the file by the name that was given, and what else may be behind damage.
  static func words(_ error: StorageError, _ path: FilePath) -> String {
    var text = error.message
    for name in [path.string, (try? FileSystem.resolved(path))?.string ?? path.string]
    where text.hasPrefix("\(name): ") {
      text = String(text.dropFirst(name.count + 2))
    }
    let isDamage = error.code == .corrupt || error.code == .truncated
    return "\(path): \(text)" + (isDamage ? "\n\(copyHint)" : "")
  }

  /// Damage is what a copy has that was not taken of one version.
  static let copyHint =
    "A file that was copied while it was being written looks like this too; to copy a database that is in use, run "
    + "compaction-lab compact FILE --copy NEW"

  /// Ends the command where the path cannot be a database of ours; what the engine itself tells is left to it.
  private static func check(_ path: FilePath) throws {
    guard FileSystem.exists(path) else { throw couldNotRun("\(path): there is no such file") }
    guard !FileSystem.isFolder(path) else {
      throw couldNotRun("\(path) is a folder; name the file in it that holds the database")
    }
    let front = try front(of: path)
    if front.isEmpty { throw couldNotRun("\(path) is empty; it holds no database") }
    if let owner = otherOwner(front) {
      throw couldNotRun("\(path) is \(owner); this command reads files of the native engine")
    }
  }

  /// The first 12 KiB, or all where there is less.
  static func front(of path: FilePath) throws -> [UInt8] {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 12288, alignment: 16)
    defer { buffer.deallocate() }
    do {
      let count = try FileReader(path).read(into: buffer, at: 0)
      return Array(buffer[..<count])
    } catch { throw couldNotRun("\(error)") }
  }

  private static func otherOwner(_ front: [UInt8]) -> String? {
    EngineCatalog.entries.compactMap(\.fileMark).first { $0.matches(front) }?.title
  }
}
