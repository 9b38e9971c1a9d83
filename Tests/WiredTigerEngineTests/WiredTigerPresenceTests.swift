// The library is taken from the system or as it is named; another one is refused with what is wrong about it.
import EngineInterface
import SystemIO
import TestSupport
import Testing

@testable import WiredTigerEngine

@Suite("WiredTiger's library")
struct WiredTigerPresenceTests {
  @Test("a missing library is a reason that names what was tried and the cure")
  func missing() throws {
    var request = WiredTigerLibrary.request
    request.names = ["/nowhere/libwiredtiger.so"]
    let absence = try #require(throws: LibraryAbsence.self) {
      try SharedLibrary(request, environment: [:])
    }
    #expect(absence.description.contains("/nowhere/libwiredtiger.so"))
    #expect(absence.description.contains("build libwiredtiger.so 11.3"))
    #expect(absence.description.contains("COMPACTION_LAB_WIREDTIGER"))
  }

  @Test("another library is refused because a function of WiredTiger is missing")
  func other() throws {
    let library = try SharedLibrary(
      LibraryRequest(
        title: "WiredTiger", names: ["libm.so.6", "libSystem.dylib"], variable: "NONE",
        cure: "none"))
    let absence = try #require(throws: LibraryAbsence.self) { try WiredTigerLibrary(library) }
    #expect(absence.description.contains("it has no wiredtiger_version"))
  }

  private static let debian = try? SharedLibrary(
    LibraryRequest(
      title: "WiredTiger", names: ["libwiredtiger.so.0"], variable: "NONE", cure: "none"))

  @Test(
    "a library of another version is refused, as its handles are laid out otherwise",
    .enabled(if: debian != nil, "Debian's libwiredtiger0 is not installed"))
  func otherVersion() throws {
    let library = try #require(Self.debian)
    let absence = try #require(throws: LibraryAbsence.self) { try WiredTigerLibrary(library) }
    #expect(absence.description.contains("it is version 3.2.1, and 11.3 is known"))
  }

  @Test("the version is that of the library", .enabled(if: hasWiredTiger))
  func version() throws {
    try #expect(WiredTigerEngine().capabilities.version.hasPrefix("WiredTiger 11.3."))
  }
}
