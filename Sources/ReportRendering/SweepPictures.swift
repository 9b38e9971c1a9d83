// The pictures of a sweep: lines over each varied value, and a heat map of the first two.
package import Analysis
import RecordModel

package enum SweepPictures {
  package struct Picture: Sendable {
    /// `lines-limit.svg`
    package let file: String
    package let caption: String
    package let svg: String
  }

  package static func all(_ sweep: SweepAnalysis, _ metric: SummaryMetric) -> [Picture] {
    let figures = SweepFigures(sweep, metric)
    let scattered = sweep.record.axes.map { $0.text.contains("sobol") }
    let title = metric.metric.title
    var pictures: [Picture] = []
    if figures.axes.count > 1, let svg = SweepHeatMap.svg(figures, 0, 1) {
      pictures.append(
        Picture(
          file: "heat-map.svg",
          caption: "\(title) over \(figures.axes[0].name) and \(figures.axes[1].name)"
            + (figures.axes.count > 2 ? ", median over the other values" : ""), svg: svg))
    }
    for (index, axis) in figures.axes.enumerated() {
      guard
        let svg = SweepLines.svg(figures, over: index, isScattered: scattered[index])
      else { continue }
      pictures.append(
        Picture(
          file: "lines-\(index + 1)-\(fileName(axis.name)).svg",
          caption: "\(title) over \(axis.name)"
            + (figures.axes.count > 1 && !scattered[index] ? ", median over the other values" : ""),
          svg: svg))
    }
    return pictures
  }

  private static func fileName(_ text: String) -> String {
    text.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.joined(separator: "-")
  }
}
