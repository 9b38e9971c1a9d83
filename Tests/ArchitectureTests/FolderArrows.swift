// Uses between the folders of a module: a folder may use only those below it.
import TestSupport
import Testing

/// The folders of a module, bottom first. Files beside the folders are above them all, if `hasFrontDoor`.
struct FolderOrder: Sendable, CustomTestStringConvertible {
  var module: String
  var folders: [String]
  var hasFrontDoor = true

  var testDescription: String { module }

  /// The modules whose folders are in order. A module is added with one line.
  static let all = [
    FolderOrder(
      module: "StorageEngine",
      folders: [
        "Format", "Blocks", "Log", "Space", "Tree", "Readers", "Commit", "Compaction",
        "Integrity", "Opening",
      ],
      // Its redesign puts these files into folders.
      hasFrontDoor: false),
    FolderOrder(
      module: "ObjectStore",
      folders: [
        "Errors", "Threads", "Schema", "Storage", "Instance", "Migration", "Query",
        "Notifications", "Opening",
      ]),
    FolderOrder(
      module: "WorkloadRunner",
      folders: [
        "Jobs", "Clock", "Tables", "Splitting", "Traces", "Recording", "Snapshots",
        "Processes",
        "Clients", "Schedules", "Launches", "Replay", "Cell",
      ]),
  ]
}

/// A file of a module, and the folder that it is in: empty for the module's own.
struct FolderFile {
  var folder: String
  var name: String
  var text: String

  static func all(of module: String) throws -> [FolderFile] {
    try Repository.files(in: "Sources/\(module)", ending: ".swift").map { path in
      let parts = path.split(separator: "/").map(String.init)
      return FolderFile(
        folder: parts.count > 3 ? parts[2] : "", name: parts.last ?? path,
        text: try Repository.text(path))
    }
  }
}

/// A use of a name that a higher folder declares.
struct UpwardUse: Hashable, CustomStringConvertible {
  var file: String
  var name: String
  var higherFolder: String

  var description: String { "\(file) uses \(name) of \(higherFolder)/" }
}

extension FolderOrder {
  /// Names that the standard library and Foundation declare too, and short ones, are no evidence of an arrow.
  private static let common: Set<String> = [
    "Error", "allocate", "append", "async", "bytes", "capacity", "contains", "continue", "count",
    "data",
    "date", "debugDescription", "deinit", "description",
    "distance", "drain", "elements", "failure", "encode", "filter", "first", "hash", "index",
    "indices", "init", "inline", "insert", "isEmpty",
    "keys", "last", "load", "lock", "lower", "makeIterator", "move", "newValue", "next", "observe",
    "offset",
    "perform", "prefix", "rawValue",
    "release", "remove", "removeAll", "resume", "retain", "reversed", "schedule", "size", "sorted",
    "split", "start",
    "startIndex", "starts", "step", "string", "suffix", "success", "sync", "union", "unlock",
    "upper", "value", "values", "wait", "where", "write",
  ]

  /// Returns the uses of names that only a higher folder declares. `foreign` are names of other modules.
  func upwardUses(in files: [FolderFile], foreign: Set<String> = []) -> [UpwardUse] {
    let order = folders + (hasFrontDoor ? [""] : [])
    let names = files.map { SourceNames($0.text) }
    var homes: [String: Set<String>] = [:]
    for (file, names) in zip(files, names) {
      for name in names.declared { homes[name, default: []].insert(file.folder) }
    }
    var found: Set<UpwardUse> = []
    for (file, names) in zip(files, names) {
      guard let level = order.firstIndex(of: file.folder) else { continue }
      for name in names.used where name.count >= 4 && !Self.common.contains(name) {
        guard !foreign.contains(name), let home = homes[name], home.count == 1,
          let higher = home.first, let height = order.firstIndex(of: higher), height > level
        else { continue }
        found.insert(
          UpwardUse(
            file: file.folder.isEmpty ? file.name : "\(file.folder)/\(file.name)", name: name,
            higherFolder: higher))
      }
    }
    return found.sorted { $0.description < $1.description }
  }
}
