// Times as logs have them: ISO 8601, or a count since 1970 in seconds, milliseconds or microseconds.

enum LogTime {
  static let millisecondsPerDay = 86_400_000.0

  /// 2001-01-01: a clock before it was never set. No app that logs launches is as old.
  static let minTime: Int64 = 978_307_200_000
  /// 2100-01-01.
  static let maxTime: Int64 = 4_102_444_800_000

  /// Returns milliseconds since 1970; nil for a text that is no time.
  static func milliseconds(_ bytes: ArraySlice<UInt8>) -> Int64? {
    if bytes.count >= 10, bytes[bytes.startIndex + 4] == UInt8(ascii: "-") {
      return calendarTime(bytes)
    }
    guard let number = FieldText.integer(bytes).map(Double.init) ?? FieldText.number(bytes) else {
      return nil
    }
    // Seconds until the year 5138, milliseconds until then too, microseconds above.
    switch abs(number) {
    case ..<1e11: return Int64(number * 1000)
    case ..<1e14: return Int64(number)
    case ..<1e17: return Int64(number / 1000)
    default: return nil
    }
  }

  /// Reads `2026-03-01T10:20:30.25+01:00`; the time of day, its fraction and the zone may be missing.
  private static func calendarTime(_ bytes: ArraySlice<UInt8>) -> Int64? {
    var rest = bytes
    guard let year = digits(4, &rest), skip("-", &rest), let month = digits(2, &rest),
      skip("-", &rest), let day = digits(2, &rest), (1...12).contains(month),
      (1...31).contains(day)
    else { return nil }
    let midnight = days(year: year, month: month, day: day) * 86_400_000
    if rest.isEmpty { return midnight }
    guard skip("T", &rest) || skip(" ", &rest) || skip("t", &rest) else { return nil }
    guard let hour = digits(2, &rest), hour <= 24, skip(":", &rest),
      let minute = digits(2, &rest), minute < 60
    else { return nil }
    var milliseconds = (hour * 60 + minute) * 60_000
    if skip(":", &rest) {
      guard let second = digits(2, &rest), second <= 60 else { return nil }
      milliseconds += second * 1000
      if skip(".", &rest) || skip(",", &rest) { milliseconds += fraction(&rest) }
    }
    guard let offset = zone(&rest), rest.isEmpty else { return nil }
    return midnight + milliseconds - offset * 60_000
  }

  /// Reads the zone, and returns its minutes east of Greenwich. A missing one is UTC.
  private static func zone(_ rest: inout ArraySlice<UInt8>) -> Int64? {
    while skip(" ", &rest) {}
    if rest.isEmpty || skip("Z", &rest) || skip("z", &rest) { return 0 }
    let isWest = rest.first == UInt8(ascii: "-")
    guard skip("+", &rest) || skip("-", &rest), let hours = digits(2, &rest) else { return nil }
    _ = skip(":", &rest)
    let minutes = rest.isEmpty ? 0 : digits(2, &rest)
    guard let minutes, hours <= 14 else { return nil }
    return (isWest ? -1 : 1) * (hours * 60 + minutes)
  }

  /// Reads the digits of a fraction, and returns its milliseconds.
  private static func fraction(_ rest: inout ArraySlice<UInt8>) -> Int64 {
    var value: Int64 = 0
    var unit: Int64 = 100
    while let byte = rest.first, byte >= 0x30, byte <= 0x39 {
      value += Int64(byte - 0x30) * unit
      unit /= 10
      rest = rest.dropFirst()
    }
    return value
  }

  private static func digits(_ count: Int, _ rest: inout ArraySlice<UInt8>) -> Int64? {
    guard rest.count >= count else { return nil }
    var value: Int64 = 0
    for byte in rest.prefix(count) {
      guard byte >= 0x30, byte <= 0x39 else { return nil }
      value = value * 10 + Int64(byte - 0x30)
    }
    rest = rest.dropFirst(count)
    return value
  }

  private static func skip(_ character: Unicode.Scalar, _ rest: inout ArraySlice<UInt8>) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// Days from 1970-01-01 in the Gregorian calendar, by years that begin in March.
  private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }
}
