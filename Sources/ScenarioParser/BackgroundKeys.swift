// Moments in the background between two launches.
import MetricModel
import ScenarioModel

extension ScenarioKeys {
  /// Moments lie between two launches, in a gap that leaves time for them.
  static func checkBackground(
    _ launches: inout LaunchDraft, _ keys: GivenKeys<LaunchDraft>
  ) {
    guard let background = launches.background, let field = keys[\.background] else { return }
    launches.lifecycle.background = background
    if launches.count < 2 {
      field.report(
        "there is no time between launches for the background",
        hint: "it takes two launches or more")
    } else if launches.gap.median == .zero {
      field.report(
        "there is no time between launches for the background", hint: "give them a gap above 0")
    }
    if launches.killedCompactions != nil {
      field.report(
        "a compaction is killed before launches, and the background opens the database between",
        hint: "give one of background and compaction-killed")
    }
  }
}

extension ValueType where Value == [BackgroundSpec] {
  /// `charging`, `[idle at 20 %, charging at 60 %]`.
  static var moments: Self {
    let names = BackgroundMoment.allCases.map(\.rawValue)
    return Self(
      "`moment` or `moment at share`, or a list of them; moments are "
        + listed(names.map { "`\($0)`" }, "and"),
      schema: .oneOrMore(.pattern("(\(names.joined(separator: "|")))( at \(SchemaNode.share))?")),
      expected: "a moment such as charging, or a list of them",
      read: { field, expected in
        guard let elements = field.oneOrMore(expected) else { return nil }
        var found: [BackgroundSpec] = []
        for (index, element) in elements.enumerated() {
          let usual = (index + 1) * 1000 / (elements.count + 1)
          guard
            let spec = element.quantity(
              "\(listed(names)), as in charging at 30 %", { Self.moment($0, usual) })
          else { continue }
          if found.contains(where: { $0.moment == spec.moment }) {
            element.report(
              "\(spec.moment.rawValue) is there already", hint: "name each moment once")
          } else if !(1...999 ~= spec.gapPermille) {
            element.report("the share is out of range", hint: "from 0.1 % to 99.9 %")
          } else if let last = found.last, last.gapPermille >= spec.gapPermille {
            element.report(
              "\(spec.moment.rawValue) is not after \(last.moment.rawValue)",
              hint: "list moments in their order in time")
          } else {
            found.append(spec)
          }
        }
        return found.count == elements.count ? found : nil
      })
  }

  private static func moment(_ text: String, _ usualPermille: Int) -> BackgroundSpec? {
    let parts = text.split(separator: " at ", maxSplits: 1).map { QuantityText.trimmed($0) }
    guard let first = parts.first, let moment = BackgroundMoment(rawValue: String(first)) else {
      return nil
    }
    guard parts.count == 2 else { return BackgroundSpec(moment, gapPermille: usualPermille) }
    guard let share = QuantityText.share(String(parts[1])), share.isFinite, abs(share) < 1000 else {
      return nil
    }
    return BackgroundSpec(moment, gapPermille: Int((share * 1000).rounded()))
  }
}
