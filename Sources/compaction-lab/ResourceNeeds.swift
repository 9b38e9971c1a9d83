// Checks that the process's limits allow a command before it begins; later the error would come from whichever call fails
// first. The numbers are declared here and in Experiments/DescriptorNeeds.swift only.
import ArgumentParser
import Experiments
import MetricModel
import SystemIO

enum ResourceNeeds {
  /// The descriptors that any command uses at once: standard streams, folders and files that it reads, a file and its draft.
  static let descriptors = 10
  /// The address space of a run. Small scenarios were run under limits from 100 to 900 MB: from 512 MB on all engines
  /// completed them. A quarter of that is code, and the native engine maps its file into half of the rest. Cells of larger
  /// scenarios fail with that reason.
  static let addresses = ByteCount(600_000_000)
  /// The address space of commands that start no process.
  static let addressesToRead = ByteCount(128_000_000)

  /// The descriptors that were open when the command began; they stay open.
  private static let given = ProcessLimits.openFileCount

  /// Raises the soft limit of descriptors where it is too low; throws where the hard limit forbids that.
  static func requireDescriptors(_ needed: Int, hint: String = "") throws {
    let needed = needed + given
    let allowed = ProcessLimits.raiseOpenFiles(to: needed)
    guard allowed < needed else { return }
    throw couldNotRun(
      "this needs \(needed) open files at once, and the process may have \(allowed); allow more with ulimit -n \(needed)"
        + " (or a higher hard limit, where that is refused)\(hint)")
  }

  /// Throws where the limit of address space is too low.
  static func requireAddresses(_ needed: ByteCount) throws {
    guard let allowed = ProcessLimits.addressBytes, allowed < needed.bytes else { return }
    throw couldNotRun(
      "this needs \(needed) of address space, and the process may have \(ByteCount(allowed)); allow more with"
        + " ulimit -v \((needed.bytes + 1023) / 1024), or ulimit -v unlimited")
  }

  /// Checks the limits for any command. Where addresses are limited the process uses fewer of them from here on.
  static func requireForAny() throws {
    ProcessLimits.saveAddresses()
    try requireDescriptors(descriptors)
    try requireAddresses(addressesToRead)
  }

  /// Throws where the disk of the databases has not even space for the rows that a cell begins with.
  static func requireDisk(for plan: ExperimentPlan, workFolder: String?) throws {
    let folder = workFolder.map { FilePath($0) } ?? FileSystem.temporaryFolder
    guard let free = try? FileSystem.freeBytes(at: folder), plan.minDiskBytes > free else { return }
    throw couldNotRun(
      "\(plan.scenario.name): the rows that a cell begins with have \(ByteCount(plan.minDiskBytes)), and the disk of "
        + "\(folder) has \(ByteCount(free)) of free space; name a folder on another one with --work-folder"
    )
  }

  /// Checks the limits for a run with so many cells at a time.
  static func require(for plan: ExperimentPlan, jobs: Int, workFolder: String?) throws {
    try requireDisk(for: plan, workFolder: workFolder)
    let needed = plan.descriptorsNeeded(jobs: jobs)
    let fewer = plan.descriptorsNeeded(jobs: 1)
    try requireDescriptors(
      needed, hint: fewer < needed ? "; with --jobs 1 it needs \(fewer + given)" : "")
    try requireAddresses(addresses)
  }
}
