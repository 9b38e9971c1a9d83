// The key with which the file of a workload opens: one, or either of two while a copy replaces it under another key.
import StorageEngine
import SystemIO
import TestSupport

struct LifeKeys {
  private let options: DatabaseOptions
  /// The last one is the intended one.
  private var keys: [EncryptionKey?]

  init(_ options: DatabaseOptions) {
    self.options = options
    keys = [options.encryptionKey]
  }

  var current: EncryptionKey? { keys[keys.count - 1] }

  /// A compaction begins: until it is done either key may be right. Returns whether they differ.
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

  /// The compaction has ended: from now on only one key opens the file.
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
