// All that a storage engine does to names: which file has which name, and what of that survives a power cut. Beside
// `StorageFile` it is the whole of what an engine can do to a disk, so a test that stands behind both can let every
// operation fail, and cut the power between any two.

/// Whether a file must exist, must not exist, or is created if it does not.
public enum FileOpening: Sendable {
  /// Open what is there; an error where nothing is.
  case existing
  /// Open what is there, or make an empty file.
  case existingOrNew
  /// Make an empty file that its owner alone may read and write, until `StorageFile.inheritAccess` gives it other
  /// rights; an error (`isAlreadyThere`) where one is.
  case new
  /// Open what is there and change nothing, not even where that were allowed. Such openings share the file with each
  /// other, not with those that write.
  case readOnly
}

/// The folders in which an engine's files have their names.
///
/// A name that was made, moved or removed is durable only after `syncFolder` of its folder returned; the bytes of a
/// file are its own business (`StorageFile.sync`). Safe to use from many threads.
public protocol StorageVolume: AnyObject, Sendable {
  /// Opens and locks a file. The errors that callers tell apart: `isLocked` where another opening has it,
  /// `isPermissionDenied`, `isNotFound`, `isAlreadyThere`, `isOutOfSpace`.
  func open(_ path: FilePath, _ opening: FileOpening) throws(SystemError) -> any StorageFile

  /// Whether anything, a dangling link included, has this name.
  func exists(_ path: FilePath) -> Bool

  /// Removes a name; a name that does not exist is no error. The file stays for those that have it open.
  func removeFile(_ path: FilePath) throws(SystemError)

  /// Gives a file another name in one step, replacing a file that had it.
  func rename(_ source: FilePath, to target: FilePath) throws(SystemError)

  /// Makes the names in a folder durable. An empty path is the current folder.
  func syncFolder(_ folder: FilePath) throws(SystemError)

  /// Returns the bytes that may still be written on the file system of this file or folder.
  func freeBytes(at path: FilePath) throws(SystemError) -> Int

  /// Returns the absolute path of an existing file, with every link followed.
  func resolved(_ path: FilePath) throws(SystemError) -> FilePath
}

/// A volume whose files several openings may have at once, in several processes: they lie on a disk of this machine.
package protocol SharingVolume: StorageVolume {
  /// Opens a file that other such openings may have too; `isLocked` where one has it for itself.
  func openShared(
    _ path: FilePath, _ opening: FileOpening
  ) throws(SystemError) -> any SharedStorageFile
}

/// A file that others may change beside this opening of it.
package protocol SharedStorageFile: StorageFile {
  /// The identity of the file; its name may lead to another file meanwhile.
  var identity: FileIdentity { get throws(SystemError) }

  /// Records on the file, for all its openings to see, that this one uses that lock file. Returns false, and records
  /// nothing, where another opening uses another lock file.
  func bind(toLockFile lock: FileIdentity) throws(SystemError) -> Bool

  /// Removes what `bind` recorded.
  func unbind()
}

/// The operating system's files.
public final class SystemVolume: SharingVolume {
  public init() {}

  public func open(
    _ path: FilePath, _ opening: FileOpening
  ) throws(SystemError) -> any StorageFile {
    try SystemStorageFile(path: path, opening)
  }

  package func openShared(
    _ path: FilePath, _ opening: FileOpening
  ) throws(SystemError) -> any SharedStorageFile {
    try SystemStorageFile(path: path, opening, isShared: true)
  }

  public func exists(_ path: FilePath) -> Bool { FileSystem.exists(path) }

  public func removeFile(_ path: FilePath) throws(SystemError) {
    try FileSystem.removeFile(path)
  }

  public func rename(_ source: FilePath, to target: FilePath) throws(SystemError) {
    try FileSystem.rename(source, to: target)
  }

  public func syncFolder(_ folder: FilePath) throws(SystemError) {
    try FileSystem.syncFolder(folder)
  }

  public func freeBytes(at path: FilePath) throws(SystemError) -> Int {
    try FileSystem.freeBytes(at: path)
  }

  public func resolved(_ path: FilePath) throws(SystemError) -> FilePath {
    try FileSystem.resolved(path)
  }
}
