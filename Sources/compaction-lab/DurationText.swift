// Durations that options give, such as "5 s".
import ArgumentParser
import PredicateLanguage

enum DurationText {
  /// Returns the nanoseconds; a usage error that names the option where the text is no duration of at least `min` seconds.
  static func nanoseconds(_ text: String, of option: String, min: Double) throws -> UInt64 {
    do {
      let duration = try Formula(text, variables: [])
      let dimension = duration.dimension { _ in .plain }
      if dimension.fits(.seconds), !dimension.fits(.bytes),
        case .value(let seconds) = duration.evaluate({ _ in nil })
      {
        guard seconds >= min, seconds <= maxSeconds else {
          throw ValidationError(
            "\(option): must be from \(min) s to \(Int(maxSeconds)) s, not \(text)")
        }
        return UInt64((seconds * 1e9).rounded())
      }
    } catch let error as PredicateError { throw ValidationError("\(option): \(error.report)") }
    throw ValidationError("\(option): \"\(text)\" is no duration; write one such as \"5 s\"")
  }

  /// A year.
  private static let maxSeconds = 365.0 * 86_400
}
