// The table of RocksDB's functions: found once, when the engine is first asked for, and called through from then on. The
// declarations are ours, so that a library is taken only where it reports the version that they were written for.
import CRocksDB
import EngineInterface
import SystemIO

/// RocksDB as it was found on this machine. The table that it points to is never freed, like the library itself: so this
/// is as cheap to keep as a number, and a call through it costs what a call of a linked function does.
struct RocksDBLibrary: @unchecked Sendable {
  private let table: UnsafePointer<RocksDBFunctions>

  /// RocksDB's functions.
  var call: RocksDBFunctions { table.pointee }

  /// `RocksDB 7.8.3`.
  let version: String

  /// The version whose C interface is declared.
  private static let knownVersion = "7.8"

  static let request = LibraryRequest(
    title: "RocksDB", names: names, variable: "COMPACTION_LAB_ROCKSDB",
    cure: "install librocksdb7.8 (Debian 12)")

  /// The system's names: Debian's has both numbers of the version.
  private static var names: [String] {
    #if os(macOS)
      LibraryRequest.fileNames(of: "rocksdb", version: 7)
    #else
      ["librocksdb.so.\(knownVersion)", "librocksdb.so.7", "librocksdb.so"]
    #endif
  }

  private static let loaded = Result<RocksDBLibrary, LibraryAbsence> { () throws(LibraryAbsence) in
    try RocksDBLibrary(SharedLibrary(request))
  }

  /// The library of this process, opened at the first call.
  static func load() throws(LibraryAbsence) -> RocksDBLibrary { try loaded.get() }

  init(_ library: SharedLibrary) throws(LibraryAbsence) {
    let found = try Self.version(of: library)
    guard found.hasPrefix("\(Self.knownVersion).") else {
      throw library.refused("it is version \(found), and \(Self.knownVersion) is known")
    }
    version = "RocksDB \(found)"
    let table = UnsafeMutablePointer<RocksDBFunctions>.allocate(capacity: 1)
    table.initialize(to: try RocksDBFunctions(library))
    self.table = UnsafePointer(table)
  }

  /// No function of the C interface returns the version. One of the C++ interface does, by its name in libstdc++'s builds.
  private static func version(of library: SharedLibrary) throws(LibraryAbsence) -> String {
    // Whether it is RocksDB at all.
    let _: rocksdb_free_function = try library.function("rocksdb_free")
    let read: rocksdb_version_function = try library.function(
      "_ZN7rocksdb23GetRocksVersionAsStringB5cxx11Eb")
    let text = read(true)
    return withUnsafeBytes(of: text.local) { bytes in
      String(decoding: bytes.prefix(min(text.count, bytes.count)), as: UTF8.self)
    }
  }
}

extension RocksDBLibrary {
  /// Calls a function that reports failure by a text, and throws the error for it.
  @inline(__always)
  func check<Result>(
    _ action: @autoclosure () -> String,
    _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) throws(EngineError) -> Result {
    var failure: UnsafeMutablePointer<CChar>?
    let result = body(&failure)
    if let failure { throw error(takingTextOf: failure, while: action()) }
    return result
  }

  /// Returns a text that the library allocated, and frees it; nil where it returned none.
  func takeText(_ text: UnsafeMutablePointer<CChar>?) -> String? {
    guard let text else { return nil }
    defer { call.free(text) }
    return String(cString: text)
  }
}
