// The 12-byte identifier of BSON, which Realm's documents use as primary key: seconds, a random part of the process, a
// counter.
public import Foundation

/// An identifier that is unique without coordination, and ordered by the second of its creation.
public struct ObjectId: Hashable, Comparable, Sendable, CustomStringConvertible {
  let bytes: [UInt8]

  init(bytes: [UInt8]) {
    precondition(bytes.count == 12, "An ObjectId has 12 bytes.")
    self.bytes = bytes
  }

  /// Generates a new identifier.
  public init() { self = Self.generate() }

  /// Parses 24 hexadecimal digits. Error `invalidValue` for any other string.
  public init(string: String) throws {
    let values = string.compactMap(\.hexDigitValue)
    guard string.utf8.count == 24, values.count == 24 else {
      throw RealmError(
        .invalidValue, "\"\(string)\" is not an ObjectId, which has 24 hexadecimal digits.")
    }
    bytes = stride(from: 0, to: 24, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
  }

  private static let process = (0..<5).map { _ in UInt8.random(in: 0...255) }
  private static let counter = LockedValue(UInt32.random(in: 0...0xFF_FFFF))

  public static func generate() -> ObjectId {
    let seconds = UInt32(truncatingIfNeeded: Int(Date().timeIntervalSince1970))
    let count = counter.withLock { counter in
      counter = (counter + 1) & 0xFF_FFFF
      return counter
    }
    let time = (0..<4).map { UInt8(truncatingIfNeeded: seconds >> (24 - 8 * $0)) }
    let last = (0..<3).map { UInt8(truncatingIfNeeded: count >> (16 - 8 * $0)) }
    return ObjectId(bytes: time + process + last)
  }

  public var stringValue: String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  public var description: String { stringValue }

  /// The second of its creation.
  public var timestamp: Date {
    Date(timeIntervalSince1970: Double(bytes[..<4].reduce(0) { $0 << 8 | Int($1) }))
  }

  public static func < (a: ObjectId, b: ObjectId) -> Bool {
    a.bytes.lexicographicallyPrecedes(b.bytes)
  }
}
