// What automatic compaction did in a session, put together from the engine's notices and its file.
import EngineInterface
import FileFormats
import MetricModel
import SystemIO

struct RealmCompactionHistory {
  private let file: FilePath
  /// Whether the file cannot be read, being encrypted or in memory.
  var isSilent: Bool
  private var events: [CompactionEvent] = []
  /// The stage by the notices. That all is moved, and a version in the way is waited for, is in the file alone.
  private var known = AutomaticStage.idle
  /// The file's length when it was last known.
  private var size = ByteCount.zero

  /// `earlier` is what the file said before it was opened; nil where it did not, being new or encrypted.
  init(_ file: FilePath, isSilent: Bool, earlier: RealmBooks?) {
    self.file = file
    self.isSilent = isSilent
    guard let earlier else { return }
    size = ByteCount(earlier.logicalSize)
    known = earlier.evacuation.stage
    if known == .evacuating || known == .waiting {
      add(.resumed, "an earlier launch began it", after: size)
    }
  }

  private var books: RealmBooks? { isSilent ? nil : try? RealmFile(file).books() }

  /// The present stage by the file, which other processes change too.
  var stage: AutomaticStage { books?.evacuation.stage ?? known }

  mutating func drain() -> [CompactionEvent] {
    defer { events = [] }
    return events
  }

  /// Enters what the commit or the opening that just ended said.
  mutating func happened(_ notices: [RealmCoreNotice]) {
    for notice in notices {
      switch notice {
      case .started(let limit):
        known = .evacuating
        size = currentSize
        add(.started, "data moves below \(ByteCount(limit))", after: size)
      case .abandoned:
        known = .blocked
        add(
          .abandoned, "no free space below the limit; it tries again after ten commits", after: size
        )
      case .shortened(let bytes):
        known = .idle
        add(
          .finished, "the disk gets the space at the next opening; what was moved is not told",
          after: ByteCount(bytes))
        size = ByteCount(bytes)
      case .replaced(_, let bytes):
        // The copy begins with a clean state. It is the launch's, which has its own outcome.
        known = .idle
        size = ByteCount(bytes)
      }
    }
    if notices.isEmpty, known == .evacuating, let books, books.evacuation.stage == .waiting {
      known = .waiting
      add(.waiting, "all is moved; what it left is kept for versions that see it", after: size)
    }
  }

  private var currentSize: ByteCount {
    if let books { return ByteCount(books.logicalSize) }
    return (try? FileSystem.size(of: file)).map { ByteCount($0.bytes) } ?? size
  }

  private mutating func add(
    _ outcome: CompactionEvent.Outcome, _ reason: String, after: ByteCount
  ) {
    events.append(
      CompactionEvent(
        kind: .automatic, outcome: outcome, reason: reason, before: size, after: after,
        rewritten: nil))
  }
}

extension RealmBooks {
  /// Why automatic compaction is not at work, with the values that decide; nil where it is.
  func refusal(oldest: Int) -> String? {
    switch evacuation {
    case .begun(limit: 0, let pause): return "it gave up, and looks again after \(pause) commits"
    case .begun: return nil
    case .none: break
    }
    guard let free = usage(oldest: oldest).free else { return nil }
    switch RealmCompactionTrigger(logical: logicalSize, free: free.bytes) {
    case .fileTooSmall(let bytes):
      let least = ByteCount(RealmCompactionTrigger.minFileBytes)
      return "the file has \(ByteCount(bytes)), less than \(least)"
    case .tooLittleFree(let free, let used):
      return
        "free space of \(ByteCount(free)) is not more than twice the used \(ByteCount(used))"
    case .begins: return "it begins with the next commit"
    }
  }
}
