// The engines that a soak can be asked for, and how all of its processes open them: with what the engine does by itself
// where it does something, since that is what must go well for hours.
package import EngineInterface
import Engines
import MetricModel
import SystemIO

package enum SoakEngine {
  package static let all = EngineCatalog.entries.filter(\.declared.keepsRows).map(\.id.rawValue)

  /// Errors: `LibraryAbsence` where its library is not on this machine.
  package static func named(_ id: String) throws -> any Engine {
    guard let known = EngineIdentifier(rawValue: id) else {
      throw SoakError("there is no engine \(id)")
    }
    return try EngineCatalog.entry(of: known).open()
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
