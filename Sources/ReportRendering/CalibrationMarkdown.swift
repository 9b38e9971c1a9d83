// calibration.md: what was measured on, the models with their intervals, the picture, and every measurement beside its model.
import Analysis
package import Calibration
import MetricModel
import RecordModel

package enum CalibrationMarkdown {
  package static let fileName = "calibration.md"

  /// - Parameter picture: the path of the picture from the page; nil where nothing is drawn.
  package static func text(_ record: CalibrationRecord, picture: String?) -> String {
    let origin = record.origin
    var out = "# Calibration\n\nMeasured at \(origin.startedAt) on "
    out +=
      "\(CalibrationWords.machine(origin).asMarkdown); files up to \(origin.maxFile), seed \(origin.seed).\n"
    let disturbances = origin.conditions.disturbances(percent)
    if !disturbances.isEmpty {
      out += "\n**The machine was disturbed: \(disturbances.inWords.asMarkdown).**\n"
    }
    out += "\n## Disk\n\n"
    var table = MarkdownTable([("figure", .left), ("median", .left)])
    for figure in record.device { table.add([figure.kind.title, CalibrationWords.words(figure)]) }
    out += table.isEmpty ? "Not measured.\n" : table.text
    out += "\n## Models\n\n\(CalibrationWords.model)\n\n" + models(record)
    for costs in record.engines {
      if let absence = costs.absence {
        out += "\n\(costs.engine.asMarkdown) was left out: \(absence.asMarkdown).\n"
      }
      for failure in costs.failures {
        out += "\n\(costs.engine.asMarkdown) failed: \(failure.asMarkdown).\n"
      }
    }
    if let picture { out += "\n![measured and fitted compaction times](\(picture))\n" }
    out += "\n## Compactions\n\n" + compactions(record)
    return out + """

      ## Method

      \(CalibrationWords.method)

      \(CalibrationWords.states)

      Each measurement has a process of its own; their order is drawn from the seed. The median of three repetitions counts \
      up to files of 64 MB, of nine at commits, else one measurement. Every measurement: `\(CalibrationCSV.fileName)`.

      Command: `\(origin.command)`

      """
  }

  private static func models(_ record: CalibrationRecord) -> String {
    var table = MarkdownTable(CalibrationWords.titles.map { ($0, .left) })
    for costs in record.engines {
      let name = [costs.engine, costs.version].joined(separator: " ").asMarkdown
      for model in costs.models { table.add(CalibrationWords.row(model, of: name)) }
    }
    return table.isEmpty ? "No model could be fitted.\n" : table.text
  }

  private static func compactions(_ record: CalibrationRecord) -> String {
    var table = MarkdownTable([
      ("engine", .left), ("cache", .left), ("file", .right), ("live", .right),
      ("measured", .right), ("fitted", .right), ("error", .right), ("use", .left),
    ])
    for costs in record.engines {
      let points = costs.points.filter { $0.kind == .compaction }
      for point in points.sorted(by: { $0.bytes < $1.bytes }) {
        guard let model = costs.model(.compaction, point.cache), let time = point.time,
          let error = model.error(at: point)
        else { continue }
        table.add([
          costs.engine.asMarkdown, point.cache.rawValue, "\(point.bytes)",
          point.live.map { "\($0)" } ?? "–", Nanoseconds.words(time),
          Nanoseconds.words(model.predicted(point).nanoseconds), percent(error),
          point.isHeldOut ? "held out" : "fit",
        ])
      }
    }
    return table.isEmpty ? "None was measured.\n" : table.text
  }
}
