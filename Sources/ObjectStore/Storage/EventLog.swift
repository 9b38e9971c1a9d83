// What was written, as lines of JSON beside the realm: a local record, since there is no service to send it to.
import Foundation

/// One line for each write transaction: when, the version that it made, how many objects of which class.
final class EventLog: Sendable {
  struct Entry: Codable {
    struct Changes: Codable, Equatable {
      var created = 0
      var updated = 0
      var deleted = 0
    }

    var time: Date
    var version: UInt64
    var metadata: [String: String]
    var classes: [String: Changes]
  }

  let url: URL
  private let metadata: [String: String]
  private let turn = LockedValue(())

  init(_ configuration: EventConfiguration, realm: URL) {
    url = configuration.logURL ?? realm.appendingPathExtension("events.jsonl")
    metadata = configuration.metadata
  }

  /// Appends a line. The write has been committed: what cannot be logged is not undone for it.
  func note(_ version: UInt64, _ classes: [String: Entry.Changes]) {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = .sortedKeys
    let entry = Entry(time: Date(), version: version, metadata: metadata, classes: classes)
    guard let line = try? encoder.encode(entry) + Data("\n".utf8) else { return }
    turn.withLock { _ in
      if !FileManager.default.fileExists(atPath: url.path) {
        _ = FileManager.default.createFile(atPath: url.path, contents: nil)
      }
      guard let handle = try? FileHandle(forWritingTo: url) else { return }
      defer { try? handle.close() }
      _ = try? handle.seekToEnd()
      try? handle.write(contentsOf: line)
    }
  }
}
