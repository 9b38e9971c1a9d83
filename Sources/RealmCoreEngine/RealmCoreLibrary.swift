// Realm Core as it was found on this machine: its functions, the version that they must have, and what the process
// needs once: a scheduler and the callback for what the engine logs of its compactions.
import CRealm
import SystemIO

/// The library. What it points to is never freed, like the library itself, so that it is as cheap to keep as a number.
struct RealmCoreLibrary: @unchecked Sendable {
  private let table: UnsafePointer<RealmCoreFunctions>

  /// The scheduler of every instance. Without one Realm Core looks for the platform's event loop, and ends the process if
  /// it was built without any.
  let scheduler: OpaquePointer

  /// Realm Core's functions.
  var call: RealmCoreFunctions { table.pointee }

  /// The library's own version text.
  var version: String { call.getLibraryVersion().map { String(cString: $0) } ?? "unknown" }

  static let request = LibraryRequest(
    title: "Realm Core", names: LibraryRequest.fileNames(of: "realm-ffi", version: 14) + otherNames,
    variable: "COMPACTION_LAB_REALM", option: "--realm-library",
    cure: """
      no distribution has a package of it: take a library that exports the C interface realm.h, such as \
      librealm-ffi of Realm Core 14 or the one in an app made with the Dart package realm_dart, give it as --realm-library
      """)

  /// The library that the Dart package carries exports the same functions.
  #if os(macOS)
    private static let otherNames = ["librealm_dart.dylib"]
  #else
    private static let otherNames = ["librealm_dart.so"]
  #endif

  private static let loaded = Result<RealmCoreLibrary, LibraryAbsence> {
    () throws(LibraryAbsence) in try RealmCoreLibrary(SharedLibrary(request))
  }

  /// The library of this process, opened at the first call.
  static func load() throws(LibraryAbsence) -> RealmCoreLibrary { try loaded.get() }

  private init(_ library: SharedLibrary) throws(LibraryAbsence) {
    let functions = try RealmCoreFunctions(library)
    var (major, minor, patch) = (Int32(), Int32(), Int32())
    var extra: UnsafePointer<CChar>?
    functions.getLibraryVersionNumbers(&major, &minor, &patch, &extra)
    if major != 14 {
      throw library.refused("it is version \(major).\(minor).\(patch), and 14 is needed")
    }
    // The instances are each used by one thread at a time, which need not be the one that opened it: so wherever the
    // library asks, it is on the right thread. Nothing is ever delivered.
    guard let scheduler = functions.schedulerNew(nil, nil, nil, { _ in true }, nil, nil) else {
      throw library.refused("it made no scheduler")
    }
    let table = UnsafeMutablePointer<RealmCoreFunctions>.allocate(capacity: 1)
    table.initialize(to: functions)
    self.table = UnsafePointer(table)
    self.scheduler = scheduler
    if let difference = layoutDifference { throw library.refused(difference) }
    functions.setLogCallback({ RealmCoreLog.shared.add($3) }, nil, nil)
    functions.setLogLevel(UInt32(CREALM_LOG_DETAIL))
  }

  /// The difference between the structures that the library fills and those that `CRealm` declares; nil if there is none.
  /// Found by a key of three bytes, whose error code and text are known, and by a path, which is returned unchanged.
  private var layoutDifference: String? {
    guard let config = call.configNew() else { return "it made no configuration" }
    defer { call.release(config) }
    call.configSetPath(config, "a path")
    guard let path = call.configGetPath(config), String(cString: path) == "a path" else {
      return "a configuration does not keep its path"
    }
    let key: [UInt8] = [1, 2, 3]
    guard !call.configSetEncryptionKey(config, key, key.count) else {
      return "it accepts a key of three bytes"
    }
    var error = crealm_error()
    guard call.getLastError(&error), error.code == RealmCoreCode.invalidKey.rawValue,
      let message = error.message, String(cString: message).contains("64")
    else { return "its errors are not laid out as in version 14" }
    return nil
  }
}
