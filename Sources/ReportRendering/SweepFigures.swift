// The values of one figure over a sweep, as its pictures show them: by engine and policy, over one varied value or two.
// Where other values are varied too, the median over them.
import Analysis
import MetricModel
import RecordModel
import Statistics
import Sweeps

struct SweepFigures {
  let metric: SummaryMetric
  let engines: [String]
  let slots: [String]
  let axes: [SweepAxisValues]
  /// The values of the first arm, by engine and policy: the index of the point and the value.
  private let values: [Series: [(point: Int, value: Double)]]

  struct Series: Hashable {
    let engine: String
    let slot: Int
  }

  init(_ sweep: SweepAnalysis, _ metric: SummaryMetric) {
    self.metric = metric
    let arm = sweep.groups.first?.mainArm ?? ""
    var values: [Series: [(point: Int, value: Double)]] = [:]
    for entry in sweep.entries where entry.cell.key.arm == arm {
      guard let value = entry.cell.value(metric) else { continue }
      let series = Series(engine: entry.cell.key.engine, slot: entry.slot)
      values[series, default: []].append((entry.point, value))
    }
    self.values = values
    engines =
      sweep.groups.first?.engines.filter { engine in
        values.keys.contains { $0.engine == engine }
      } ?? []
    slots = sweep.slotNames
    axes = sweep.record.axes.indices.map { axis in
      SweepAxisValues(
        sweep.record.axes[axis], sweep.record.points.map { $0.values[axis] })
    }
  }

  /// The largest value; nil without values.
  var max: Double? { values.values.joined().map(\.value).max() }
  var min: Double? { values.values.joined().map(\.value).min() }

  func hasValues(_ series: Series) -> Bool { values[series]?.isEmpty == false }

  /// Returns the median at each value of the axis that has one, in the order of the axis.
  func line(_ series: Series, over axis: Int) -> [(index: Int, value: Double)] {
    let groups = Dictionary(grouping: values[series] ?? []) { axes[axis].indexes[$0.point] }
    return groups.sorted { $0.key < $1.key }.map { index, entries in
      (index, MedianEstimate(entries.map(\.value))?.median ?? 0)
    }
  }

  /// Returns the median at each pair of values that has one.
  func grid(_ series: Series, _ first: Int, _ second: Int) -> [(x: Int, y: Int, value: Double)] {
    struct Pair: Hashable {
      let x: Int
      let y: Int
    }
    let groups = Dictionary(grouping: values[series] ?? []) {
      Pair(x: axes[first].indexes[$0.point], y: axes[second].indexes[$0.point])
    }
    return groups.map { pair, entries in
      (pair.x, pair.y, MedianEstimate(entries.map(\.value))?.median ?? 0)
    }.sorted { ($0.y, $0.x) < ($1.y, $1.x) }
  }
}

/// The different values of an axis, in rising order if they are numbers.
struct SweepAxisValues {
  let name: String
  let labels: [String]
  /// The numbers of the labels; nil if one is not a number.
  let numbers: [Double]?
  /// For each point, the index of its label.
  let indexes: [Int]
  let isLogarithmic: Bool

  init(_ axis: SweepRecord.Axis, _ values: [String]) {
    name = axis.name
    var distinct: [String] = []
    for value in values where !distinct.contains(value) { distinct.append(value) }
    let scale = SweepScale(distinct)
    let order = distinct.indices.sorted { first, second in
      guard let numbers = scale?.numbers else { return first < second }
      return numbers[first] < numbers[second]
    }
    let sorted = order.map { distinct[$0] }
    numbers = scale.map { scale in order.map { scale.numbers[$0] } }
    let unit = scale?.unit ?? ""
    labels = zip(sorted, order).map { text, index in
      guard let number = scale?.numbers[index] else { return text }
      return Self.label(number, unit) ?? text
    }
    let positions = Dictionary(uniqueKeysWithValues: sorted.enumerated().map { ($1, $0) })
    indexes = values.map { positions[$0] ?? 0 }
    isLogarithmic = axis.isLogarithmic && (numbers?.first ?? 0) > 0
  }

  /// A short text of a number; nil for the text of the scenario.
  private static func label(_ number: Double, _ unit: String) -> String? {
    switch unit {
    case "bytes": FigureText.words(number, .bytes)
    case "us": FigureText.words(number * 1000, .nanoseconds)
    case "" where number == number.rounded(): grouped(Int(number))
    default: nil
    }
  }

  /// Returns where a label lies between the first and the last, from 0 to 1.
  func share(_ index: Int) -> Double {
    guard labels.count > 1 else { return 0.5 }
    guard let numbers, let first = numbers.first, let last = numbers.last, last > first else {
      return Double(index) / Double(labels.count - 1)
    }
    if isLogarithmic {
      return LogRatio.of(numbers[index] / first) / LogRatio.of(last / first)
    }
    return (numbers[index] - first) / (last - first)
  }
}
