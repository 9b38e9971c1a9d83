// Which policies decide in the background, too.
import MetricModel

extension Policy {
  /// Whether the policy decides at openings in the background, not at launches only. An app compacts in the background by a
  /// task of its own, which the condition of its launches does not describe: the condition must use a variable of
  /// `ObservedVariable.atOpenings`. A program gets them all.
  package var decidesInBackground: Bool {
    switch onLaunch {
    case .never, .always: false
    case .when(let predicate):
      ObservedVariable.atOpenings.contains { predicate.variables.contains($0.name) }
    case .program: true
    }
  }
}
