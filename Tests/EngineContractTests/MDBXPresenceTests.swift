// libmdbx may be missing where the tests run; then the contract is not asked of it, and this says so.
import MDBXEngine
import SystemIO
import Testing

@Suite("libmdbx is among the engines that the contract is asked of")
struct MDBXPresenceTests {
  /// Why it is not on this machine; nil where it is.
  static let absence: String? = {
    do throws(LibraryAbsence) {
      _ = try MDBXEngine()
      return nil
    } catch {
      return "\(error)"
    }
  }()

  @Test(
    "its version is told and its adapter is held to the contract",
    .disabled(if: absence != nil, "\(absence ?? "")"))
  func present() throws {
    let engine = try MDBXEngine()
    #expect(EngineUnderTest.all.contains { $0.engine.id == engine.id })
    #expect(engine.capabilities.version.hasPrefix("libmdbx 0.1"))
  }
}
