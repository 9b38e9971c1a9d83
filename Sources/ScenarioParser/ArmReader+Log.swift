// The write-ahead log of an engine that has one: how an arm keeps it, and clients that make checkpoints.
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
    if log == LogSpec(), field.collector.count == told {
      keys.report("nothing is said of the log", hint: "give it checkpoint-pages or size-limit")
    }
    return log
  }
}
