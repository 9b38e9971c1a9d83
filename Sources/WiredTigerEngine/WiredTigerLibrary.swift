// WiredTiger's library: opened once, when the engine is first asked for. The declarations are ours, so that a library is taken
// only where it reports the version that they were written for.
import CWiredTiger
import EngineInterface
import SystemIO

/// WiredTiger as it was found on this machine. All but three functions are methods of its handles.
struct WiredTigerLibrary: Sendable {
  let open: wiredtiger_open_function
  private let explain: wiredtiger_strerror_function

  /// `WiredTiger 11.3.1`.
  let version: String

  /// The version whose handles are declared.
  private static let knownVersion = (major: 11, minor: 3)

  static let request = LibraryRequest(
    title: "WiredTiger", names: names, variable: "COMPACTION_LAB_WIREDTIGER",
    cure: "build libwiredtiger.so 11.3 from its source (Docs/Engines/WiredTiger.md)")

  private static var names: [String] {
    #if os(macOS)
      LibraryRequest.fileNames(of: "wiredtiger", version: knownVersion.major)
    #else
      ["libwiredtiger.so.11.3.1", "libwiredtiger.so"]
    #endif
  }

  private static let loaded = Result<WiredTigerLibrary, LibraryAbsence> {
    () throws(LibraryAbsence) in try WiredTigerLibrary(SharedLibrary(request))
  }

  /// The library of this process, opened at the first call.
  static func load() throws(LibraryAbsence) -> WiredTigerLibrary { try loaded.get() }

  init(_ library: SharedLibrary) throws(LibraryAbsence) {
    let read: wiredtiger_version_function = try library.function("wiredtiger_version")
    var (major, minor, patch): (Int32, Int32, Int32) = (0, 0, 0)
    _ = read(&major, &minor, &patch)
    guard (Int(major), Int(minor)) == Self.knownVersion else {
      throw library.refused(
        "it is version \(major).\(minor).\(patch), and \(Self.knownVersion.major)."
          + "\(Self.knownVersion.minor) is known")
    }
    version = "WiredTiger \(major).\(minor).\(patch)"
    open = try library.function("wiredtiger_open")
    explain = try library.function("wiredtiger_strerror")
  }

  /// The library's words for an error number.
  func text(of error: Int32) -> String {
    explain(error).map { String(cString: $0) } ?? "error \(error)"
  }
}
