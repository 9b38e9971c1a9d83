// Opens files of the native engine for the commands that inspect, verify and compact them: with errors that name the
// file's real format, and without creating a missing file.
import ArgumentParser
import StorageEngine
import SystemIO

/// The key of an encrypted file, read from a file because other users see command lines, and shells save them.
struct KeyOption: ParsableArguments {
  @Option(help: "A file of 64 bytes: the key of an encrypted database file.")
  var keyFile: String?

  func key() throws -> EncryptionKey? { try bytes().map { EncryptionKey($0) } }

  func bytes() throws -> [UInt8]? {
    guard let keyFile else { return nil }
    let bytes: [UInt8]
    do { bytes = try FileSystem.read(FilePath(keyFile), atMost: 1 << 16) } catch {
      throw couldNotRun("\(error)")
    }
    guard bytes.count == EncryptionKey.size else {
      throw couldNotRun(
        "\(keyFile) is \(bytes.count) bytes long; a key is \(EncryptionKey.size)")
    }
    return bytes
  }
}

enum DatabaseFile {
  /// Opens a file read-only: changes nothing in it and creates nothing beside it.
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

  /// Opens a file for writing.
  static func openToWrite(_ path: FilePath, _ key: EncryptionKey?) throws -> Database {
    try check(path)
    var options = DatabaseOptions(automaticCompaction: nil)
    options.encryptionKey = key
    return try Database.open(path: path, options: options)
  }

  /// Opens a file to copy it. A file that other processes have open for writing is opened as a shared database: the copy
  /// contains what they committed before, and nothing of what they write meanwhile.
  static func openToCopy(_ path: FilePath, _ key: EncryptionKey?) throws -> Database {
    try check(path)
    return try openBesideWriters(path, key)
  }

  /// Reads a file to inspect it: from an image, which no program that has it open notices, or read-only.
  static func inspect(
    _ path: FilePath, _ key: EncryptionKey?
  ) throws -> (database: Database, inspection: FileInspection) {
    try check(path)
    if key == nil, let image = try image(of: path, recordsOnly: false) {
      return (image.database, try image.inspect())
    }
    let database = try openBesideWriters(path, key, automatic: AutomaticCompaction())
    return (database, try database.inspect())
  }

  /// Returns an image of the file; nil if the file is to be opened instead. An encrypted file, one whose newest commit
  /// was torn, and a damaged one are opened if no program has them open, since the engine has the reason or the remedy; one
  /// that is too large for memory is opened in any case.
  static func image(
    of path: FilePath, recordsOnly: Bool
  ) throws(StorageError) -> FileImage? {
    do throws(StorageError) {
      return try FileImage(of: path, recordsOnly: recordsOnly)
    } catch {
      guard error.code != .limitExceeded else { return nil }
      guard error.code != .busy, (try? isOpenElsewhere(path)) == false else { throw error }
      return nil
    }
  }

  /// Whether a read-only opening is refused because a program has the file open.
  private static func isOpenElsewhere(_ path: FilePath) throws(StorageError) -> Bool {
    do throws(StorageError) {
      var options = DatabaseOptions(automaticCompaction: nil)
      options.readOnly = true
      try Database.open(path: path, options: options).close()
      return false
    } catch { return error.code == .busy }
  }

  /// The same without checking that the path can be a file of the native engine. An `automatic` compaction is not begun:
  /// only commits do that.
  static func openBesideWriters(
    _ path: FilePath, _ key: EncryptionKey?, automatic: AutomaticCompaction? = nil
  ) throws(StorageError) -> Database {
    do throws(StorageError) {
      var options = DatabaseOptions(automaticCompaction: automatic)
      options.readOnly = true
      options.encryptionKey = key
      return try Database.open(path: path, options: options)
    } catch {
      guard error.code == .busy, key == nil else { throw error }
      var options = DatabaseOptions(automaticCompaction: automatic)
      // Only the processes that use the file may shorten it.
      options.trimsOnClose = false
      return try Database.open(path: path, options: options)
    }
  }

  /// Returns the error's message with the file named as the user gave it, and a hint where the file is damaged.
  static func message(_ error: StorageError, _ path: FilePath) -> String {
    var text = error.message
    for name in [path.string, (try? FileSystem.resolved(path))?.string ?? path.string]
    where text.hasPrefix("\(name): ") {
      text = String(text.dropFirst(name.count + 2))
    }
    let isDamage = error.code == .corrupt || error.code == .truncated
    return "\(path): \(text)" + (isDamage ? "\n\(copyHint)" : "")
  }

  /// A likely cause of damage: a copy made with other tools while the database was being written.
  static let copyHint =
    "A file that was copied while it was being written looks like this too; to copy a database that is in use, run "
    + "compaction-lab compact FILE --copy NEW"

  /// Throws where the path cannot be a file of the native engine, with a reason that the engine itself cannot give.
  private static func check(_ path: FilePath) throws {
    guard FileSystem.exists(path) else { throw couldNotRun("\(path): no such file") }
    guard !FileSystem.isFolder(path) else {
      if let foreign = ForeignDatabase(folder: path) { throw foreign.refusal(path) }
      throw couldNotRun("\(path) is a folder; name the database file in it")
    }
    let prefix = try readPrefix(of: path)
    if prefix.isEmpty { throw couldNotRun("\(path) is empty; it is no database") }
    if let foreign = ForeignDatabase(prefix: prefix) { throw foreign.refusal(path) }
    if !isNative(prefix), let foreign = ForeignDatabase(folder: path.removingLastComponent()) {
      throw foreign.refusal(path, isPart: true)
    }
  }

  /// Whether these are the first bytes of a file of the native engine.
  static func isNative(_ prefix: [UInt8]) -> Bool {
    (try? Database.inspect(front: prefix)) != nil
  }

  /// Reads the first 12 KiB, or the whole of a shorter file.
  static func readPrefix(of path: FilePath) throws -> [UInt8] {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 12288, alignment: 16)
    defer { buffer.deallocate() }
    do {
      let count = try FileReader(path).read(into: buffer, at: 0)
      return Array(buffer[..<count])
    } catch { throw couldNotRun("\(error)") }
  }
}
