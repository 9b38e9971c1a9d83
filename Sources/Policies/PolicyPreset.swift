// Policies with a name that stand for a predicate with one number in it.
package import PredicateLanguage

/// A named rule for launches: `rent-or-buy(8 h)`.
package struct PolicyPreset: Sendable {
  package let name: String
  /// The number where none is given.
  package let usual: String
  package let meaning: String
  /// The predicate, with `#` for the number.
  private let pattern: String

  /// Those that were worth a name over the scenarios (Reports/Policies.md). One that counts pinned bytes as used was not: it
  /// was better than the condition without them in 3 of 62 cells.
  package static let all = [
    PolicyPreset(
      name: "rent-or-buy", usual: "8 h",
      meaning: "compaction when the bytes above `usedBytes` × their time reach `usedBytes` × 8 h",
      pattern: "wasteSinceCompaction >= # * usedBytes"),
    PolicyPreset(
      name: "square-root", usual: "20 MB",
      meaning: "compaction when the bytes above `usedBytes` reach the root of 20 MB × `usedBytes`",
      pattern: "totalBytes - usedBytes >= sqrt(# * usedBytes)"),
    PolicyPreset(
      name: "multiple", usual: "2", meaning: "compaction of a file longer than 2 × `usedBytes`",
      pattern: "totalBytes > # * usedBytes"),
  ]

  /// `rent-or-buy(8 h)`.
  package var form: String { "\(name)(\(usual))" }

  static func named(_ name: String) -> PolicyPreset? { all.first { $0.name == name } }

  /// Returns the predicate with this number in it.
  package func predicate(_ number: String) throws(PredicateError) -> Predicate {
    try Predicate(observed: pattern.replacing("#", with: number))
  }
}
