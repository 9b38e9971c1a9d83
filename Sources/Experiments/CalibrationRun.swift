// A calibration: every measurement of the design, one after the other in an order drawn from the seed, so that what the machine
// does meanwhile falls on sizes and engines alike.
package import Calibration
import Generators
package import RecordModel
package import SystemIO

package struct CalibrationRun: Sendable {
  package let design: CalibrationDesign
  /// Those that can compact, by their identifiers.
  package let engines: [String]
  package let executable: FilePath
  package let workFolder: FilePath

  package init(
    _ design: CalibrationDesign, engines: [String], executable: FilePath, workFolder: FilePath
  ) {
    self.design = design
    self.engines = engines
    self.executable = executable
    self.workFolder = workFolder
  }

  package struct Outcome: Sendable {
    package var device: [DeviceFigure] = []
    package var points: [String: [CostPoint]] = [:]
    /// By engine; those of the disk have an empty name.
    package var failures: [String: [String]] = [:]
    package var conditions = MachineConditions()
    package var isInterrupted = false
  }

  /// How far it is, in units of estimated duration.
  package struct Progress: Sendable {
    package var done: Int
    package var total: Int
    /// Jobs that have ended, and all of them.
    package var jobs: Int
    package var jobCount: Int
    /// What is measured, as in `native, file of 40.0 MB`; nil when a measurement has ended.
    package var title: String
    package var stage: String?
  }

  /// All measurements, in their order.
  package var jobs: [CalibrationJob] {
    var works = [CalibrationJob.Work.device(maxFile: design.maxFile)]
    for engine in engines {
      works.append(.commits(engine: engine, design.commits))
      works += design.files.map { .file(engine: engine, $0) }
    }
    var jobs = works.enumerated().map { index, work in
      CalibrationJob(
        work: work, seed: design.seed, index: index, folder: workFolder.appending("job").string)
    }
    var stream = RandomStream(seed: design.seed, label: "calibration jobs")
    stream.shuffle(&jobs)
    return jobs
  }

  /// Runs all jobs. One that fails costs its point; the others go on.
  package func run(
    cancellation: Cancellation?, progress: @escaping (Progress) -> Void
  ) -> Outcome {
    var outcome = Outcome()
    var watch = MachineWatch()
    let jobs = jobs
    let total = jobs.reduce(0) { $0 + $1.weight }
    var done = 0
    for (number, job) in jobs.enumerated() {
      let name = [job.engine, job.title].compactMap { $0 }.joined(separator: ", ")
      func show(_ stage: String?, _ done: Int, _ ended: Int) {
        progress(
          Progress(
            done: done, total: total, jobs: ended, jobCount: jobs.count, title: name, stage: stage))
      }
      let soFar = done
      do {
        let result = try job.run(executable: executable, cancellation: cancellation) {
          show($0, soFar, number)
        }
        outcome.device += result.device
        if let engine = job.engine { outcome.points[engine, default: []] += result.points }
      } catch {
        // An interrupt from the terminal may end the job before this process has received it.
        if cancellation?.isRequested(withinMilliseconds: 200) == true {
          outcome.isInterrupted = true
          return outcome
        }
        outcome.failures[job.engine ?? "", default: []].append("\(job.title): \(error)")
      }
      watch.observe()
      done += job.weight
      show(nil, done, number + 1)
    }
    outcome.conditions = watch.conditions
    return outcome
  }
}
