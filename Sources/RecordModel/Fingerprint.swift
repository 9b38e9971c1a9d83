// What a run was made on and with, as named facts: which of them differ between two runs decides what may be compared.
import MetricModel

package struct Fingerprint: Sendable, Equatable {
  package struct Fact: Sendable, Equatable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// What bytes hang on too: another value of one of these may change an exact figure, and then explains it.
  package var ofBytes: [Fact]
  /// What only times and memory hang on.
  package var ofTimes: [Fact]

  package init(ofBytes: [Fact], ofTimes: [Fact]) {
    self.ofBytes = ofBytes
    self.ofTimes = ofTimes
  }

  package var all: [Fact] { ofBytes + ofTimes }

  /// The facts in which another run differs, both ways round: `processor: A here, B there`. Facts that one of them does
  /// not know count as different.
  package static func differences(_ here: [Fact], _ there: [Fact]) -> [String] {
    let values = Dictionary(there.map { ($0.name, $0.value) }) { first, _ in first }
    let names = Set(here.map(\.name))
    return here.compactMap { fact in
      let other = values[fact.name] ?? "not known"
      return other == fact.value ? nil : "\(fact.name): \(fact.value), and \(other)"
    } + there.filter { !names.contains($0.name) }.map { "\($0.name): not known, and \($0.value)" }
  }

  /// Why times of the two may not be compared; empty where they may.
  package func differences(from other: Fingerprint) -> [String] {
    Self.differences(all, other.all)
  }
}

extension Fingerprint {
  package init(_ provenance: Provenance) {
    let engines = provenance.engineVersions.sorted { $0.key < $1.key }
    ofBytes =
      [
        Fact("schedule", provenance.schedule.rawValue),
        Fact("page", provenance.platform.map { "\($0.pageBytes) B" } ?? "not known"),
        Fact("byte order", provenance.platform?.byteOrder ?? "not known"),
      ] + engines.map { Fact("engine \($0.key)", $0.value) }
    ofTimes =
      [
        Fact("processor", provenance.processor), Fact("cores", String(provenance.cores)),
        Fact("memory", "\(provenance.memory.bytes) B"),
        Fact("file system", provenance.fileSystem),
        Fact("system", provenance.operatingSystem),
        Fact("governor", provenance.platform?.governor ?? "not known"),
      ]
      + (provenance.platform?.libraryVersions.sorted { $0.key < $1.key } ?? [])
      .map { Fact("library \($0.key)", $0.value) }
  }
}
