// Figures as text: a readable unit, three digits, and the interval of a median.
import Analysis
import MetricModel

enum FigureText {
  static func words(_ value: Double, _ unit: Metric.Unit) -> String {
    switch unit {
    case .bytes: ByteCount(Int(value.rounded())).description
    case .nanoseconds: Nanoseconds.words(value)
    case .ratio: "\(value.threeDigits)×"
    case .count: grouped(Int(value.rounded()))
    case .perSecond: "\(value.threeDigits) per s"
    }
  }

  /// `23.1 MB`, or `2.10 ms [1.98, 2.25]` for a median; the bounds have a unit of their own where it is another.
  static func words(_ measure: Measure, _ unit: Metric.Unit) -> String {
    guard let value = measure.value else { return "n/a" }
    guard let interval = measure.interval else { return words(value, unit) }
    return words(value, from: interval.low, to: interval.high) { words($0, unit) }
  }

  /// The same of any quantity, by the function that makes it text.
  static func words(
    _ value: Double, from low: Double, to high: Double, _ text: (Double) -> String
  ) -> String {
    let center = text(value)
    let ending = center.drop { $0 != " " }
    let bounds = [low, high].map(text)
    let share = bounds.allSatisfy { $0.drop { $0 != " " } == ending }
    let texts = share ? bounds.map { String($0.dropLast(ending.count)) } : bounds
    return "\(center) [\(texts.joined(separator: ", "))]"
  }

  /// `850 ms`, `17.3 s`, `4.20 h`, `3.50 d`: from ten minutes on hours, from two days on days.
  static func duration(_ time: VirtualTime) -> String {
    let hours = time.seconds / 3600
    if hours >= 48 { return "\((hours / 24).threeDigits) d" }
    if time.seconds >= 600 { return "\(hours.threeDigits) h" }
    return Nanoseconds.words(Double(time.microseconds) * 1000)
  }
}
