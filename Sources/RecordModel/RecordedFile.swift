// The files beside record.json with their digests: a file that was cut off, edited or lost since the run is detected when
// the record is read.

package struct RecordedFile: Sendable, Codable, Hashable {
  package var name: String
  package var bytes: Int
  /// FNV-1a with 128 bits over the file's bytes, in hex: it detects accidents and edits, not attacks.
  package var digest: String

  package init(_ name: String, _ content: [UInt8]) {
    self.name = name
    bytes = content.count
    digest = SampleDigest.of(bytes: content)
  }

  /// The files that every record has beside it.
  package static let names = [SampleCSV.fileName, TimingCSV.fileName, EventCSV.fileName]

  /// Returns how the content differs from that of the run; nil if it does not.
  package func difference(to content: [UInt8]?) -> String? {
    guard let content else { return "is missing" }
    guard content.count == bytes else {
      return "has \(content.count) bytes instead of \(bytes)"
    }
    return SampleDigest.of(bytes: content) == digest
      ? nil : "was changed after the run"
  }
}

/// Whether a record and the files beside it are unchanged since the run.
package enum RecordIntegrity: Sendable, Equatable {
  case verified
  /// The record is of an earlier version and has no digests.
  case unknown
  /// These files were changed after the run, or are missing; accepted by the user.
  case changed([String])

  /// Adds a file to those that are changed.
  package mutating func add(changed file: String) {
    if case .changed(let files) = self {
      self = .changed(files + [file])
    } else {
      self = .changed([file])
    }
  }
}
