// The first opening of a database in a session: the one that may compact, and what came of that. Realm Core's callback
// says only what was wanted; whether it was done is in its log.
import EngineInterface
import FileFormats
import MetricModel
import SystemIO

final class RealmOpening {
  private let realm: RealmCoreLibrary
  private let file: FilePath
  private let options: SessionOptions
  private let question: LaunchQuestion?
  private let isInMemory: Bool
  /// Why a compaction that was wanted made the opening fail.
  private var failure: EngineError?
  private var notices: [RealmCoreNotice] = []

  init(
    _ realm: RealmCoreLibrary, _ file: FilePath, _ options: SessionOptions,
    asking question: LaunchQuestion?, isInMemory: Bool = false
  ) {
    self.realm = realm
    self.file = file
    self.options = options
    self.question = question
    self.isInMemory = isInMemory
  }

  /// `earlier` is what the file's books said before.
  func open(after earlier: RealmBooks?) throws(EngineError) -> RealmCoreSession {
    _ = RealmCoreLog.shared.take()
    let rights = question == nil ? nil : try? FileAccessRights(of: file)
    let first = try openFirst()
    notices = RealmCoreLog.shared.take()
    try restore(rights)
    let plain = try RealmConfiguration(realm, file, options, isInMemory: isInMemory)
    // Looking for a property reads, and what has read holds its version until it is closed: so not by `first`.
    let tables = try RealmInstance(plain).tables(options)
    let session = RealmCoreSession(plain, keeper: first, tables: tables, earlier: earlier)
    session.happened(notices)
    return session
  }

  /// Realm Core's compaction leaves a file that everyone may read and whose owner is this process's: it gets back what the
  /// old one had, as far as this process may give it.
  private func restore(_ rights: FileAccessRights?) throws(EngineError) {
    let isReplaced = notices.contains { if case .replaced = $0 { true } else { false } }
    guard isReplaced, let rights else { return }
    do throws(SystemError) { try FileSystem.give(rights, to: file) } catch {
      throw EngineError(engine: realmCoreID, error, while: "opening \(file)")
    }
  }

  /// Realm Core fails to open where a compaction that was wanted fails, for want of room for example. An app that wants
  /// to go on opens once more and does not ask; so does this.
  private func openFirst() throws(EngineError) -> RealmInstance {
    let asking = try RealmConfiguration(
      realm, file, options, asking: question, isInMemory: isInMemory)
    do throws(EngineError) {
      return try RealmInstance(asking)
    } catch {
      guard question?.asked?.compacts == true, error.code == .outOfSpace || error.code == .failed
      else { throw error }
      failure = error
      return try RealmInstance(RealmConfiguration(realm, file, options))
    }
  }

  /// Returns the outcome of the launch callback for a database that is not new.
  func outcome(of session: RealmCoreSession) throws(EngineError) -> LaunchOutcome {
    guard let asked = question?.asked else {
      return .notCalled(
        reason:
          "this process has it open already, or another one is writing: Realm Core asks neither")
    }
    if !asked.compacts { return .declined(asked.space) }
    if let failure { return .skipped(asked.space, reason: failure.message) }
    for case .replaced(_, let size) in notices {
      return .compacted(
        before: asked.space, after: try session.spaceUsage(), rewritten: ByteCount(size))
    }
    return .skipped(
      asked.space,
      reason: "another process has it open, or died while it was open")
  }
}
