// Carries out `fleet simulate`: walks the devices, writes the files, prints the table.
import ArgumentParser
import Experiments
import FleetModel
import RecordModel
import ReportRendering
import SystemIO

struct FleetSimulateExecution {
  let simulation: FleetSimulation
  let devices: Int
  let sizeLimits: [Double]
  let stallLimits: [Double]
  /// Where times of compactions are from; nil where they are not known.
  let costs: String?
  let folder: OutputFolder
  let threads: Int
  let isQuiet: Bool

  func carryOut(_ cancellation: Cancellation) throws -> ExitCode {
    do { try folder.make() } catch { throw couldNotRun("\(error)") }
    let display = FleetProgress(total: devices, isQuiet: isQuiet)
    let tallies = simulation.run(
      devices: 0..<devices, threads: threads, cancellation: cancellation, progress: display.show)
    display.finish()
    guard let tallies else {
      Console.error("interrupted: nothing was written; the same command begins again")
      return .interrupted
    }
    let summary = simulation.summary(
      tallies, devices: devices, sizeLimits: sizeLimits, stallLimits: stallLimits, costs: costs)
    let record = SimulationRecord(
      toolVersion: CompactionLab.version, repeatedBy: PlanExecution.command, summary: summary)
    let files = SimulationFiles(record: record)
    do { try folder.whileLocked { try files.write(to: folder) } } catch {
      throw couldNotRun("\(error)")
    }
    Console.print(FleetText.simulation(summary, isBrief: isQuiet))
    Console.print("\n  report: \(folder.path.appending(FleetHTML.fileName))\n")
    return .success
  }
}

/// The progress of a simulation: one line in a terminal, nothing in a pipe.
final class FleetProgress: Sendable {
  private let total: Int
  private let isShown: Bool
  private let start = Clock.monotonicNanoseconds()
  private let drawnAt = Guarded<UInt64>(0)

  init(total: Int, isQuiet: Bool) {
    self.total = total
    isShown = !isQuiet && Terminal.isTerminal(.error)
  }

  var show: @Sendable (Int) -> Void {
    { [self] done in
      guard isShown else { return }
      let now = Clock.monotonicNanoseconds()
      drawnAt.withLock { last in
        guard now - last >= 200_000_000 else { return }
        last = now
        let left = Double(now - start) / 1e9 / Double(done) * Double(total - done)
        Console.draw("\r\u{1B}[K\(done)/\(total) devices, \(Int(left)) s left")
      }
    }
  }

  func finish() {
    if isShown { Console.draw("\r\u{1B}[K") }
  }
}
