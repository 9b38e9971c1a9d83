// Automatic compaction in a policy: on or off, a mode, or a mapping with thresholds.
import MetricModel
import Policies

extension ScenarioKeys {
  static let automatic = Block("automatic", PolicyDraft.Automatic(isOn: true)) {
    Key(
      "mode", \.preset, .choice, default: "the engine's usual one",
      "The way of automatic compaction, where the engine has several.")
    Key(
      AutomaticThresholds.startKey, \.thresholds.startFreeShare,
      threshold(AutomaticThresholds.startKey),
      default: "the engine's", "The share of the file that is free when compaction begins.")
    Key(
      AutomaticThresholds.targetKey, \.thresholds.targetFreeShare,
      threshold(AutomaticThresholds.targetKey),
      default: "the engine's", "The share that is free when it ends.")
    Key(
      AutomaticThresholds.minimumKey, \.thresholds.minimumFile,
      ValueType<Int>.size(4096...1 << 30).map { ByteCount($0) }, default: "the engine's",
      "Shorter files are not compacted.")
    Key(
      AutomaticThresholds.commitKey, \.thresholds.commitShare,
      threshold(AutomaticThresholds.commitKey),
      default: "the engine's", "A commit moves at most this share of the bytes that it wrote.")
    Key(
      AutomaticThresholds.backOffKey, \.thresholds.backOffCommits, .commits(1...100_000),
      default: "the engine's", "The commits to wait after compaction gave up.")
  } check: { automatic, keys in
    guard keys.isClean, let contradiction = automatic.thresholds.contradiction else { return }
    keys.report(contradiction, hint: "compaction would end before it begins")
  }

  /// A share within the bounds of its threshold.
  private static func threshold(_ name: String) -> ValueType<Double> {
    guard let threshold = AutomaticThreshold.all.first(where: { $0.name == name }) else {
      preconditionFailure("\(name) is a threshold")
    }
    let share = ValueType<Double>.share
    return ValueType<Double>(
      "share, \(threshold.bounds)", schema: share.schema, expected: share.expected,
      read: { field, expected in
        guard let value = share.read(field, expected) else { return nil }
        if threshold.allows(value) { return value }
        field.report("the share is out of range", hint: "from \(threshold.bounds)")
        return nil
      })
  }
}

extension ValueType where Value == PolicyDraft.Automatic {
  /// `true`, `eager`, or a mapping.
  static var automatic: Self {
    let word = ValueType.choice(PolicyDraft.Automatic.choices)
    return Self(
      "\(word.words), or mapping",
      schema: .anyOf([word.schema, .ref(ScenarioKeys.automatic.table.name)]),
      expected: word.expected, written: word.written,
      read: { field, expected in
        guard field.node.mapping == nil else { return ScenarioKeys.automatic.read(field)?.model }
        return word.read(field, expected)
      })
  }
}
