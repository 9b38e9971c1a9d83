// The two encodings of a value: in a record, and in the key of a row or index entry.
import Foundation

extension ColumnValue {
  /// The length of the value in a record.
  var byteCount: Int {
    switch self {
    case .null: 0
    case .bool: 1
    case .int, .double, .date: 8
    case .objectId: 12
    case .uuid: 16
    case .string(let value): value.utf8.count
    case .data(let value): value.count
    }
  }

  /// Writes the value's bytes and returns how many there are.
  func encode(to target: UnsafeMutableRawPointer) -> Int {
    switch self {
    case .null: break
    case .int(let value): target.storeBytes(of: value.littleEndian, as: Int64.self)
    case .bool(let value): target.storeBytes(of: value ? 1 : 0, as: UInt8.self)
    case .double(let value):
      target.storeBytes(of: value.bitPattern.littleEndian, as: UInt64.self)
    case .date(let value):
      let bits = value.timeIntervalSinceReferenceDate.bitPattern
      target.storeBytes(of: bits.littleEndian, as: UInt64.self)
    case .uuid(let value): target.storeBytes(of: value.uuid, as: uuid_t.self)
    case .objectId(let value): value.bytes.withUnsafeBytes { Self.copy($0, target) }
    case .string(var value): value.withUTF8 { Self.copy(UnsafeRawBufferPointer($0), target) }
    case .data(let value): value.withUnsafeBytes { Self.copy($0, target) }
    }
    return byteCount
  }

  private static func copy(_ bytes: UnsafeRawBufferPointer, _ target: UnsafeMutableRawPointer) {
    if let start = bytes.baseAddress { target.copyMemory(from: start, byteCount: bytes.count) }
  }

  /// Decodes a value of this kind from a record's bytes; nil if they are not one.
  init?(_ kind: ColumnKind, _ bytes: UnsafeRawBufferPointer) {
    switch kind {
    case .int:
      guard bytes.count == 8 else { return nil }
      self = .int(Int64(bitPattern: bytes.littleEndian()))
    case .bool:
      guard bytes.count == 1 else { return nil }
      self = .bool(bytes[0] != 0)
    case .double:
      guard bytes.count == 8 else { return nil }
      self = .double(Double(bitPattern: bytes.littleEndian()))
    case .string: self = .string(String(decoding: bytes, as: UTF8.self))
    case .data: self = .data(Data(bytes))
    case .date:
      guard bytes.count == 8 else { return nil }
      self = .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: bytes.littleEndian())))
    case .uuid:
      guard bytes.count == 16 else { return nil }
      self = .uuid(UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)))
    case .objectId:
      guard bytes.count == 12 else { return nil }
      self = .objectId(ObjectId(bytes: Array(bytes)))
    }
  }

  /// The value in an encoding whose byte order is the order of the values: for primary keys and indexes.
  var orderedBytes: [UInt8] {
    switch self {
    case .null: []
    case .int(let value): Self.bigEndian(UInt64(bitPattern: value) ^ 1 << 63)
    case .bool(let value): [value ? 1 : 0]
    case .double(let value): Self.bigEndian(Self.ordered(value))
    case .date(let value): Self.bigEndian(Self.ordered(value.timeIntervalSinceReferenceDate))
    case .string(let value): Array(value.utf8)
    case .data(let value): Array(value)
    case .uuid(let value): withUnsafeBytes(of: value.uuid) { Array($0) }
    case .objectId(let value): value.bytes
    }
  }

  private static func bigEndian(_ value: UInt64) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }

  /// Inverts all bits of a negative number and only the sign of others. Both zeros become one.
  private static func ordered(_ value: Double) -> UInt64 {
    let bits = (value == 0 ? 0 : value).bitPattern
    return bits >> 63 == 1 ? ~bits : bits | 1 << 63
  }
}
