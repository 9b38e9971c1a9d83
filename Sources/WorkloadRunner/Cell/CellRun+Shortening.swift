// Having the file shortened before a phase's clients run, as a program does that asks for it now and then.
import EngineInterface
import MetricModel
import ScenarioModel

extension CellRun {
  /// An engine that cannot be asked does nothing. Who reads or writes meanwhile may stand in the way: that is told.
  func shorten(_ session: any EngineSession, _ most: ShortenSpec) throws {
    do throws(EngineError) {
      guard
        let done = try session.capability((any Shortenable).self)?.shorten(by: most.limit)
      else { return }
      recorder.happened(
        CompactionEvent(
          kind: .automatic, outcome: .finished, reason: "the program had the file shortened",
          before: done.before, after: done.after, rewritten: done.rewritten))
    } catch  where error.code == .busy {
      let size = try session.spaceUsage().file
      recorder.happened(
        CompactionEvent(
          kind: .automatic, outcome: .skipped, reason: error.message, before: size, after: size,
          rewritten: .zero))
    }
  }
}

extension ShortenSpec {
  fileprivate var limit: ByteCount? {
    switch self {
    case .all: nil
    case .atMost(let most): ByteCount(most)
    }
  }
}
