// Short ways to write, for the tests of this adapter, and whether there is a libmdbx to test it with.
import EngineInterface
import MDBXEngine
import MetricModel
import SystemIO
import TestSupport
import Testing

/// Why libmdbx is not on this machine; nil where it is.
let absence: String? = {
  do throws(LibraryAbsence) {
    _ = try MDBXEngine()
    return nil
  } catch {
    return "\(error)"
  }
}()

extension Trait where Self == ConditionTrait {
  /// Runs where libmdbx is, and says why elsewhere.
  static var whereThereIsLibmdbx: Self { .disabled(if: absence != nil, "\(absence ?? "")") }
}

/// Opens a session with one table.
func open(
  _ folder: FilePath, durability: Durability = .full, geometry: FileGeometry? = nil
) throws -> any EngineSession {
  var options = SessionOptions(tables: ["rows"], durability: durability)
  options.geometry = geometry
  return try MDBXEngine().open(folder, options).session
}

extension EngineSession {
  /// Writes rows of arbitrary bytes in one transaction.
  func put(_ keys: some Sequence<Int64>, bytes: Int, seed: UInt64 = 1) throws {
    var random = SeededRandom(seed: seed)
    let transaction = try beginWrite()
    do {
      for key in keys {
        try random.bytes(bytes).withUnsafeBytes { try transaction.put(0, key, $0) }
      }
      try transaction.commit()
    } catch {
      transaction.rollBack()
      throw error
    }
  }

  func delete(_ keys: some Sequence<Int64>) throws {
    let transaction = try beginWrite()
    for key in keys { _ = try transaction.delete(0, key) }
    try transaction.commit()
  }

  func count() throws -> Int {
    let snapshot = try beginSnapshot(label: "count")
    defer { snapshot.end() }
    return try snapshot.count(0)
  }
}

/// libmdbx's main file in a folder, and how long it is.
func data(_ folder: FilePath) -> FilePath { folder.appending("data.mdbx") }
func length(_ folder: FilePath) throws -> ByteCount {
  ByteCount(try FileSystem.size(of: data(folder)).bytes)
}
