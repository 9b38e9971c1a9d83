// Replaces keys and names by numbers from which they cannot be computed without a secret. The function is SipHash-2-4
// (Aumasson and Bernstein 2012): keyed, of 64 bits, and 15 ns for a number.

/// The secret of a trace. It is never written into the trace; without it keys cannot be recovered, not even by hashing
/// all keys that there could be.
public struct TraceSecret: Sendable {
  let low: UInt64
  let high: UInt64

  /// Draws a new secret. Traces with different secrets have nothing in common.
  public init() {
    var random = SystemRandomNumberGenerator()
    self.init(low: random.next(), high: random.next())
  }

  /// Restores a secret that the app has stored, so that equal keys are equal in several traces of one installation.
  public init(low: UInt64, high: UInt64) { (self.low, self.high) = (low, high) }
}

/// The key of a row as the app has it.
public enum TraceKey: Sendable {
  case integer(Int64)
  case text(String)
  case bytes([UInt8])
}

struct KeyHasher: Sendable {
  private let secret: TraceSecret
  private let keepsOrder: Bool

  /// Streams that have nothing in common: equal numbers of two streams have different hashes.
  private enum Stream: UInt64 {
    case integer = 0
    case text = 1
    case bytes = 2
    case name = 3
    case split = 4
    case offset = 5
    case interval = 6
  }

  init(_ secret: TraceSecret, keepsOrder: Bool) {
    self.secret = secret
    self.keepsOrder = keepsOrder
  }

  /// Returns the number that stands for the key in the trace.
  func number(of key: TraceKey) -> Int64 {
    switch key {
    case .integer(let key):
      keepsOrder
        ? orderedNumber(of: key) : Int64(bitPattern: hash(UInt64(bitPattern: key), .integer))
    case .text(let text): Int64(bitPattern: hash(of: text, .text))
    case .bytes(let bytes): Int64(bitPattern: bytes.withUnsafeBytes { hash($0, .bytes) })
    }
  }

  /// Returns 16 hexadecimal digits that stand for a name.
  func digits(ofName name: String) -> String {
    let text = String(hash(of: name, .name), radix: 16)
    return String(repeating: "0", count: 16 - text.utf8.count) + text
  }

  // MARK: Order

  /// Keys from this magnitude on are hashed: there are not enough numbers to keep their order.
  private static let maxOrdered: UInt64 = 1 << 61

  /// Returns a number with the order and the rough magnitude of `key`: B-trees that take their rows in key order then fill
  /// as they did in the app. The keys from 2ⁿ to 2ⁿ⁺¹ have an interval of numbers that begins at random. Halved again and
  /// again, each half of the keys gets a random share of the numbers that are left over.
  private func orderedNumber(of key: Int64) -> Int64 {
    if key < 0 { return ~orderedNumber(of: ~key) }
    let key = UInt64(key)
    guard key < Self.maxOrdered else {
      return Int64(3 << 61 | hash(key, .integer) >> 3)
    }
    guard key > 0 else { return Int64(hash(0, .offset) & 1) }
    var size: UInt64 = 1 << UInt64(63 - key.leadingZeroBitCount)
    var start = size
    var target = intervalStart(size)
    var targetSize = intervalStart(2 * size) - target
    while size > 1 {
      size /= 2
      let share = number(upTo: targetSize - 2 * size, start + size, .split)
      if key < start + size {
        targetSize = size + share
      } else {
        target += size + share
        targetSize -= size + share
        start += size
      }
    }
    return Int64(target + number(upTo: targetSize - 1, key, .offset))
  }

  /// Returns the first number of the keys from `size`, a power of two, on: from twice to three times it.
  private func intervalStart(_ size: UInt64) -> UInt64 {
    2 * size + number(upTo: size - 1, size, .interval)
  }

  /// Returns a number up to and including `limit` that is random and always the same.
  private func number(upTo limit: UInt64, _ position: UInt64, _ stream: Stream) -> UInt64 {
    (limit + 1).multipliedFullWidth(by: hash(position, stream)).high
  }

  // MARK: SipHash

  private func hash(of text: String, _ stream: Stream) -> UInt64 {
    var text = text
    return text.withUTF8 { hash(UnsafeRawBufferPointer($0), stream) }
  }

  private func hash(_ number: UInt64, _ stream: Stream) -> UInt64 {
    var state = SipState(low: secret.low ^ stream.rawValue, high: secret.high)
    state.feed(number)
    return state.finish(8 << 56)
  }

  private func hash(_ bytes: UnsafeRawBufferPointer, _ stream: Stream) -> UInt64 {
    SipState.hash(bytes, low: secret.low ^ stream.rawValue, high: secret.high)
  }
}

/// The state of SipHash-2-4.
struct SipState {
  private var v0: UInt64
  private var v1: UInt64
  private var v2: UInt64
  private var v3: UInt64

  init(low: UInt64, high: UInt64) {
    v0 = low ^ 0x736f_6d65_7073_6575
    v1 = high ^ 0x646f_7261_6e64_6f6d
    v2 = low ^ 0x6c79_6765_6e65_7261
    v3 = high ^ 0x7465_6462_7974_6573
  }

  static func hash(_ bytes: UnsafeRawBufferPointer, low: UInt64, high: UInt64) -> UInt64 {
    var state = SipState(low: low, high: high)
    let whole = bytes.count & ~7
    for offset in stride(from: 0, to: whole, by: 8) {
      state.feed(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
    }
    var last = UInt64(truncatingIfNeeded: bytes.count) << 56
    for offset in whole..<bytes.count {
      last |= UInt64(bytes[offset]) << UInt64(8 * (offset - whole))
    }
    return state.finish(last)
  }

  mutating func feed(_ word: UInt64) {
    v3 ^= word
    round()
    round()
    v0 ^= word
  }

  mutating func finish(_ last: UInt64) -> UInt64 {
    feed(last)
    v2 ^= 0xff
    for _ in 0..<4 { round() }
    return v0 ^ v1 ^ v2 ^ v3
  }

  private mutating func round() {
    v0 &+= v1
    v1 = v1 << 13 | v1 >> 51
    v1 ^= v0
    v0 = v0 << 32 | v0 >> 32
    v2 &+= v3
    v3 = v3 << 16 | v3 >> 48
    v3 ^= v2
    v0 &+= v3
    v3 = v3 << 21 | v3 >> 43
    v3 ^= v0
    v2 &+= v1
    v1 = v1 << 17 | v1 >> 47
    v1 ^= v2
    v2 = v2 << 32 | v2 >> 32
  }
}
