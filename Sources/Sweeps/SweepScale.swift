// The values of an axis as numbers in one unit, for tables and pictures.

package struct SweepScale: Sendable, Equatable {
  /// The numbers, in the order of the values.
  package let numbers: [Double]
  /// The unit as the end of a column's name: `bytes`, `us`, `percent`, `commits`; empty for plain numbers.
  package let unit: String

  /// Nil unless all values are numbers of one kind.
  package init?(_ values: [String]) {
    let quantities = values.map { SweepQuantity($0) }
    guard let kind = quantities.first??.kind, quantities.allSatisfy({ $0?.kind == kind }) else {
      return nil
    }
    numbers = quantities.compactMap { $0?.value }
    unit =
      switch kind {
      case .bytes: "bytes"
      case .microseconds: "us"
      case .percent: "percent"
      case .commits: "commits"
      case .plain(let unit):
        unit.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.joined(separator: "_")
      }
  }
}
