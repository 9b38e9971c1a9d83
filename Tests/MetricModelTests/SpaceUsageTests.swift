// The formulas of GLOSSARY.md, on figures that can be checked by hand.
import Foundation
import MetricModel
import Testing

@Suite("Space")
struct SpaceUsageTests {
  private static let exact = SpaceUsage(
    file: ByteCount(1000), live: ByteCount(300), free: ByteCount(400), pinned: ByteCount(150),
    pending: ByteCount(50), overhead: ByteCount(100), sidecar: ByteCount(200))

  @Test("usedBytes of a launch counts pinned and pending space as free")
  func usedAtLaunch() {
    #expect(Self.exact.usedAtLaunch == ByteCount(400))
    let estimated = SpaceUsage(file: ByteCount(1000), free: ByteCount(400))
    #expect(estimated.usedAtLaunch == ByteCount(600))
  }

  @Test("used bytes of the automatic trigger count pinned and pending space as used")
  func usedForAutomatic() {
    #expect(Self.exact.usedForAutomatic == ByteCount(600))
  }

  @Test("what an engine cannot tell stays untold")
  func absent() {
    let untold = SpaceUsage(file: ByteCount(1000), sidecar: ByteCount(24))
    #expect(untold.usedAtLaunch == nil)
    #expect(untold.usedForAutomatic == nil)
    #expect(untold.amplification == nil)
    #expect(untold.total == ByteCount(1024))
  }

  @Test("space amplification is all files over live bytes, and none without live bytes")
  func amplification() {
    #expect(Self.exact.amplification == 4)
    var empty = Self.exact
    empty.live = .zero
    #expect(empty.amplification == nil)
  }

  @Test("byte counts add, subtract, multiply and compare as numbers do")
  func arithmetic() {
    #expect(ByteCount(3) + ByteCount(4) - ByteCount(2) == ByteCount(5))
    #expect(3 * ByteCount(4) == ByteCount(12))
    #expect(ByteCount(3) < ByteCount(4))
    #expect(ByteCount(3).ratio(to: ByteCount(2)) == 1.5)
    #expect(ByteCount(3).ratio(to: .zero) == nil)
  }

  @Test("virtual time adds and compares, and keeps microseconds")
  func virtualTime() {
    let time = VirtualTime(seconds: 1.5) + VirtualTime(microseconds: 1)
    #expect(time.microseconds == 1_500_001)
    #expect((time - VirtualTime(seconds: 0.5)).seconds == 1.000001)
    #expect(VirtualTime.zero < time)
  }

  @Test("quantities are saved as plain numbers and come back")
  func codable() throws {
    let data = try JSONEncoder().encode([ByteCount(5), ByteCount(-1)])
    #expect(String(decoding: data, as: UTF8.self) == "[5,-1]")
    #expect(
      try JSONDecoder().decode([ByteCount].self, from: data) == [ByteCount(5), ByteCount(-1)])
    let time = try JSONEncoder().encode([VirtualTime(seconds: 2)])
    #expect(String(decoding: time, as: UTF8.self) == "[2000000]")
    let space = try JSONEncoder().encode(Self.exact)
    #expect(try JSONDecoder().decode(SpaceUsage.self, from: space) == Self.exact)
  }
}
