// WiredTiger's messages about errors: it reports them to a handler, and would print them if there were none.
import CWiredTiger
import SystemIO

/// Collects the messages until an error takes them. Must outlive the connection. Safe to use from many threads.
final class MessageLog: @unchecked Sendable {
  private let mutex = ThreadMutex()
  private var texts: [String] = []
  /// The last message about a disk without space.
  private var lastSpaceMessage: String?
  /// What WiredTiger is given.
  let handler: UnsafeMutablePointer<wt_event_handler>

  /// An error mostly has one or two messages, and one for which the connection ends some more.
  private static let maxTexts = 8

  init() {
    handler = .allocate(capacity: 1)
    handler.initialize(to: wt_event_handler())
    handler.pointee.context = Unmanaged.passUnretained(self).toOpaque()
    handler.pointee.handle_error = { handler, _, _, text in
      guard let handler, let text, let context = handler.pointee.context else { return 0 }
      Unmanaged<MessageLog>.fromOpaque(context).takeUnretainedValue().add(String(cString: text))
      return 0
    }
    handler.pointee.handle_message = { _, _, _ in 0 }
  }

  deinit { handler.deallocate() }

  private func add(_ text: String) {
    let text = Self.unpadded(text)
    mutex.withLock {
      if texts.count < Self.maxTexts { texts.append(text) }
      if Self.spaceMarks.contains(where: text.contains) { lastSpaceMessage = text }
    }
  }

  private static let spaceMarks = [
    "No space left on device", "File too large", "Disk quota exceeded",
  ]

  /// The last message about a disk without space, also if an error took it: after such an error WiredTiger refuses everything,
  /// and gives no reason again.
  var spaceMessage: String? { mutex.withLock { lastSpaceMessage } }

  /// Returns a text without the slashes to which `WiredTigerFolder.home` is padded.
  private static func unpadded(_ text: String) -> String {
    text.reduce(into: "") { shorter, character in
      if character != "/" || shorter.last != "/" { shorter.append(character) }
    }
  }

  /// Returns the messages since the last call, oldest first.
  func take() -> [String] {
    mutex.withLock {
      defer { texts = [] }
      return texts
    }
  }
}
