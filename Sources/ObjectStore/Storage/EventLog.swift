// A log of write transactions in lines of JSON beside the realm: a local record, since there is no service to send it to.
import Foundation

/// One line for each write transaction: its time, the version that it committed, how many objects of which class it
/// changed.
final class EventLog: Sendable {
  struct Entry: Codable {
    var time: Date
    var version: UInt64
    var metadata: [String: String]
    var classes: [String: ChangeCounts]
  }

  let url: URL
  private let metadata: [String: String]
  private let writeLock = LockedValue(())

  /// `metadata` is written into each line.
  init(url: URL, metadata: [String: String]) {
    self.url = url
    self.metadata = metadata
  }

  /// Appends a line. The transaction has been committed: a failure to log does not undo it.
  func append(_ version: UInt64, _ classes: [String: ChangeCounts]) {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = .sortedKeys
    let entry = Entry(time: Date(), version: version, metadata: metadata, classes: classes)
    guard let line = try? encoder.encode(entry) + Data("\n".utf8) else { return }
    writeLock.withLock { _ in
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
