// Short labels for policies whose name is too long for a table: `on-launch A`. The same condition has the same letter.
import MetricModel
package import Policies
import PredicateLanguage

package struct PolicyLabels: Sendable {
  /// The maximum length of a name that is not shortened.
  package static let maxLength = 22

  /// Label → full rule, in the order of the scenario; only where they differ.
  package let legend: [(label: String, rule: String)]
  private let labels: [String: String]

  package init(_ policies: [Policy]) {
    var labels: [String: String] = [:]
    var letters: [String: Character] = [:]
    var legend: [(label: String, rule: String)] = []
    for policy in policies {
      var label = policy.name.onOneLine
      if case .when(let predicate) = policy.onLaunch, label.count > Self.maxLength {
        let condition = predicate.oneLine
        let letter = letters[condition] ?? Self.letter(letters.count)
        letters[condition] = letter
        label = "\(policy.automatic ? "automatic + " : "")on-launch \(letter)"
      }
      labels[policy.name] = label
      if label != policy.rule { legend.append((label, policy.rule)) }
    }
    self.labels = labels
    self.legend = legend
  }

  package subscript(name: String) -> String { labels[name] ?? name }

  private static func letter(_ index: Int) -> Character {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    return letters[index % letters.count]
  }
}
