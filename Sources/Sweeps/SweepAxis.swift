// One varied value of a sweep: its name and the values that it takes.
/// Why a sweep cannot be planned, as a sentence.
package struct SweepError: Error, Sendable, Equatable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

package struct SweepAxis: Sendable, Equatable {
  package enum Values: Sendable, Equatable {
    /// These values, each with all those of the other axes.
    case listed([String])
    /// So many points of the Sobol sequence; the coordinate of each is mapped to the range.
    case sobol(count: Int, SweepRange)
  }

  /// The name of a parameter, or the path of a key.
  package let name: String
  package let values: Values
  /// Whether the values are drawn on a logarithmic scale.
  package let isLogarithmic: Bool

  /// The maximum number of values of an axis.
  package static let maxCount = 10_000

  /// Reads `5 MB..200 MB log 7`, `1..10 lin 4`, `30 %..70 % sobol 32`, or a list such as `1, 2, 5`.
  package init(name: String, parsing text: String) throws(SweepError) {
    self.name = name
    guard let dots = text.firstRange(of: "..") else {
      let list = text.split(separator: ",", omittingEmptySubsequences: false).map(Self.trimmed)
      guard !list.contains("") else { throw Self.malformed(name, text) }
      if let twice = list.first(where: { value in list.count { $0 == value } > 1 }) {
        throw SweepError("\(name): the value \(twice) is given twice; leave one out")
      }
      values = .listed(list)
      isLogarithmic = false
      return
    }
    let low = Self.trimmed(text[..<dots.lowerBound])
    var words = text[dots.upperBound...].split(whereSeparator: \.isWhitespace).map(String.init)
    guard let count = words.popLast().flatMap({ Int($0.filter { $0 != "_" }) }),
      let form = words.popLast(), ["lin", "log", "sobol"].contains(form)
    else { throw Self.malformed(name, text) }
    let isSobolLog = form == "sobol" && words.last == "log"
    if isSobolLog { words.removeLast() }
    guard 2...Self.maxCount ~= count else {
      throw SweepError("\(name): \(count) values; give a number from 2 to \(Self.maxCount)")
    }
    isLogarithmic = form == "log" || isSobolLog
    let range = try SweepRange(
      name: name, low: low, high: words.joined(separator: " "), isLogarithmic: isLogarithmic)
    guard form != "sobol" else {
      values = .sobol(count: count, range)
      return
    }
    let listed = (0..<count).map { range.text(at: Double($0) / Double(count - 1)) }
    guard Set(listed).count == count else {
      throw SweepError(
        "\(name): the range has only \(Set(listed).count) different values; take fewer, or name them: "
          + Set(listed).sorted { $0.count == $1.count ? $0 < $1 : $0.count < $1.count }
          .prefix(8).joined(separator: ", "))
    }
    values = .listed(listed)
  }

  /// The number of values.
  package var count: Int {
    switch values {
    case .listed(let list): list.count
    case .sobol(let count, _): count
    }
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }

  private static func malformed(_ name: String, _ text: String) -> SweepError {
    SweepError(
      "\(name): \"\(text.prefix(60))\" is neither a range such as \"5 MB..200 MB log 7\" (lin, log or sobol, and how many "
        + "values) nor a list such as \"1, 2, 5\"")
  }
}
