// When a client's transactions come: its rate, arrivals, think time and wave.
import Generators
import MetricModel
import ScenarioModel

struct LoadDraft {
  var rate = LoadSpec.Rate.perSecond(LoadSpec.standardRate)
  /// The arrival pattern; nil for a closed loop.
  var pattern: ArrivalPattern?
  var think: VirtualTime?
  var wave: RateWave?

  init() {}

  /// The draft that gives the load.
  init(_ load: LoadSpec) {
    rate = load.rate
    switch load.arrivals {
    case .afterEach(let think): self.think = think == .zero ? nil : think
    case .scheduled(let pattern, let wave):
      self.pattern = pattern
      self.wave = wave
    }
  }

  /// The load, with reports of keys that do not go together. `given` returns where a file gives a property.
  func load(_ given: (PartialKeyPath<LoadDraft>) -> Field?) -> LoadSpec {
    let arrivals: LoadSpec.Arrivals
    if let pattern {
      given(\.think)?.report(
        "a schedule leaves no time to think", hint: "think-time: goes with arrivals: after each")
      arrivals = .scheduled(pattern, wave)
    } else {
      if wave != nil {
        given(\.wave)?.report("a closed loop has no wave", hint: "give it arrivals: steady")
      }
      arrivals = .afterEach(think: think ?? .zero)
    }
    let load = LoadSpec(arrivals: arrivals, rate: rate)
    if !load.isOpen, case .shareOfMaximum = rate {
      given(\.rate)?.report(
        "a share of the maximum needs a schedule to keep to", hint: "give it arrivals: steady")
    }
    return load
  }
}

extension ScenarioKeys {
  /// When transactions come.
  static let loadKeys: [Key<LoadDraft>] = [
    Key(
      "rate", \.rate, .rateOrShare.scalable, default: "100 per s",
      "Transactions in virtual time, so that policies and pins have an age."),
    Key(
      "arrivals", \.pattern, .arrivals,
      "When transactions begin: after the one before, or by a schedule."),
    Key(
      "think-time", \.think, .time(0...86_400_000_000).scalable, default: "none",
      "Pause between transactions; goes with `after each`."),
    Key(
      "wave", \.wave, .wave, default: "none",
      "By how much the schedule's rate rises and falls, as a sine over that time."),
  ]
}

extension ValueType where Value == ArrivalPattern? {
  static var arrivals: Self {
    .phrases([
      .words("after each", nil), .words("steady", .steady), .words("poisson", .poisson),
      .number("bursts of n", 1...1_000_000) { .bursts(of: $0) },
    ])
  }
}

extension ValueType where Value == RateWave {
  /// `80 % over 1 d`.
  static var wave: Self {
    Self(
      "`share over time`", schema: .pattern("\(SchemaNode.share) over \(SchemaNode.time)"),
      expected: "a wave such as 80 % over 1 d"
    ) { field, expected in
      guard let (share, period) = field.quantity(expected, parse) else { return nil }
      guard 0.001...0.95 ~= share, 1000...Limits.gapMicroseconds ~= period else {
        field.report("the wave is out of range", hint: "0.1 % to 95 %, over 1 ms to 3_650 d")
        return nil
      }
      return RateWave(swingPermille: Int((share * 1000).rounded()), periodMicroseconds: period)
    }
  }

  private static func parse(_ text: String) -> (share: Double, period: Int)? {
    let parts = text.split(separator: " over ", maxSplits: 1)
    guard parts.count == 2, let share = QuantityText.share(String(parts[0])),
      let period = QuantityText.duration(String(QuantityText.trimmed(parts[1])))
    else { return nil }
    return (share, period)
  }
}

extension ValueType where Value == LoadSpec.Rate {
  /// `100 per s`, `70 % of maximum`.
  static var rateOrShare: Self {
    Self(
      "rate, or `share of maximum`", schema: .ref("rate"), expected: "a rate such as 100 per s"
    ) { field, expected in
      let suffix = " of maximum"
      let parse = { (text: String) -> LoadSpec.Rate? in
        text.hasSuffix(suffix)
          ? QuantityText.share(String(text.dropLast(suffix.count))).map { .shareOfMaximum($0) }
          : QuantityText.rate(text).map { .perSecond($0) }
      }
      guard let rate = field.quantity(expected, parse) else { return nil }
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
}

extension ValueType where Value == Double {
  /// `100 per s`.
  static func rate(_ range: ClosedRange<Double>, _ rangeInWords: String) -> Self {
    Self(
      "rate", schema: .ref("rate"), expected: "a rate such as 100 per s",
      written: { $0 == $0.rounded() ? "\(QuantityText.written(Int($0))) per s" : nil },
      read: { field, expected in
        guard let rate = field.quantity(expected, QuantityText.rate) else { return nil }
        if range.contains(rate) { return rate }
        field.report("the rate is out of range", hint: "from \(rangeInWords)")
        return nil
      })
  }
}
