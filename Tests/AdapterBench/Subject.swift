// What is compared: each engine's adapter, and what stands beside it.
import CAdapterBench
import EngineInterface
import LMDBEngine
import MDBXEngine
import NativeEngine
import RealmCoreEngine
import SQLiteEngine
import SystemIO

/// An engine with its two sides.
struct Subject {
  /// As the table calls it.
  let name: String
  let engine: any Engine
  /// Whether the bars hold for it; otherwise it shows what another way of calling would be worth.
  let isBarred: Bool
  /// Opens what stands beside the adapter, at that file.
  let open: (FilePath, Durability) throws -> any Side

  /// nil for an engine whose library is not here, with the reason told.
  static func named(_ name: String) throws -> Subject {
    switch name {
    case "native":
      Subject(name: name, engine: NativeEngine.exact, isBarred: true) {
        try NativeSide(at: $0, $1)
      }
    case "lmdb": try direct(name, LMDBEngine(), LMDBEngine.library, direct_lmdb())
    case "sqlite": try direct(name, SQLiteEngine(), SQLiteEngine.library, direct_sqlite())
    case "mdbx": try direct(name, MDBXEngine(), MDBXEngine.library, direct_mdbx())
    case "realm-core":
      try direct(name, RealmCoreEngine(), RealmCoreEngine.library, direct_realm())
    case "realm-core, instance kept":
      try direct(name, RealmCoreEngine(), RealmCoreEngine.library, direct_realm(), isKept: true)
    default: throw BenchError(description: "there is no engine \(name)")
    }
  }

  static let all = ["native", "lmdb", "sqlite", "mdbx", "realm-core", "realm-core, instance kept"]

  private static func direct(
    _ name: String, _ engine: any Engine, _ request: LibraryRequest,
    _ library: UnsafePointer<direct_library>?, isKept: Bool = false
  ) throws -> Subject {
    let file = try SharedLibrary(request).name
    guard let library else { throw BenchError(description: "\(name) has no calls in C") }
    return Subject(name: name, engine: engine, isBarred: !isKept) {
      try DirectSide(library, named: file, at: $0, $1, isKept: isKept)
    }
  }
}
