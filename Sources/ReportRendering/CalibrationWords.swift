// The results of a calibration as text, for its page and the terminal.
import Analysis
import Calibration
import MetricModel
import Statistics

enum CalibrationWords {
  static let titles = [
    "engine", "time of", "fixed", "per MB live", "per MB", "deviation", "held-out error",
  ]

  /// A row for each model: engine, operation, the parts with their intervals, and how far measurements lie from it.
  static func row(_ model: CostModel, of engine: String) -> [String] {
    let fit = model.fit
    let isCompaction = model.kind == .compaction
    let prices = fit.coefficients.indices.dropFirst().map {
      time(fit.coefficients[$0], fit.intervals[$0], times: 1e6)
    }
    return [
      engine, title(model), time(fit.coefficients[0], fit.intervals[0], times: 1),
      isCompaction ? prices[0] : "–",
      (prices.last ?? "–") + (model.kind == .commit ? " of rows" : " of file"),
      percent(fit.relativeDeviation), heldOut(model),
    ]
  }

  static func title(_ model: CostModel) -> String {
    model.kind == .commit ? "commit" : "\(model.kind.rawValue), \(model.cache.rawValue)"
  }

  static func heldOut(_ model: CostModel) -> String {
    guard let errors = model.heldOut else { return "–" }
    return "median \(percent(errors.median)) of \(errors.count), at most \(percent(errors.largest))"
  }

  /// `2.10 ms [1.98, 2.25]`
  private static func time(_ value: Double, _ interval: Interval, times factor: Double) -> String {
    FigureText.words(
      value * factor,
      from: interval.low * factor, to: interval.high * factor
    ) { Nanoseconds.words($0) }
  }

  /// `182 MB per s [170, 190]`, or the time of a sync.
  static func words(_ figure: DeviceFigure) -> String {
    func text(_ value: Double) -> String {
      figure.kind == .sync
        ? Nanoseconds.words(value) : "\(ByteCount(Int(value.rounded()))) per s"
    }
    guard let interval = figure.estimate.interval else { return text(figure.estimate.median) }
    return FigureText.words(
      figure.estimate.median, from: interval.low, to: interval.high, text)
      + (figure.isFromMemory ? " (from memory: the system keeps the file in its page cache)" : "")
  }

  /// What the models are, and how the prediction of a time is put together.
  static let model = """
    A compaction takes a fixed time, a time for each live (used) byte, and one for each byte of the file; a launch a fixed \
    time and one for each byte of the file; a commit a fixed time, mostly the sync, and one for each byte of its rows. No \
    part is below zero.
    """

  static let method = """
    Least squares of relative errors, so that small files count as much as large ones. Brackets are intervals of 95 %. \
    Deviation is the standard deviation of relative errors in the fit; held-out errors are those at sizes that had no part \
    in it.
    """

  static let states = """
    Warm: the files are on the disk and in the page cache before. Cold: they are dropped from it; a host or the disk may \
    keep its own cache. Compactions and commits are durable, launches come without a compaction. Rows have 200 to 1,800 \
    bytes in files, and 1,000 in commits; neighboring rows were deleted, \
    and then as many rows written at random as were left.
    """

  /// The machine in a line.
  static func machine(_ origin: CalibrationOrigin) -> String {
    "\(origin.processor), \(counted(origin.cores, "core")), \(origin.memory); \(origin.operatingSystem); "
      + "work folder on \(origin.fileSystem)"
  }
}
