// Gauges in the text format that Prometheus' collectors read from files: a HELP and a TYPE line for each, base units.

/// A gauge with its samples.
struct Gauge {
  struct Sample {
    var labels: [(name: String, value: String)] = []
    let value: Double
  }

  let name: String
  let help: String
  var samples: [Sample] = []

  /// The lines of the gauge; none without samples. Every sample has the labels of the file before its own.
  func text(labels: [(name: String, value: String)]) -> String {
    guard !samples.isEmpty else { return "" }
    var text = "# HELP \(name) \(help)\n# TYPE \(name) gauge\n"
    for sample in samples {
      let all = (labels + sample.labels).map { "\($0.name)=\"\(Self.escaped($0.value))\"" }
      text += "\(name){\(all.joined(separator: ","))} \(Self.number(sample.value))\n"
    }
    return text
  }

  private static func escaped(_ value: String) -> String {
    var text = ""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\\": text += "\\\\"
      case "\"": text += "\\\""
      case "\n": text += "\\n"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// A whole number without a fraction.
  private static func number(_ value: Double) -> String {
    value.rounded() == value && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
  }
}

/// The gauges of one file, by the names that they have for every format.
struct FileGauges {
  private static let prefix = "compaction_lab_file_"
  private var gauges: [Gauge] = []

  mutating func add(_ name: String, _ help: String, _ value: Int?) {
    guard let value else { return }
    gauges.append(
      Gauge(name: Self.prefix + name, help: help, samples: [.init(value: Double(value))]))
  }

  /// Adds a gauge with a sample for each value of one label.
  mutating func add(
    _ name: String, _ help: String, by label: String, _ values: [(String, Int)]
  ) {
    gauges.append(
      Gauge(
        name: Self.prefix + name, help: help,
        samples: values.map { .init(labels: [(label, $0.0)], value: Double($0.1)) }))
  }

  mutating func add(_ name: String, _ help: String, _ samples: [Gauge.Sample]) {
    gauges.append(Gauge(name: Self.prefix + name, help: help, samples: samples))
  }

  func text(file: String, format: String) -> String {
    let labels = [(name: "file", value: file), (name: "format", value: format)]
    return gauges.map { $0.text(labels: labels) }.joined()
  }
}
