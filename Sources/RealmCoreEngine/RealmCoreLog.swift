// What Realm Core logs of its compactions. Its C interface has no call for that: the one source are the lines of its
// log, which come in the thread that commits or opens, while it does. A line names the database by a number that only the
// log has, so it is attributed by its thread.
import EngineInterface
import SystemIO

/// A step of Realm Core's compaction, as a line of its log has it (group_writer.cpp, db.cpp).
enum RealmCoreNotice: Equatable {
  /// An automatic compaction begins: from the next commit on data moves below this offset.
  case started(limit: Int)
  case abandoned
  /// The compaction ended with a file of this length; the disk space is released at the next opening.
  case shortened(to: Int)
  /// A whole compaction replaced the file.
  case replaced(from: Int, to: Int)

  init?(_ whole: String) {
    let line = Self.message(of: whole)
    func numbers(after start: String) -> [Int]? {
      guard line.hasPrefix(start) else { return nil }
      return line.dropFirst(start.count).split { !$0.isASCII || !$0.isNumber }.compactMap {
        Int($0)
      }
    }
    if let limit = numbers(after: "Start compaction with limit ")?.first {
      self = .started(limit: limit)
    } else if line.hasPrefix("Give up compaction") {
      self = .abandoned
    } else if let size = numbers(after: "New logical size ")?.first {
      self = .shortened(to: size)
    } else if let sizes = numbers(after: "DB compacted from: "), sizes.count >= 2 {
      self = .replaced(from: sizes[0], to: sizes[1])
    } else {
      return nil
    }
  }

  /// The text of the line behind the database's number and the thread's: `DB: 19680 Thread 140157070211968: Open file`
  /// (db.cpp, `DBLogger`).
  private static func message(of line: String) -> Substring {
    guard line.hasPrefix("DB: "), let thread = line.firstRange(of: " Thread "),
      let end = line[thread.upperBound...].firstRange(of: ": ")
    else { return line[...] }
    return line[end.upperBound...]
  }
}

/// The notices that were not taken yet, by the thread in which they came.
final class RealmCoreLog: @unchecked Sendable {
  static let shared = RealmCoreLog()

  /// A database that is not ours may share the library; its notices are never taken.
  private static let most = 1000

  private let mutex = ThreadMutex()
  private var notices: [(thread: Int32, notice: RealmCoreNotice)] = []

  /// Called by the library, at every line of its log.
  func add(_ text: UnsafePointer<CChar>?) {
    guard let text, let notice = RealmCoreNotice(String(cString: text)) else { return }
    let thread = SystemThread.currentID
    mutex.withLock {
      if notices.count == Self.most { notices.removeFirst() }
      notices.append((thread, notice))
    }
  }

  /// Returns and removes the notices of the calling thread, oldest first.
  func take() -> [RealmCoreNotice] {
    mutex.lock()
    defer { mutex.unlock() }
    // Nearly always: compactions are rare, and this is asked after every commit.
    if notices.isEmpty { return [] }
    let thread = SystemThread.currentID
    let own = notices.filter { $0.thread == thread }.map(\.notice)
    notices.removeAll { $0.thread == thread }
    return own
  }
}
