// The folders of a RocksDB database: files with data, the log, and the messages that RocksDB writes for people.
import EngineInterface
import MetricModel
import SystemIO

/// The paths of a database, and its files by kind.
struct DatabaseFolder {
  static let name = "data.rocksdb"
  static let logName = "data.rocksdb-wal"
  private static let messagesName = "data.rocksdb-messages"

  /// Sorted runs, manifest and options.
  let data: FilePath
  /// The write-ahead log; nil for a draft, whose log is among its data.
  let log: FilePath?
  /// RocksDB's messages. Their length is not that of any data, so they are in a folder that is not counted.
  let messages: FilePath

  init(in folder: FilePath) {
    data = folder.appending(Self.name)
    log = folder.appending(Self.logName)
    messages = folder.appending(Self.messagesName)
  }

  /// The folders of a draft: a database that has all in one folder.
  init(draft: FilePath) {
    data = draft
    log = nil
    messages = FilePath(draft.string + "-messages")
  }

  /// What is at the database's path.
  enum Finding {
    /// Nothing, or a database whose creation did not come to an end: RocksDB will create one.
    case absent
    case database
    case foreign(String)
  }

  func inspect() throws(SystemError) -> Finding {
    guard FileSystem.exists(data) else { return .absent }
    guard FileSystem.isFolder(data) else { return .foreign("it is a file, not a folder") }
    let names = try FileSystem.list(data)
    if names.contains("CURRENT") { return .database }
    // RocksDB would take a folder without this file for an empty one, and delete what it finds there.
    let sizes = try sizes()
    let isNew = sizes.tables == .zero && sizes.log == .zero
    let isOurs = names.allSatisfy { name in
      ["LOCK", "IDENTITY"].contains(name) || name.hasPrefix("MANIFEST-")
        || name.hasSuffix(".dbtmp")
    }
    return isNew && isOurs ? .absent : .foreign("it has no file CURRENT, which names the manifest")
  }

  /// The bytes of the database's files by kind.
  struct Sizes: Equatable {
    /// Files with rows: sorted runs.
    var tables = ByteCount.zero
    /// Manifest, options and what else belongs to no row.
    var others = ByteCount.zero
    var log = ByteCount.zero
  }

  func sizes() throws(SystemError) -> Sizes {
    var sizes = Sizes()
    for name in try FileSystem.list(data) {
      let bytes = ByteCount(try FileSystem.size(of: [data.appending(name)]).bytes)
      if name.hasSuffix(".sst") { sizes.tables += bytes } else { sizes.others += bytes }
    }
    if let log { sizes.log = ByteCount(try FileSystem.size(of: [log]).bytes) }
    return sizes
  }
}

extension FilePath {
  /// The length to which paths are padded that RocksDB writes into its file of options. Otherwise the size of that file,
  /// and with it all bytes of the database, would depend on where the database is.
  private static let paddedLength = 640

  /// The path of this length, by steps that lead nowhere; as it is if it is longer.
  var padded: String {
    let missing = Self.paddedLength - string.utf8.count
    guard isAbsolute, missing > 0, let name = lastComponent else { return string }
    let steps = String(repeating: "/.", count: missing / 2) + (missing % 2 == 1 ? "/" : "")
    return removingLastComponent().string + steps + "/" + name.string
  }
}
