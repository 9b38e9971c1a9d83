// Reads traces and fits a scenario to them: a pass that checks each to its last byte, one that looks for phases in those that
// name none, and one that measures.
import Experiments
import MetricModel
import RunJournal
import ScenarioFitting
import ScenarioModel
import ScenarioParser
import SystemIO
import TraceFormat

struct FittedTraces {
  let paths: [String]
  let surveys: [TraceSurvey]

  /// Checks the traces; throws where one is damaged.
  init(_ paths: [String]) throws {
    self.paths = paths
    do throws(TraceError) {
      surveys = try paths.map { path throws(TraceError) in
        let survey = try TraceSurvey(of: FilePath(path))
        try survey.checkNames(path)
        return survey
      }
    } catch { throw couldNotRun("\(error)") }
  }

  /// The name of a scenario that is fitted to them: that of the recorded one, with a suffix.
  var name: String {
    let suffix = "-fitted"
    let origin = surveys[0].header.origin.scenario
    return String(origin.prefix(ScenarioName.maxLength - suffix.count)) + suffix
  }

  func scenario(named name: String) throws -> FittedScenario {
    do {
      let measured = TraceMeasurement(try outline())
      for path in paths {
        let reader = try TraceReader(FilePath(path))
        try measured.beginTrace(reader.header)
        while let record = try reader.next() { try measured.add(record) }
        measured.endTrace()
      }
      return try ScenarioFit.scenario(of: measured, named: name, sources: try sources())
    } catch let error as FittingError {
      throw couldNotRun("\(paths.joined(separator: ", ")): \(error)")
    } catch { throw couldNotRun("\(error)") }
  }

  private func outline() throws -> TraceOutline {
    var outline = TraceOutline()
    for (path, survey) in zip(paths, surveys) {
      guard survey.phases.isEmpty else {
        outline.addTraceWithPhases()
        continue
      }
      let reader = try TraceReader(FilePath(path))
      outline.beginTrace()
      while let record = try reader.next() { outline.add(record) }
    }
    outline.finish()
    return outline
  }

  private func sources() throws -> [String] {
    try zip(paths, surveys).map { path, survey in
      let file = FilePath(path)
      let name = file.lastComponent?.string ?? path
      return
        "\(name), \(grouped(survey.totals.records)) records, FNV-1a \(try PlanIdentity.digest(of: file))"
    }
  }
}
