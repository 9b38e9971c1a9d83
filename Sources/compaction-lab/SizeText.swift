// Sizes that options give, such as "20 MB".
import ArgumentParser
import MetricModel
import PredicateLanguage

enum SizeText {
  /// Returns the bytes; a usage error that names the option where the text is no size.
  static func bytes(_ text: String, of option: String) throws -> ByteCount {
    do {
      let size = try Formula(text, variables: [])
      let isSize = size.dimension { _ in .plain }.fits(.bytes)
      if isSize, case .value(let bytes) = size.evaluate({ _ in nil }), bytes >= 1, bytes < 1e18 {
        return ByteCount(Int(bytes.rounded()))
      }
    } catch { throw ValidationError("\(option): \(error.report)") }
    throw ValidationError("\(option): \"\(text)\" is no size; write one such as \"20 MB\"")
  }
}
