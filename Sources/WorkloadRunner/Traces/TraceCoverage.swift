// What of a scenario a trace can hold: the operations that one process asks of an engine, and nothing that happens to its
// files otherwise.
package import ScenarioModel

extension Scenario {
  /// Why no trace can be made of the arm, with what to do; nil where one can.
  package func hindranceToRecording(_ arm: ArmSpec) -> String? {
    if arm.hasOtherProcesses {
      return "arm \(arm.name) has clients in other processes, whose operations no trace has; "
        + "record another arm with --arm"
    }
    if arm.hasSavepoints {
      return "arm \(arm.name) has savepoints, which no trace has; record another arm with --arm"
    }
    if arm.hasProbes {
      return
        "arm \(arm.name) has probes, whose operations no trace has; record another arm with --arm"
    }
    if arm.needsLog {
      return
        "arm \(arm.name) has checkpoints, or keeps the log in a way of its own, which no trace has; "
        + "record another arm with --arm"
    }
    if arm.geometry != nil || arm.autoVacuum != nil
      || phases.contains(where: { $0.shortens != nil })
    {
      return "the file grows or is cut in a way of its own in arm \(arm.name), which no trace has; "
        + "record another arm with --arm, without shorten"
    }
    if arm.isEncrypted {
      return "arm \(arm.name) is encrypted, and no trace has a key; record another arm with --arm"
    }
    if arm.files != nil {
      return "arm \(arm.name) divides its database over several files, which a trace knows nothing "
        + "of; record another arm with --arm"
    }
    if lifecycle.isSeeded {
      return "the first launch finds a seed file, which no trace has; record without seed-file"
    }
    if !lifecycle.killedCompactions.isEmpty {
      return "a process is killed while it compacts, which no trace has; record without "
        + "compaction-killed"
    }
    if !lifecycle.crashes.isEmpty {
      return "there are launches that crash, which no trace can do again; record without crash"
    }
    return nil
  }
}
