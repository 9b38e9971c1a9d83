// The engines that a soak can be asked for, and how all of its processes open them: with what the engine does by itself
// where it does something, since that is what must go well for hours.
package import EngineInterface
import LMDBEngine
import MDBXEngine
import NativeEngine
import RealmCoreEngine
import SQLiteEngine
import SystemIO

package enum SoakEngine {
  package static let all = [
    "native", "native-oldest-reader", "native-objects", "lmdb", "sqlite", "mdbx", "realm-core",
  ]

  /// Errors: `LibraryAbsence` where its library is not on this machine.
  package static func named(_ id: String) throws -> any Engine {
    switch id {
    case "native": NativeEngine.exact
    case "native-oldest-reader": NativeEngine.oldestReader
    case "native-objects": NativeEngine.objects
    case "lmdb": try LMDBEngine()
    case "sqlite": try SQLiteEngine()
    case "mdbx": try MDBXEngine()
    case "realm-core": try RealmCoreEngine()
    default: throw SoakError("there is no engine \(id)")
    }
  }

  static func open(
    _ engine: any Engine, _ folder: FilePath
  ) throws(EngineError) -> any EngineSession {
    try engine.open(
      folder,
      SessionOptions(
        tables: ["rows"], automaticCompaction: engine.capabilities.automatic.isSupported)
    ).session
  }
}

/// Something is not as it must be.
package struct SoakError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
