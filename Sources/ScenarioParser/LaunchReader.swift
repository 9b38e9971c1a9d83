// How often the app is launched, how long it rests in between, and how its launches begin and end.
import MetricModel
import ScenarioModel

struct LaunchReader {
  var count = 1
  var gap = VirtualTime(seconds: 8 * 3600)
  var lifecycle = LifecycleSpec()

  init(_ field: Field?, seedFile: Field?) {
    lifecycle.isSeeded = seedFile?.bool() ?? false
    guard let field else { return }
    guard field.node.mapping != nil else {
      count = field.integer(1...1000) ?? 1
      return
    }
    guard let keys = MappingReader(field, ScenarioKeys.launches) else { return }
    count = keys["count"]?.integer(1...1000) ?? 1
    if let field = keys["gap"] { readGap(field) }
    lifecycle.awake = keys["awake"].flatMap(Self.hours)
    lifecycle.crashes = keys["crash"]?.launchNumbers(1...count) ?? []
    if let field = keys["compaction-killed"] {
      if count < 2 {
        field.report("no launch finds a database to compact", hint: "it takes two launches or more")
      } else {
        lifecycle.killedCompactions = field.launchNumbers(2...count) ?? []
      }
    }
  }

  /// `8 h`, `log-normal 8 h sigma 1.2`.
  private mutating func readGap(_ field: Field) {
    let prefix = "log-normal "
    guard let text = field.node.scalar?.string, text.hasPrefix(prefix) else {
      if let span = field.duration(0...Limits.gapMicroseconds) {
        gap = VirtualTime(microseconds: span)
      }
      return
    }
    let parse = { (text: String) -> (Int, Int)? in
      let parts = text.dropFirst(prefix.count).split(separator: " sigma ", maxSplits: 1)
      guard parts.count == 2,
        let median = QuantityText.duration(String(QuantityText.trimmed(parts[0]))),
        let sigma = QuantityText.decimal(QuantityText.trimmed(parts[1])), sigma < 1000
      else { return nil }
      return (median, Int((sigma * 1000).rounded()))
    }
    guard let (median, sigma) = field.quantity("a gap such as log-normal 8 h sigma 1", parse)
    else { return }
    guard 1_000_000...Limits.gapMicroseconds ~= median, 1...5000 ~= sigma else {
      field.report("the gap is out of range", hint: "1 s to 3_650 d, sigma from 0.001 to 5")
      return
    }
    gap = VirtualTime(microseconds: median)
    lifecycle.gapSigmaPermille = sigma
  }

  /// `7 h to 23 h`.
  private static func hours(_ field: Field) -> LifecycleSpec.Hours? {
    let parse = { (text: String) -> LifecycleSpec.Hours? in
      let parts = text.split(separator: " to ").compactMap { QuantityText.duration(String($0)) }
      guard parts.count == 2, text.split(separator: " to ").count == 2,
        parts.allSatisfy({ $0.isMultiple(of: 3_600_000_000) })
      else { return nil }
      return LifecycleSpec.Hours(
        from: parts[0] / 3_600_000_000, to: parts[1] / 3_600_000_000)
    }
    guard let hours = field.quantity("hours such as 7 h to 23 h", parse) else { return nil }
    if 0..<hours.to ~= hours.from, hours.to <= 24 { return hours }
    field.report("the hours are out of range", hint: "from 0 h to 24 h, the earlier first")
    return nil
  }
}

extension Field {
  /// `2`, `2 to 4`, or a list of numbers.
  func launchNumbers(_ launches: ClosedRange<Int>) -> [Int]? {
    guard let elements = oneOrMore("a launch, a to b, or a list of launches") else {
      return nil
    }
    var numbers: Set<Int> = []
    for element in elements {
      let parse = { (text: String) -> (Int, Int)? in
        let parts = text.split(separator: " to ").compactMap { QuantityText.integer(String($0)) }
        return parts.count == text.split(separator: " to ").count && (1...2).contains(parts.count)
          ? (parts[0], parts[parts.count - 1]) : nil
      }
      guard let (low, high) = element.quantity("a launch such as 2, or 2 to 4", parse),
        element.within(launches, low) != nil, element.within(launches, high) != nil
      else { continue }
      if low > high {
        element.report("the first launch is after the last", hint: "write \(high) to \(low)")
      } else {
        numbers.formUnion(low...high)
      }
    }
    return numbers.isEmpty ? nil : numbers.sorted()
  }
}
