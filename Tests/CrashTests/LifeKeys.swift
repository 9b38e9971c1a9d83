// With which key the file of a life is to be opened: one; or either of two while a copy takes its place under another.
import StorageEngine
import SystemIO
import TestSupport

struct LifeKeys {
  private let options: DatabaseOptions
  /// The last is the one that is to be the right one.
  private var keys: [EncryptionKey?]

  init(_ options: DatabaseOptions) {
    self.options = options
    keys = [options.encryptionKey]
  }

  var current: EncryptionKey? { keys[keys.count - 1] }

  /// A compaction begins: until it is done either key may be the right one. Answers whether they differ.
  mutating func begin(_ encryption: CopyEncryption) -> Bool {
    let next: EncryptionKey? =
      switch encryption {
      case .same: current
      case .none: nil
      case .key(let key): key
      }
    guard next != current else { return false }
    keys.append(next)
    return true
  }

  /// It is done, or nothing came of it: from now on only one key opens the file.
  mutating func end(isDone: Bool) { keys = [isDone ? current : keys[0]] }

  func open(
    _ path: FilePath, on volume: FaultyVolume, compactOnLaunch: ((LaunchUsage) -> Bool)? = nil
  ) throws(StorageError) -> Database {
    for key in keys.dropLast() {
      do throws(StorageError) { return try open(path, volume, key, compactOnLaunch) } catch {
        guard [.keyMissing, .keyWrong, .notEncrypted].contains(error.code) else { throw error }
      }
    }
    return try open(path, volume, current, compactOnLaunch)
  }

  private func open(
    _ path: FilePath, _ volume: FaultyVolume, _ key: EncryptionKey?,
    _ compactOnLaunch: ((LaunchUsage) -> Bool)?
  ) throws(StorageError) -> Database {
    var options = options
    options.encryptionKey = key
    return try Database.open(
      path: path, on: volume, options: options, compactOnLaunch: compactOnLaunch)
  }
}
