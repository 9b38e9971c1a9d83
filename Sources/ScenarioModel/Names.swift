// What a name may be. Names also come from files of unknown origin (scenarios, records, baselines, traces) and become parts
// of paths, lines of text and fields of tables: so there is one rule for each kind, applied wherever one is read.

/// The name of a scenario, by which its files and folders go.
package enum ScenarioName {
  package static let maxLength = 80
  /// The rule, for messages.
  package static let rule = "lowercase letters, digits and single hyphens, such as long-reader"
  /// The suffix that the replay of a trace adds to the name of the recorded scenario.
  package static let replaySuffix = "-replayed"

  /// Whether a scenario file may have the name.
  package static func isValid(_ text: String) -> Bool {
    text.utf8.count <= maxLength && isKebab(text)
  }

  /// Whether a record, a baseline or a trace may have the name: that of a scenario, or of its replay.
  package static func isValidInRecord(_ text: String) -> Bool {
    text.utf8.count <= maxLength + replaySuffix.utf8.count && isKebab(text)
  }

  private static func isKebab(_ text: String) -> Bool {
    text.split(separator: "-", omittingEmptySubsequences: false).allSatisfy { word in
      !word.isEmpty && word.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber) }
    }
  }
}

/// The name of an engine, policy, arm, table, client or phase, or of a commit: one line of text.
package enum Label {
  /// The rule, for messages.
  package static let rule = "one line of text without control characters"

  package static func isValid(_ text: String) -> Bool {
    !text.isEmpty
      && text.unicodeScalars.allSatisfy {
        switch $0.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: false
        default: true
        }
      }
  }
}

extension Scenario {
  /// The first name that no scenario file could have: what it names, the name, and the rule; nil where all are valid.
  package var invalidName: (kind: String, name: String, rule: String)? {
    if !ScenarioName.isValidInRecord(name) { return ("scenario", name, ScenarioName.rule) }
    let clients = arms.flatMap { $0.clients + $0.inPhases.values.flatMap(\.self) }
    let kinds: [(String, [String])] = [
      ("engine", engines), ("policy", policies.map(\.name)), ("arm", arms.map(\.name)),
      ("table", tables.map(\.name)), ("client", clients.map(\.name)),
      ("phase", phases.map(\.name)),
    ]
    for (kind, names) in kinds {
      if let name = names.first(where: { !Label.isValid($0) }) { return (kind, name, Label.rule) }
    }
    return nil
  }
}
