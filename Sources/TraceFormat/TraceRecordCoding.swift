// Encodes records as bytes and decodes them. Repeated parts are omitted: thread, time and table are stored where they
// change, keys and sizes as differences, texts once for each block. Every block begins with a fresh state, so that it can
// be decoded alone.

/// The values of earlier records of the block, relative to which a record is stored.
private struct CodingState {
  var thread = 0
  var time = 0
  var table = 0
  var key: Int64 = 0
  var size = 0
  var texts: [String] = []
}

/// The flags in a record's first byte, whose lower five bits are the operation.
private enum Flag {
  static let time: UInt8 = 0x80
  static let table: UInt8 = 0x40
  static let thread: UInt8 = 0x20
  static let operation: UInt8 = 0x1F
}

struct RecordEncoder {
  private(set) var bytes: [UInt8] = []
  private var past = CodingState()
  private var check = CyclicCode8()
  private var numbers: [String: Int] = [:]
  private(set) var count = 0

  init() { bytes.reserveCapacity(TraceLayout.targetBlockLength + 8192) }

  /// Resets the state for the next block.
  mutating func reset() {
    bytes.removeAll(keepingCapacity: true)
    numbers.removeAll(keepingCapacity: true)
    past = CodingState()
    check = CyclicCode8()
    count = 0
  }

  mutating func append(_ record: TraceRecord) {
    let start = bytes.count
    let hasTable = record.operation.parts.contains { $0.storage == .table }
    var first = record.operation.rawValue
    if record.time != past.time { first |= Flag.time }
    if record.thread != past.thread { first |= Flag.thread }
    if hasTable, record.table != past.table { first |= Flag.table }
    bytes.append(first)
    if first & Flag.time != 0 { append(varint: UInt64(record.time - past.time)) }
    if first & Flag.thread != 0 { append(varint: UInt64(record.thread)) }
    if first & Flag.table != 0 { append(varint: UInt64(record.table)) }
    past.time = record.time
    past.thread = record.thread
    if hasTable { past.table = record.table }
    for part in record.operation.parts {
      switch part.storage {
      case .table: break
      case .key:
        append(difference: record.key &- past.key)
        past.key = record.key
      case .number: append(varint: UInt64(record.number))
      case .size:
        append(difference: Int64(record.size - past.size))
        past.size = record.size
      case .amount: append(varint: UInt64(record.size))
      case .text: append(text: record.text)
      }
    }
    check.feed(bytes[start...])
    bytes.append(check.value)
    count += 1
  }

  private mutating func append(varint value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Appends a difference of either sign, small ones in few bytes: 0, -1, 1, -2 … as 0, 1, 2, 3 …
  private mutating func append(difference: Int64) {
    append(varint: UInt64(bitPattern: (difference << 1) ^ (difference >> 63)))
  }

  private mutating func append(text: String) {
    if let number = numbers[text] { return append(varint: UInt64(number)) }
    append(varint: 0)
    append(varint: UInt64(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
    numbers[text] = numbers.count + 1
  }
}

/// Why bytes cannot be decoded as a record.
enum RecordFault: Error {
  case cutOff
  case unknownOperation(UInt8)
  case outOfRange(String)
  case check(stored: UInt8, computed: UInt8)

  var message: String {
    switch self {
    case .cutOff: "it extends past the end of its block"
    case .unknownOperation(let code): "\(code) is not an operation"
    case .outOfRange(let part): "its \(part) is out of range"
    case .check(let stored, let computed):
      "its check byte is \(stored), but its bytes have \(computed)"
    }
  }
}

struct RecordDecoder {
  private var past = CodingState()
  private var check = CyclicCode8()
  /// The offset of the next record.
  private(set) var offset = 0

  /// Returns the record at `offset`, and moves `offset` past it.
  mutating func next(_ bytes: UnsafeRawBufferPointer) throws(RecordFault) -> TraceRecord {
    let start = offset
    let first = try byte(bytes)
    guard let operation = TraceOperation(rawValue: first & Flag.operation) else {
      throw .unknownOperation(first & Flag.operation)
    }
    if first & Flag.time != 0 {
      past.time = try added(past.time, try number(bytes, "time"), "time")
    }
    if first & Flag.thread != 0 { past.thread = try number(bytes, "thread") }
    if first & Flag.table != 0 { past.table = try number(bytes, "table") }
    var record = TraceRecord(operation, thread: past.thread, time: past.time)
    for part in operation.parts { try read(part, bytes, into: &record) }
    check.feed(bytes[start..<offset])
    let stored = try byte(bytes)
    guard stored == check.value else { throw .check(stored: stored, computed: check.value) }
    return record
  }

  private mutating func read(
    _ part: TraceOperation.Part, _ bytes: UnsafeRawBufferPointer, into record: inout TraceRecord
  ) throws(RecordFault) {
    switch part.storage {
    case .table: record.table = past.table
    case .key:
      past.key = past.key &+ (try difference(bytes))
      record.key = past.key
    case .number: record.number = try number(bytes, part.name)
    case .size:
      guard let difference = Int(exactly: try difference(bytes)) else { throw .outOfRange("size") }
      past.size = try added(past.size, difference, "size")
      guard (0...TraceLayout.maxValueLength).contains(past.size) else { throw .outOfRange("size") }
      record.size = past.size
    case .amount: record.size = try number(bytes, part.name)
    case .text: record.text = try text(bytes, part.name)
    }
  }

  private func added(_ a: Int, _ b: Int, _ name: String) throws(RecordFault) -> Int {
    let (sum, overflow) = a.addingReportingOverflow(b)
    if overflow { throw .outOfRange(name) }
    return sum
  }

  private mutating func byte(_ bytes: UnsafeRawBufferPointer) throws(RecordFault) -> UInt8 {
    guard offset < bytes.count else { throw .cutOff }
    defer { offset += 1 }
    return bytes[offset]
  }

  private mutating func varint(_ bytes: UnsafeRawBufferPointer) throws(RecordFault) -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: 0, to: 64, by: 7) {
      let next = try byte(bytes)
      let part = UInt64(next & 0x7F)
      if shift == 63, part > 1 { throw .outOfRange("number") }
      value |= part << UInt64(shift)
      if next & 0x80 == 0 { return value }
    }
    throw .outOfRange("number")
  }

  private mutating func number(
    _ bytes: UnsafeRawBufferPointer, _ name: String
  ) throws(RecordFault) -> Int {
    guard let number = Int(exactly: try varint(bytes)) else { throw .outOfRange(name) }
    return number
  }

  private mutating func difference(_ bytes: UnsafeRawBufferPointer) throws(RecordFault) -> Int64 {
    let value = try varint(bytes)
    return Int64(bitPattern: (value >> 1) ^ (0 &- (value & 1)))
  }

  private mutating func text(
    _ bytes: UnsafeRawBufferPointer, _ name: String
  ) throws(RecordFault) -> String {
    let number = try number(bytes, name)
    if number > 0 {
      guard number <= past.texts.count else { throw .outOfRange(name) }
      return past.texts[number - 1]
    }
    let length = try self.number(bytes, name)
    guard length <= TraceLayout.maxTextLength else { throw .outOfRange(name) }
    guard offset + length <= bytes.count else { throw .cutOff }
    let text = String(decoding: bytes[offset..<offset + length], as: UTF8.self)
    offset += length
    past.texts.append(text)
    return text
  }
}
