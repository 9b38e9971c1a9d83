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
    case .float: 4
    case .link(let key): key.linkByteCount
    case .list: 16
    case .members: 8
    }
  }

  /// The value's bytes in a record.
  var recordBytes: [UInt8] {
    let length = byteCount
    // An array that is initialized without capacity writes its count into the empty array that all threads share.
    guard length > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
      if let start = buffer.baseAddress { count = encode(to: start) }
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
    case .float(let value): target.storeBytes(of: value.bitPattern.littleEndian, as: UInt32.self)
    case .link(let key): key.encodeLink(to: target)
    case .list(let first, let count):
      target.storeBytes(of: first.littleEndian, as: Int64.self)
      target.storeBytes(of: count.littleEndian, toByteOffset: 8, as: Int64.self)
    case .members(let count): target.storeBytes(of: count.littleEndian, as: Int64.self)
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
    case .float:
      guard bytes.count == 4 else { return nil }
      self = .float(Float(bitPattern: bytes.littleEndian()))
    case .link:
      guard let key = RowKey(linkBytes: bytes) else { return nil }
      self = .link(key)
    case .list:
      guard bytes.count == 16 else { return nil }
      self = .list(
        first: Int64(bitPattern: bytes.littleEndian()),
        count: Int64(bitPattern: bytes.littleEndian(8)))
    case .members:
      guard bytes.count == 8 else { return nil }
      self = .members(Int64(bitPattern: bytes.littleEndian()))
    }
  }

  /// The value in an encoding whose byte order is the order of the values: for primary keys and indexes.
  var orderedBytes: [UInt8] {
    switch self {
    case .null, .list, .members: []
    case .int(let value): Self.bigEndian(UInt64(bitPattern: value) ^ 1 << 63)
    case .bool(let value): [value ? 1 : 0]
    case .double(let value): Self.bigEndian(Self.ordered(value))
    case .date(let value): Self.bigEndian(Self.ordered(value.timeIntervalSinceReferenceDate))
    case .string(let value): Array(value.utf8)
    case .data(let value): Array(value)
    case .uuid(let value): withUnsafeBytes(of: value.uuid) { Array($0) }
    case .objectId(let value): value.bytes
    case .float(let value): Self.bigEndian(Self.ordered(value))
    case .link(let key): key.linkBytes
    }
  }

  /// Decodes ordered bytes of this kind; nil if they are not such bytes.
  init?(_ kind: ColumnKind, ordered bytes: UnsafeRawBufferPointer) {
    switch kind {
    case .int:
      guard bytes.count == 8 else { return nil }
      self = .int(Int64(bitPattern: Self.number(bytes) ^ 1 << 63))
    case .double, .date:
      guard bytes.count == 8 else { return nil }
      let bits = Self.number(bytes)
      let value = Double(bitPattern: bits >> 63 == 1 ? bits & ~(1 << 63) : ~bits)
      self = kind == .double ? .double(value) : .date(Date(timeIntervalSinceReferenceDate: value))
    case .float:
      guard bytes.count == 4 else { return nil }
      let bits = UInt32(truncatingIfNeeded: Self.number(bytes))
      self = .float(Float(bitPattern: bits >> 31 == 1 ? bits & ~(1 << 31) : ~bits))
    case .bool, .string, .data, .uuid, .objectId, .link: self.init(kind, bytes)
    case .list, .members: return nil
    }
  }

  private static func number(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }

  /// Inverts all bits of a negative number and only the sign of others. Both zeros become one.
  private static func ordered(_ value: Double) -> UInt64 {
    let bits = (value == 0 ? 0 : value).bitPattern
    return bits >> 63 == 1 ? ~bits : bits | 1 << 63
  }

  private static func ordered(_ value: Float) -> UInt32 {
    let bits = (value == 0 ? 0 : value).bitPattern
    return bits >> 31 == 1 ? ~bits : bits | 1 << 31
  }
}
