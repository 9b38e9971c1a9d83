// What a command needs of the system, checked before it begins: afterwards the refusal would come from wherever it is
// short first. Each number is declared here or in Experiments/DescriptorNeeds.swift, and nowhere else.
import ArgumentParser
import Experiments
import MetricModel
import SystemIO

enum ResourceNeeds {
  /// What any command has open at once: standard streams, folders and files that it reads, a file and its draft.
  static let descriptors = 10
  /// Small scenarios were run under limits from 100 to 900 MB: from 512 MB on they came to their end on every engine. A
  /// quarter of that is code; the native engine takes a half of what is left for its file. Larger scenarios need more,
  /// and their cells fail with that reason.
  static let addresses = ByteCount(600_000_000)
  /// The commands that start no process.
  static let addressesToRead = ByteCount(128_000_000)

  /// What the command was given open; it stays open.
  private static let given = ProcessLimits.openFileCount

  /// Raises the limit of descriptors where it is too low, and ends the command where that is not allowed.
  static func requireDescriptors(_ needed: Int, hint: String = "") throws {
    let needed = needed + given
    let allowed = ProcessLimits.raiseOpenFiles(to: needed)
    guard allowed < needed else { return }
    throw couldNotRun(
      "this needs \(needed) open files at once, and the process may have \(allowed); allow more with ulimit -n \(needed)"
        + " (or a higher hard limit, where that is refused)\(hint)")
  }

  /// Ends the command where it may not map as many addresses as it needs.
  static func requireAddresses(_ needed: ByteCount) throws {
    guard let allowed = ProcessLimits.addressBytes, allowed < needed.bytes else { return }
    throw couldNotRun(
      "this needs \(needed) of address space, and the process may have \(ByteCount(allowed)); allow more with"
        + " ulimit -v \((needed.bytes + 1023) / 1024), or ulimit -v unlimited")
  }

  /// What every command needs.
  static func requireForAny() throws {
    try requireDescriptors(descriptors)
    try requireAddresses(addressesToRead)
  }

  /// What a run needs, with so many cells at a time.
  static func require(for plan: ExperimentPlan, jobs: Int) throws {
    let needed = plan.descriptorsNeeded(jobs: jobs)
    let fewer = plan.descriptorsNeeded(jobs: 1)
    try requireDescriptors(
      needed, hint: fewer < needed ? "; with --jobs 1 it needs \(fewer + given)" : "")
    try requireAddresses(addresses)
  }
}
