// The folders of a WiredTiger database: files with data, and the log.
import EngineInterface
import MetricModel
import SystemIO

/// The paths of a database, and its files by kind.
struct WiredTigerFolder {
  static let name = "data.wiredtiger"
  static let logName = "data.wiredtiger-wal"
  private static let tableSuffix = ".wt"
  static let ownPrefix = "WiredTiger"
  /// The file that says where the newest checkpoint of the metadata is.
  static let turtle = "WiredTiger.turtle"
  static let historyFile = "WiredTigerHS.wt"
  static let metadataFile = "WiredTiger.wt"

  /// Tables, history store and metadata.
  let data: FilePath
  /// The write-ahead log; nil for a draft, which has none.
  let log: FilePath?

  init(in folder: FilePath) {
    data = folder.appending(Self.name)
    log = folder.appending(Self.logName)
  }

  /// A draft: a database without a log.
  init(draft: FilePath) {
    data = draft
    log = nil
  }

  /// What is at the database's path.
  enum Finding {
    /// Nothing, or a database whose creation did not come to an end: WiredTiger will create one.
    case absent
    case database
    case foreign(String)
  }

  func inspect() throws(SystemError) -> Finding {
    guard FileSystem.exists(data) else { return .absent }
    guard FileSystem.isFolder(data) else { return .foreign("it is a file, not a folder") }
    let names = try FileSystem.list(data)
    if names.contains(Self.turtle), names.contains(Self.metadataFile) { return .database }
    // WiredTiger would take a folder without these files for an empty one.
    let isOurs = names.allSatisfy { name in
      name.hasPrefix(Self.ownPrefix) && name != Self.historyFile || name == Self.padding
    }
    if isOurs { return .absent }
    return .foreign(
      "it lacks \(Self.turtle) or \(Self.metadataFile), which have where the tables are")
  }

  /// The file of the adapter that makes up for the length of `turtle`.
  private static let padding = "padding"
  private static let paddedLength = 4096

  /// Pads the file `turtle` to a whole block, by a file beside it. It has checksums as numbers of varying length, and they are
  /// of pages that have the time, so that the bytes of all files would differ from run to run.
  func pad() throws(SystemError) {
    let length = try FileSystem.size(of: data.appending(Self.turtle)).bytes
    let path = data.appending(Self.padding)
    let missing = Self.paddedLength - 1 - (length - 1) % Self.paddedLength
    if (try? FileSystem.size(of: path).bytes) == missing { return }
    try FileSystem.removeFile(path)
    let file = try FileWriter(new: path)
    let zeros = UnsafeMutableRawBufferPointer.allocate(byteCount: missing, alignment: 1)
    defer { zeros.deallocate() }
    zeros.initializeMemory(as: UInt8.self, repeating: 0)
    try file.write(UnsafeRawBufferPointer(zeros))
  }

  /// The lengths to which paths are padded: multiples of it.
  private static let homeLength = 256

  /// The path of the folder, padded with slashes that change nothing. WiredTiger writes it into the log at each checkpoint,
  /// whose length would otherwise depend on where the database is.
  var home: String {
    let missing = Self.homeLength - 1 - (data.string.utf8.count - 1) % Self.homeLength
    guard data.isAbsolute else { return data.string }
    return String(repeating: "/", count: missing) + data.string
  }

  func makeFolders() throws(SystemError) {
    try FileSystem.makeFolders(data)
    if let log { try FileSystem.makeFolders(log) }
  }

  /// The names of all tables in the files.
  func tables() throws(SystemError) -> [String] {
    try FileSystem.list(data).filter(Self.isTable).map {
      String($0.dropLast(Self.tableSuffix.count))
    }.sorted()
  }

  static func file(ofTable name: String) -> String { name + tableSuffix }

  /// Whether a file of that name has a table.
  static func isTable(_ name: String) -> Bool {
    name.hasSuffix(tableSuffix) && !name.hasPrefix(ownPrefix)
  }

  /// The length of each file with data, by name.
  func lengths() throws(SystemError) -> [String: ByteCount] {
    var lengths: [String: ByteCount] = [:]
    for name in try FileSystem.list(data) {
      lengths[name] = ByteCount(try FileSystem.size(of: [data.appending(name)]).bytes)
    }
    return lengths
  }

  var logLength: ByteCount {
    get throws(SystemError) {
      guard let log else { return .zero }
      return ByteCount(try FileSystem.size(of: [log]).bytes)
    }
  }
}
