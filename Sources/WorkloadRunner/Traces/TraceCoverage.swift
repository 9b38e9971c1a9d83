// Which scenarios a trace can represent: a trace has the operations of one process on an engine, and nothing else that
// happens to its files.
package import ScenarioModel

extension Scenario {
  /// Returns why the arm cannot be recorded, and what to do; nil if it can.
  package func unsupportedReason(recording arm: ArmSpec) -> String? {
    unsupportedReason(in: arm).map { "arm \(arm.name) \($0); record another arm with --arm" }
      ?? unsupportedReasonOfLifecycle
  }

  private func unsupportedReason(in arm: ArmSpec) -> String? {
    if arm.hasOtherProcesses {
      return "has clients in other processes, whose operations a trace cannot have"
    }
    if arm.hasSavepoints { return "has savepoints, which a trace cannot have" }
    if arm.hasLookups { return "has lookups, whose times and threads a trace cannot have" }
    if arm.hasProbes { return "has probes, whose operations a trace cannot have" }
    if arm.needsLog { return "has checkpoints or settings of the log, which a trace cannot have" }
    if arm.geometry != nil || arm.autoVacuum != nil {
      return "has settings for how the file grows and shrinks, which a trace cannot have"
    }
    if arm.isEncrypted { return "is encrypted, and a trace has no key" }
    if arm.files != nil {
      return "divides its database over several files, which a trace cannot have"
    }
    return nil
  }

  private var unsupportedReasonOfLifecycle: String? {
    if hasModelOfObjects {
      return "a table has a shape or is migrated, which a trace cannot have; record without shape "
        + "and migrate"
    }
    if phases.contains(where: { $0.shortens != nil }) {
      return "a phase shortens the file, which a trace cannot have; record without shorten"
    }
    if lifecycle.isSeeded {
      return
        "the first launch finds a seed file, which a trace cannot have; record without seed-file"
    }
    if lifecycle.background != nil {
      return "the system opens the database in the background, which a trace cannot have; record "
        + "without background"
    }
    if !lifecycle.killedCompactions.isEmpty {
      return "a process is killed while it compacts, which a trace cannot have; record without "
        + "compaction-killed"
    }
    if !lifecycle.crashes.isEmpty {
      return "there are launches that crash, which a replay cannot repeat; record without crash"
    }
    return nil
  }
}
