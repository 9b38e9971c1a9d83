// What is compared: each engine's adapter, and what stands beside it.
import CAdapterBench
import EngineInterface
import Engines
import MetricModel
import NativeEngine
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
  /// The most rows that a piece of work reads or puts.
  var maxRowsInPiece = Int.max

  static func named(_ name: String) throws -> Subject {
    if name == EngineIdentifier.native.rawValue {
      return Subject(name: name, engine: NativeEngine.exact, isBarred: true) {
        try NativeSide(at: $0, $1)
      }
    }
    let isKept = name.hasSuffix(kept)
    let id = isKept ? String(name.dropLast(kept.count)) : name
    guard let known = EngineIdentifier(rawValue: id), let library = direct_named(id) else {
      throw BenchError(description: "there is no engine \(name)")
    }
    let entry = EngineCatalog.entry(of: known)
    guard let request = entry.library else {
      throw BenchError(description: "\(name) has no library")
    }
    return try direct(name, entry.open(), request, library, isKept: isKept)
  }

  private static let kept = ", instance kept"

  /// The native engine, and each engine whose calls in C are here; where these can keep an instance, that as well.
  static let all: [String] = EngineIdentifier.allCases.flatMap { engine -> [String] in
    let id = engine.rawValue
    if engine == .native { return [id] }
    guard let library = direct_named(id) else { return [] }
    return library.pointee.keeps != 0 ? [id, id + kept] : [id]
  }

  private static func direct(
    _ name: String, _ engine: any Engine, _ request: LibraryRequest,
    _ library: UnsafePointer<direct_library>, isKept: Bool
  ) throws -> Subject {
    let file = try SharedLibrary(request).name
    var subject = Subject(name: name, engine: engine, isBarred: !isKept) {
      try DirectSide(library, named: file, at: $0, $1, isKept: isKept)
    }
    // DuckDB takes a hundred times as long for a row as the others do.
    if engine.id == EngineIdentifier.duckDB.rawValue { subject.maxRowsInPiece = 400 }
    return subject
  }
}
