// The policies that can be written on one line, for lists and documents.
import MetricModel

/// A form of a policy's text.
package struct PolicyForm: Sendable {
  /// The text, with `<predicate>` for a condition.
  package let text: String
  package let meaning: String

  package static let all =
    [
      PolicyForm(text: "never", meaning: "no compaction"),
      PolicyForm(text: "automatic", meaning: "the engine's own compaction while it runs"),
      PolicyForm(
        text: "automatic(\(AutomaticPreset.eager.rawValue))",
        meaning: "in one of its ways: "
          + AutomaticPreset.allCases.map(\.rawValue).joined(separator: ", ")),
      PolicyForm(
        text: "automatic(eager, start-free-share 40 %)",
        meaning: "with other thresholds"),
      PolicyForm(text: "every-launch", meaning: "compaction at every launch"),
      PolicyForm(
        text: "on-launch: <predicate>",
        meaning:
          "compaction at launches at which the predicate holds; `always` and `never` may stand for it"
      ),
    ] + PolicyPreset.all.map { PolicyForm(text: $0.form, meaning: $0.meaning) } + [
      PolicyForm(
        text: "exec: <program> <arguments>",
        meaning: "a program decides at each launch, where `--allow-exec` permits it"),
      PolicyForm(
        text: "automatic + on-launch: <predicate>",
        meaning: "both, as in an app since Realm Swift 10.35"),
      PolicyForm(
        text: "half-free = on-launch: <predicate>", meaning: "with a label for the report's tables"),
    ]
}
