// Sizes and durations that options give, such as "20 MB" and "5 s".
import ArgumentParser
import MetricModel
import PredicateLanguage

enum SizeText {
  /// Returns the bytes; a usage error that names the option where the text is no size.
  static func bytes(_ text: String, of option: String) throws -> ByteCount {
    let bytes = try QuantityText.value(text, of: option, .bytes)
    guard let bytes, bytes >= 1, bytes < 1e18 else {
      throw ValidationError("\(option): \"\(text)\" is no size; write one such as \"20 MB\"")
    }
    return ByteCount(Int(bytes.rounded()))
  }
}

enum DurationText {
  /// A year.
  private static let maxSeconds = 365.0 * 86_400

  /// Returns the nanoseconds; a usage error that names the option where the text is no duration of at least `min` seconds.
  static func nanoseconds(_ text: String, of option: String, min: Double) throws -> UInt64 {
    let seconds = try QuantityText.value(text, of: option, .seconds, needsUnit: true)
    guard let seconds else {
      throw ValidationError("\(option): \"\(text)\" is no duration; write one such as \"5 s\"")
    }
    guard seconds >= min, seconds <= maxSeconds else {
      throw ValidationError(
        "\(option): must be from \(min) s to \(Int(maxSeconds)) s, not \(text)")
    }
    return UInt64((seconds * 1e9).rounded())
  }
}

private enum QuantityText {
  /// Returns the value in the base unit of what it measures; nil where it measures something else, or has no unit and needs
  /// one.
  static func value(
    _ text: String, of option: String, _ dimension: Dimension, needsUnit: Bool = false
  ) throws -> Double? {
    do throws(PredicateError) {
      let formula = try Formula(text, variables: [])
      let measured = formula.dimension { _ in .plain }
      guard measured.fits(dimension), !needsUnit || measured != .plain,
        case .value(let value) = formula.evaluate({ _ in nil })
      else { return nil }
      return value
    } catch { throw ValidationError("\(option): \(error.report)") }
  }
}
