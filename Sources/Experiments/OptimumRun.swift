// Carries out the runs of an optimum: first the launch matrix and the policies; then the optimum's own schedule, and where
// predictions fail every schedule, as long as there are few.
package import Calibration
import LaunchSchedules
package import Objective
package import RecordModel
package import RunJournal
package import SystemIO

package struct OptimumRun {
  private let plan: OptimumPlan
  private let objective: Objective
  /// What times are predicted by; nil where they are not.
  private let calibration: CalibrationRecord?
  private let executable: FilePath
  private let workFolder: FilePath
  private let jobs: Int

  package init(
    _ plan: OptimumPlan, _ objective: Objective, _ calibration: CalibrationRecord?,
    executable: FilePath, workFolder: FilePath, jobs: Int
  ) {
    self.plan = plan
    self.objective = objective
    self.calibration = calibration
    self.executable = executable
    self.workFolder = workFolder
    self.jobs = jobs
  }

  package struct Outcome: Sendable {
    package var cells: [OptimumCell] = []
    /// Whether a run failed; the same command runs it again.
    package var hasFailed = false
    package var interrupted = false
    /// Why a result could not be added to the journal, which ended the runs; nil if all were.
    package var journalFailure: SystemError?
  }

  /// Runs until all is done or a stop is requested, and returns the results; none where runs are missing.
  package func run(
    journal: Journal, cancellation: Cancellation?,
    progress: @escaping @Sendable (RunProgress) -> Void
  ) -> Outcome {
    var cells = OptimumCells(plan, calibration)
    var next: ExperimentPlan? = plan.plan
    while let current = next {
      let run = ExperimentRun(
        current, executable: executable, workFolder: workFolder, jobs: [.stepped: jobs])
      let outcome = run.run(journal: journal, cancellation: cancellation, progress: progress)
      if outcome.interrupted || outcome.journalFailure != nil {
        return Outcome(
          interrupted: outcome.interrupted, journalFailure: outcome.journalFailure)
      }
      cells.add(outcome)
      let missing = cells.missingSchedules(objective)
      next = missing.isEmpty ? nil : plan.plan(for: missing)
    }
    return Outcome(cells: cells.results, hasFailed: cells.hasFailed)
  }
}
