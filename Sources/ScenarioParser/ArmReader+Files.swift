// An arm whose rows are divided over several files, and what such an arm cannot have.
import ScenarioModel

extension ArmReader {
  /// Returns the settings of an arm that require a database of one file, each with a hint.
  func obstacles(to arm: ArmSpec) -> [(what: String, hint: String)] {
    var found: [(String, String)] = []
    for client in arm.clients {
      switch client.kind {
      case .process:
        found.append(
          (
            "client \"\(shortened(client.name))\" opens one file, and there are several",
            "leave it out with \(shortened(client.name)): none, or drop files:"
          ))
      case .probe(let spec) where spec.target == .this:
        found.append(
          (
            "client \"\(shortened(client.name))\" opens one file, and there are several",
            "leave it out with \(shortened(client.name)): none, or drop files:"
          ))
      case .savepoint:
        found.append(
          (
            "client \"\(shortened(client.name))\" keeps a version of one file, and there are several",
            "leave it out with \(shortened(client.name)): none, or drop files:"
          ))
      default: break
      }
    }
    if arm.limits?.versions != nil || arm.limits?.disk != nil {
      found.append(
        (
          "limits but of addresses are those of one file, and there are several",
          "drop versions: and disk:, or files:"
        ))
    }
    if arm.limits != nil || arm.geometry?.upper != nil, let writer = arm.writerOfSeveralRows {
      found.append(
        (
          "a transaction of \"\(shortened(writer))\" changes several rows, of which a limit may refuse one",
          "give it one row to insert, update or delete, or drop limits:, or files:"
        ))
    }
    if lifecycle.isSeeded {
      found.append(("a seed file is one file, and there are several", "drop seed-file:, or files:"))
    }
    if !lifecycle.killedCompactions.isEmpty {
      found.append(
        (
          "the compaction that is killed is that of one file, and there are several",
          "drop compaction-killed:, or files:"
        ))
    }
    return found
  }
}

extension ArmSpec {
  /// A client whose transactions are not sure to be in one file, and so cannot be undone as a whole.
  fileprivate var writerOfSeveralRows: String? {
    (clients + inPhases.values.flatMap(\.self)).first { client in
      switch client.kind {
      case .writer(let spec): !spec.isOfOneRow
      case .queuedWriters(let spec): !spec.writer.isOfOneRow
      default: false
      }
    }?.name
  }
}

extension WriterSpec {
  fileprivate var isOfOneRow: Bool {
    inserts + updates + deletes <= 1 && reload == nil && oscillation == nil
  }
}
