// Ranges of encoded keys: what a condition on one column leaves of an index, or of a table by its primary key.
import StorageEngine

/// Keys from `lower` up to, not including, `upper`, which is nil for all that follow.
struct KeyRange: Hashable, Sendable {
  var lower: [UInt8]
  var upper: [UInt8]?

  var isEmpty: Bool { upper.map { !lower.lexicographicallyPrecedes($0) } ?? false }

  /// All keys that begin with these bytes.
  init(prefix: [UInt8]) { self.init(from: prefix, to: Self.successor(prefix)) }

  init(from lower: [UInt8], to upper: [UInt8]?) {
    self.lower = lower
    self.upper = upper
  }

  /// Returns the first key after all that begin with these bytes; nil if there is none.
  static func successor(_ prefix: [UInt8]) -> [UInt8]? {
    var bytes = prefix
    while let last = bytes.popLast() {
      if last < .max { return bytes + [last + 1] }
    }
    return nil
  }

  fileprivate func contains(upperOf other: KeyRange) -> Bool {
    guard let upper else { return true }
    return other.upper.map { !upper.lexicographicallyPrecedes($0) } ?? false
  }
}

/// Disjoint ranges in ascending order.
struct KeyRanges: Equatable, Sendable {
  private(set) var ranges: [KeyRange]

  static let none = KeyRanges([])

  /// Merges ranges that overlap or meet.
  init(_ ranges: [KeyRange]) {
    let sorted = ranges.filter { !$0.isEmpty }
      .sorted { $0.lower.lexicographicallyPrecedes($1.lower) }
    var merged: [KeyRange] = []
    for range in sorted {
      guard let last = merged.last, let end = last.upper else {
        if merged.isEmpty { merged.append(range) }
        continue
      }
      if end.lexicographicallyPrecedes(range.lower) {
        merged.append(range)
      } else if !last.contains(upperOf: range) {
        merged[merged.count - 1].upper = range.upper
      }
    }
    self.ranges = merged
  }

  func union(_ other: KeyRanges) -> KeyRanges { KeyRanges(ranges + other.ranges) }

  func intersection(_ other: KeyRanges) -> KeyRanges {
    var common: [KeyRange] = []
    var (index, otherIndex) = (0, 0)
    while index < ranges.count, otherIndex < other.ranges.count {
      let (a, b) = (ranges[index], other.ranges[otherIndex])
      let lower = a.lower.lexicographicallyPrecedes(b.lower) ? b.lower : a.lower
      let aEndsFirst = b.contains(upperOf: a)
      common.append(KeyRange(from: lower, to: aEndsFirst ? a.upper : b.upper))
      if aEndsFirst { index += 1 } else { otherIndex += 1 }
    }
    return KeyRanges(common)
  }
}

/// How the values of a column are encoded in keys: a byte for null, then ordered bytes.
enum KeyEncoding: Sendable {
  /// Keys of rows: complete values.
  case primaryKey
  /// Keys of index entries: of strings and data the first bytes and a zero, then the row's key. Entries of two values may
  /// lie in the other order if one value has a zero byte or is cut, so ranges of them are a little too long.
  case index

  private static let null: [UInt8] = [0]
  private static let notNull: [UInt8] = [1]

  /// Returns ranges that contain all keys of values that match; nil if these are not known, or nearly all.
  func ranges(_ comparison: QueryCondition.Comparison, _ value: ColumnValue) -> KeyRanges? {
    if value.isNull {
      return switch comparison {
      case .equal: KeyRanges([KeyRange(prefix: Self.null)])
      case .notEqual: KeyRanges([KeyRange(from: Self.notNull, to: nil)])
      default: KeyRanges.none
      }
    }
    guard !value.isNaN else { return comparison == .notEqual ? nil : KeyRanges.none }
    switch comparison {
    case .notEqual: return nil
    case .equal: return KeyRanges([KeyRange(from: start(of: value), to: end(of: value))])
    case .less: return KeyRanges([KeyRange(from: Self.notNull, to: startOrEnd(of: value))])
    case .lessOrEqual: return KeyRanges([KeyRange(from: Self.notNull, to: end(of: value))])
    case .greater: return KeyRanges([KeyRange(from: endOrStart(of: value), to: nil)])
    case .greaterOrEqual:
      return KeyRanges([KeyRange(from: start(of: value, isExact: false), to: nil)])
    }
  }

  /// Returns the range of the keys of strings that begin with these bytes.
  func ranges(prefix: [UInt8]) -> KeyRanges {
    KeyRanges([KeyRange(prefix: Self.notNull + cut(prefix))])
  }

  // MARK: Ends of ranges

  private func cut(_ bytes: [UInt8]) -> [UInt8] {
    self == .index ? Array(bytes.prefix(IndexEntry.maxIndexedLength)) : bytes
  }

  /// The first key of the value. With `isExact` it is not before those of other values.
  private func start(of value: ColumnValue, isExact: Bool = true) -> [UInt8] {
    let bytes = Self.notNull + (value.isText ? cut(value.orderedBytes) : value.orderedBytes)
    return self == .index && value.isText && isExact ? bytes + [0] : bytes
  }

  /// The first key after those of the value and of all smaller ones.
  private func end(of value: ColumnValue) -> [UInt8]? {
    let bytes = start(of: value)
    guard value.isText else { return KeyRange.successor(bytes) }
    guard self == .index else { return bytes + [0] }
    // Up to the first zero: a shorter value's entry may have a row's key where this one has more bytes.
    let zero = bytes.dropFirst().firstIndex(of: 0) ?? bytes.endIndex - 1
    return KeyRange.successor(Array(bytes[...zero]))
  }

  /// The end of the keys of smaller values: in an index, that of the value's own entries where these may be mixed.
  private func startOrEnd(of value: ColumnValue) -> [UInt8]? {
    self == .index && value.isText ? end(of: value) : start(of: value)
  }

  private func endOrStart(of value: ColumnValue) -> [UInt8] {
    if self == .index, value.isText { return start(of: value, isExact: false) }
    // Behind the greatest key there is no other.
    return end(of: value) ?? [.max, .max]
  }
}

extension ColumnValue {
  fileprivate var isText: Bool {
    switch self {
    case .string, .data: true
    default: false
    }
  }

  fileprivate var isNaN: Bool {
    switch self {
    case .double(let value): value.isNaN
    case .date(let value): value.timeIntervalSinceReferenceDate.isNaN
    default: false
    }
  }
}

// MARK: Ranges of a condition

extension QueryCondition {
  /// Returns ranges that contain the keys of all rows that match, as far as one column determines them; nil for all keys.
  func ranges(_ column: Int, _ encoding: KeyEncoding) -> KeyRanges? {
    switch self {
    case .compare(column, let comparison, let value): return encoding.ranges(comparison, value)
    case .contained(column, let members):
      return KeyRanges(members.flatMap { encoding.ranges(.equal, $0)?.ranges ?? [] })
    case .text(column, let match):
      guard let prefix = match.prefix, !prefix.isEmpty else { return nil }
      return match.operation == .equals
        ? encoding.ranges(.equal, .string(match.operand)) : encoding.ranges(prefix: prefix)
    case .and(let a, let b):
      guard let left = a.ranges(column, encoding) else { return b.ranges(column, encoding) }
      return b.ranges(column, encoding).map { left.intersection($0) } ?? left
    case .or(let a, let b):
      guard let left = a.ranges(column, encoding), let right = b.ranges(column, encoding) else {
        return nil
      }
      return left.union(right)
    case .always, .compare, .contained, .text, .linked, .computed, .not: return nil
    }
  }
}
