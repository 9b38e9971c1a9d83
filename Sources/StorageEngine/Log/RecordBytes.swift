// The encoding of commit records: unsigned integers of seven bits a byte, least significant first (LEB128), so that the
// difference of a few extents takes a few dozen bytes.

struct RecordWriter: ~Copyable {
  private var bytes = UniqueList<UInt8>(capacity: 4096)

  mutating func removeAll() { bytes.removeAll() }
  var buffer: UnsafeMutableBufferPointer<UInt8> { bytes.buffer }
  var count: Int { bytes.count }

  /// The most bytes that an integer takes.
  private static let maxBytes = 10

  @inline(__always)
  mutating func put(_ value: UInt64) {
    bytes.append(atMost: Self.maxBytes) { target in
      var rest = value
      var count = 0
      while rest >= 0x80 {
        target[count] = UInt8(truncatingIfNeeded: rest) | 0x80
        rest >>= 7
        count &+= 1
      }
      target[count] = UInt8(truncatingIfNeeded: rest)
      return count &+ 1
    }
  }

  mutating func put(_ value: Int) { put(UInt64(value)) }

  /// Appends an integer of eight bytes whose value may be set later. Returns its offset.
  @discardableResult
  mutating func putFixed(_ value: UInt64) -> Int {
    let offset = bytes.count
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
    return offset
  }

  /// Appends zeros up to a length. Readers end before them.
  mutating func pad(to length: Int) {
    while bytes.count < length { bytes.append(0) }
  }

  mutating func put(byte: UInt8) { bytes.append(byte) }

  mutating func set(_ source: [UInt8], at offset: Int) {
    for (index, byte) in source.enumerated() { bytes[offset + index] = byte }
  }

  mutating func setFixed(_ value: UInt64, at offset: Int) {
    for index in 0..<8 {
      bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (UInt64(index) * 8))
    }
  }

  mutating func put(bytes source: UnsafeRawBufferPointer) {
    put(source.count)
    for byte in source { bytes.append(byte) }
  }
}

/// Decodes what `RecordWriter` wrote, from bytes that must outlive the reader. A record that ends early or contains a number
/// out of range is corrupt.
struct RecordReader {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0
  let version: UInt64

  init(_ bytes: UnsafeRawBufferPointer, version: UInt64) {
    self.bytes = bytes
    self.version = version
  }

  func corrupt(_ what: String) -> StorageError {
    StorageError(.corrupt, "The commit record of version \(version): \(what).")
  }

  mutating func get() throws(StorageError) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while position < bytes.count, shift < 64 {
      let byte = bytes[position]
      position += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    throw corrupt("a number runs past the end")
  }

  /// Reads a count, an offset or a size.
  mutating func number(upTo limit: Int = Layout.maxFileSize) throws(StorageError) -> Int {
    let value = try get()
    guard value <= UInt64(limit) else { throw corrupt("\(value) exceeds the maximum of \(limit)") }
    return Int(value)
  }

  /// Reads the number of entries that follow, each of two numbers at least: no more than there are bytes for behind it.
  mutating func count() throws(StorageError) -> Int {
    try number(upTo: max(0, bytes.count - position - 1) / 2)
  }

  mutating func fixed() throws(StorageError) -> UInt64 {
    guard position + 8 <= bytes.count else { throw corrupt("it ends early") }
    defer { position += 8 }
    return (bytes.baseAddress! + position).u64(0)
  }

  mutating func bytes(_ count: Int) throws(StorageError) -> [UInt8] {
    guard position + count <= bytes.count else { throw corrupt("it ends early") }
    defer { position += count }
    return Array(bytes[position..<position + count])
  }

  mutating func string() throws(StorageError) -> String {
    let count = try number(upTo: Layout.maxNameLength)
    guard position + count <= bytes.count else { throw corrupt("it ends early") }
    defer { position += count }
    return String(decoding: bytes[position..<position + count], as: UTF8.self)
  }
}
