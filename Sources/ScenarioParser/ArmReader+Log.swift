// The log beside the file of an engine that has one: how an arm keeps it, and clients that make checkpoints.
import MetricModel
import ScenarioModel

extension ArmReader {
  func checkpoints(_ keys: MappingReader) -> CheckpointSpec {
    let modes = CheckpointMode.allCases.map { ($0.rawValue, $0) }
    return CheckpointSpec(
      mode: keys["mode"]?.choice(modes) ?? .passive,
      everyCommits: keys["every"]?.commits(1...1_000_000))
  }

  func log(_ field: Field) -> LogSpec? {
    let told = field.collector.count
    guard let keys = MappingReader(field, ScenarioKeys.log) else { return nil }
    var log = LogSpec(sizeLimit: keys["size-limit"]?.size(0...1 << 30))
    if let pages = keys["checkpoint-pages"] {
      log.checkpointPages =
        pages.node.scalar?.string == "never" ? 0 : pages.integer(1...1_000_000)
    }
    log.journal = keys["journal"]?.choice(JournalMode.allCases.map { ($0.rawValue, $0) })
    if log.isRollback, log.checkpointPages != nil {
      keys["checkpoint-pages"]?.report(
        "a rollback journal is never moved into the file", hint: "drop checkpoint-pages, or journal"
      )
    }
    if log == LogSpec(), field.collector.count == told {
      keys.report(
        "nothing is said of the log", hint: "give it journal, checkpoint-pages or size-limit")
    }
    return log
  }

  /// Checkpoints are of a write-ahead log.
  func reportCheckpoints(_ arm: ArmSpec, _ keys: MappingReader) {
    guard arm.log?.isRollback ?? false else { return }
    for client in arm.clients {
      guard case .checkpoints = client.kind else { continue }
      keys["log"]?.report(
        "client \"\(shortened(client.name))\" makes checkpoints, and there is no write-ahead log",
        hint: "leave it out of the arm: clients: { \(shortened(client.name)): none }")
    }
  }
}
