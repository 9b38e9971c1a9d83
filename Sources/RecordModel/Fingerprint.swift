// The environment of a run as named facts: those that differ between two runs decide what may be compared.
import MetricModel

package struct Fingerprint: Sendable, Equatable {
  package struct Fact: Sendable, Codable, Equatable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// Facts that byte counts depend on: another value may be the cause of a change of an exact figure.
  package var ofBytes: [Fact]
  /// Facts that only times and memory depend on.
  package var ofTimes: [Fact]

  package init(ofBytes: [Fact], ofTimes: [Fact]) {
    self.ofBytes = ofBytes
    self.ofTimes = ofTimes
  }

  package var all: [Fact] { ofBytes + ofTimes }

  /// Returns the facts in which two runs differ. A fact that one of them does not know counts as different.
  package static func differences(_ here: [Fact], _ there: [Fact]) -> [String] {
    let values = Dictionary(there.map { ($0.name, $0.value) }) { first, _ in first }
    let names = Set(here.map(\.name))
    return here.compactMap { fact in
      let other = values[fact.name] ?? "not known"
      return other == fact.value ? nil : "\(fact.name): \(fact.value), and \(other)"
    } + there.filter { !names.contains($0.name) }.map { "\($0.name): not known, and \($0.value)" }
  }

  /// Returns why times of the two may not be compared; empty if they may.
  package func differences(from other: Fingerprint) -> [String] {
    Self.differences(all, other.all)
  }
}

extension Fingerprint {
  package init(_ provenance: Provenance) {
    let engines = provenance.engineVersions.sorted { $0.key < $1.key }
    ofBytes =
      [
        Fact("schedule", provenance.schedule.ofBytes.rawValue),
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
      // Only where it is another than that of the bytes, so that fingerprints of one schedule stay as they were.
      + (provenance.schedule == .both ? [Fact("schedule of times", "threads")] : [])
      + (provenance.platform?.libraryVersions.sorted { $0.key < $1.key } ?? [])
      .map { Fact("library \($0.key)", $0.value) }
  }
}
