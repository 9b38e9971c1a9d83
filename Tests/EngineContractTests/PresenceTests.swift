// The library of an optional engine may be missing where the tests run; then the contract is not asked of that engine, and
// this says so.
import EngineInterface
import Engines
import SystemIO
import Testing

@Suite("Every engine of the catalog is held to the contract")
struct PresenceTests {
  struct Absence: Sendable, CustomTestStringConvertible {
    let entry: EngineEntry
    /// nil where the engine is on this machine.
    let reason: String?
    var testDescription: String { entry.id.rawValue + (reason.map { ": \($0)" } ?? "") }

    init(_ entry: EngineEntry) {
      self.entry = entry
      if case .unavailable(_, let reason) = entry.availability {
        self.reason = reason
      } else {
        reason = nil
      }
    }
  }

  private static let optional = EngineCatalog.entries.filter(\.id.isOptional).map(Absence.init)

  @Test(
    "an optional engine is absent for a reason, or is held to the contract in a version that it names",
    arguments: optional)
  func present(_ found: Absence) throws {
    if let reason = found.reason {
      #expect(!reason.isEmpty)
      return
    }
    let test = try EngineUnderTest.named(found.entry.id.rawValue)
    #expect(!test.engine.capabilities.version.isEmpty)
  }
}
