// From which length on the log of an arm is long.
import MetricModel
import ScenarioModel

extension ArmSpec {
  /// Twice the length at which commits make checkpoints, which SQLite does after 1000 pages by default; nil where there is
  /// no write-ahead log.
  var maxLogBytes: Int? {
    if log?.isRollback ?? false { return nil }
    let pages = log?.checkpointPages ?? 0
    return 2 * (pages > 0 ? pages : Self.usualCheckpointPages) * Self.logPageBytes
  }

  private static let usualCheckpointPages = 1000
  private static let logPageBytes = 4096
}
