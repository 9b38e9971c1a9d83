// When a writer's transactions come: its rate, arrivals, think time and wave.
import Generators
import MetricModel
import ScenarioModel

struct LoadReader {
  private let keys: MappingReader

  init(_ keys: MappingReader) { self.keys = keys }

  func read() -> LoadSpec {
    var load = LoadSpec(arrivals: arrivals())
    if let rate = rate() { load.rate = rate }
    if !load.isOpen, case .shareOfMaximum = load.rate {
      keys["rate"]?.report(
        "a share of the maximum needs a schedule to keep to", hint: "give it arrivals: steady")
    }
    return load
  }

  private func arrivals() -> LoadSpec.Arrivals {
    let think = keys["think"]?.duration(0...86_400_000_000).map { VirtualTime(microseconds: $0) }
    let wave = keys["wave"].flatMap(wave)
    guard let pattern = keys["arrivals"].flatMap(pattern) else {
      if wave != nil {
        keys["wave"]?.report("a closed loop has no wave", hint: "give it arrivals: steady")
      }
      return .afterEach(think: think ?? .zero)
    }
    if think != nil {
      keys["think"]?.report(
        "a schedule leaves no time to think", hint: "think: goes with arrivals: after each")
    }
    return .scheduled(pattern, wave)
  }

  /// nil for `after each`, and after a report.
  private func pattern(_ field: Field) -> ArrivalPattern? {
    let expected = "after each, steady, poisson or bursts of 50"
    let parse = { (text: String) -> ArrivalPattern?? in
      switch text {
      case "after each": return .some(nil)
      case "steady": return .steady
      case "poisson": return .poisson
      default:
        guard text.hasPrefix("bursts of ") else { return nil }
        return QuantityText.integer(String(text.dropFirst("bursts of ".count)))
          .map { .bursts(of: $0) }
      }
    }
    guard let pattern = field.quantity(expected, parse) else { return nil }
    if case .bursts(let size) = pattern, field.within(1...1_000_000, size) == nil { return nil }
    return pattern
  }

  /// `80 % over 1 d`.
  private func wave(_ field: Field) -> RateWave? {
    let parse = { (text: String) -> (Double, Int)? in
      let parts = text.split(separator: " over ", maxSplits: 1)
      guard parts.count == 2, let share = QuantityText.share(String(parts[0])),
        let period = QuantityText.duration(String(QuantityText.trimmed(parts[1])))
      else { return nil }
      return (share, period)
    }
    guard let (share, period) = field.quantity("a wave such as 80 % over 1 d", parse) else {
      return nil
    }
    guard 0.001...0.95 ~= share, 1000...Limits.gapMicroseconds ~= period else {
      field.report("the wave is out of range", hint: "0.1 % to 95 %, over 1 ms to 3_650 d")
      return nil
    }
    return RateWave(swingPermille: Int((share * 1000).rounded()), periodMicroseconds: period)
  }

  /// `100 per s`, `70 % of maximum`.
  private func rate() -> LoadSpec.Rate? {
    guard let field = keys["rate"] else { return nil }
    let suffix = " of maximum"
    let parse = { (text: String) -> LoadSpec.Rate? in
      text.hasSuffix(suffix)
        ? QuantityText.share(String(text.dropLast(suffix.count))).map { .shareOfMaximum($0) }
        : QuantityText.rate(text).map { .perSecond($0) }
    }
    guard let rate = field.quantity("a rate such as 100 per s", parse) else { return nil }
    switch rate {
    case .perSecond(let rate) where !(0.001...1_000_000).contains(rate):
      field.report("the rate is out of range", hint: "from 0.001 per s to 1_000_000 per s")
    case .shareOfMaximum(let share) where !(0.001...10).contains(share):
      field.report("the share is out of range", hint: "from 0.1 % to 1000 %")
    default: return rate
    }
    return nil
  }
}
