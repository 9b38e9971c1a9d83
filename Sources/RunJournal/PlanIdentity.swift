// What makes two runs parts of one: the facts on which a plan's results depend.
package import RecordModel

/// The facts of a plan. Results of one plan may be put together; those of another are refused.
package struct PlanIdentity: Sendable, Codable, Equatable {
  /// The facts that are the same on every machine: scenario, engines with versions, seed, options.
  package var facts: [Fingerprint.Fact]
  /// The facts of this machine and this build of the program. A journal is continued by the same build; if its plan has
  /// timed figures, on the same machine.
  package var localFacts: [Fingerprint.Fact]

  package init(facts: [Fingerprint.Fact], localFacts: [Fingerprint.Fact]) {
    self.facts = facts
    self.localFacts = localFacts
  }

  /// The digest of the facts that are the same on every machine: 32 hexadecimal digits.
  package var digest: String {
    var line = CSVLine()
    for fact in facts {
      line.append(fact.name)
      line.append(fact.value)
      line.endRow()
    }
    return SampleDigest.of(bytes: line.bytes)
  }

  /// Returns the facts in which the plans differ, in words: empty for the same plan. Digests are left out of the text.
  ///
  /// - Parameter here: the word for this plan's values; `there` is that for the other's.
  package func differences(from other: PlanIdentity, here word: String = "now") -> [String] {
    let (here, there) = (facts + localFacts, other.facts + other.localFacts)
    let values = Dictionary(there.map { ($0.name, $0.value) }) { first, _ in first }
    let names = Set(here.map(\.name))
    return here.compactMap { fact in
      guard let value = values[fact.name] else { return fact.name }
      guard value != fact.value else { return nil }
      return Self.isDigest(value)
        ? fact.name : "\(fact.name) (\(value) there, \(fact.value) \(word))"
    } + there.filter { !names.contains($0.name) }.map(\.name)
  }

  private static func isDigest(_ value: String) -> Bool {
    value.utf8.count == 32 && value.allSatisfy(\.isHexDigit)
  }
}

extension Fingerprint.Fact {
  /// A fact of which only the digest is stored.
  package init(_ name: String, digestOf bytes: [UInt8]) {
    self.init(name, SampleDigest.of(bytes: bytes))
  }
}
