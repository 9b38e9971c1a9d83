// libmdbx may be missing where the tests run; then its tests are skipped, for the reason that this one shows.
import MDBXEngine
import SystemIO
import Testing

@Suite("libmdbx is on the machine, or its tests are skipped")
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

  @Test("the adapter has the library's version", .disabled(if: absence != nil, "\(absence ?? "")"))
  func present() throws {
    #expect(try MDBXEngine().capabilities.version.hasPrefix("libmdbx 0.1"))
  }
}
