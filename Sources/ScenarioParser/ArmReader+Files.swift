// An arm whose rows are divided over several files, and what such an arm cannot have.
import ScenarioModel

extension ArmReader {
  /// Reads `files` into the arm, which is complete otherwise.
  func readFiles(_ field: Field, into arm: inout ArmSpec) {
    guard let files = field.integer(1...64), files > 1 else { return }
    arm.files = files
    for (what, hint) in hindrances(to: arm) { field.report(what, hint: hint) }
  }

  /// Whatever speaks of the one file that a database is.
  private func hindrances(to arm: ArmSpec) -> [(what: String, hint: String)] {
    var found: [(String, String)] = []
    for client in arm.clients {
      switch client.kind {
      case .process:
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
    if arm.limits != nil {
      found.append(
        ("limits are those of one file, and there are several", "drop limits:, or files:"))
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
