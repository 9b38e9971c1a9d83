// Parameters: values that a scenario declares once and uses as `$name`, and values that a command sets in place of the
// file's. Both are put into the document before its keys are read, so that every value is checked as if it were written
// there.
import PredicateLanguage
import Yams

/// A value that a command gives in place of the file's.
package struct ScenarioSetting: Hashable, Sendable {
  /// The option that it was given with, for messages: `--set`.
  package var option: String
  /// The name of a parameter, or the path of a key as messages name it: `data.Item.rows`, `phases.pinned.commits`.
  package var name: String
  /// The value as a file has it: `40 MB`.
  package var value: String

  package init(option: String, name: String, value: String) {
    self.option = option
    self.name = name
    self.value = value
  }
}

/// Puts the values of parameters and settings into a document.
struct Parameters {
  /// The rule for names.
  static let rule = "letters, digits and underscores, beginning with a letter"

  private static let key = "parameters"
  /// Keys whose values are prose.
  private static let texts: Set<String> = [
    "scenario", "question", "description", "source", "keywords",
  ]

  private let collector: ProblemCollector
  /// The values, those of settings included; nil where the scenario declares none.
  private(set) var values: [String: String]?
  private var declared: [(name: Field, value: Field)] = []
  private var settings: [String: ScenarioSetting] = [:]
  /// The parameters and paths that have been found.
  private var used: Set<String> = []
  /// The paths of values that begin with a digit or a parameter.
  private var numericPaths: [String] = []

  init(_ settings: [ScenarioSetting], _ collector: ProblemCollector) {
    self.collector = collector
    for setting in settings {
      if self.settings.updateValue(setting, forKey: setting.name) != nil {
        report(setting, "\"\(shortened(setting.name))\" is set twice", hint: "leave one out")
      }
    }
  }

  /// Returns the document with the values in it, and reports names that lead nowhere.
  mutating func applied(to root: Node) -> Node {
    guard let mapping = root.mapping else { return root }
    declare(mapping)
    let pairs = mapping.map { pair -> (Node, Node) in
      let key = pair.key.scalar?.string ?? ""
      if key == Self.key { return (pair.key, pair.value) }
      return (pair.key, filled(pair.value, path: key, isText: Self.texts.contains(key)))
    }
    reportUnused()
    return .mapping(
      Node.Mapping(pairs, mapping.tag, mapping.style, mapping.mark))
  }

  private mutating func declare(_ mapping: Node.Mapping) {
    guard let node = mapping.first(where: { $0.key.scalar?.string == Self.key })?.value else {
      return
    }
    var values: [String: String] = [:]
    declared =
      Field(node: node, path: Self.key, collector: collector).namedMapping("parameter") ?? []
    for (name, value) in declared {
      if !Self.isName(name.keyText) {
        name.report("\"\(shortened(name.keyText))\" is no name of a parameter", hint: Self.rule)
      }
      guard let text = value.text("a value such as 20 MB") else { continue }
      values[name.keyText] = settings[name.keyText]?.value ?? text
    }
    self.values = values
  }

  /// Returns the node with values in place of parameters.
  private mutating func filled(_ node: Node, path: String, isText: Bool) -> Node {
    switch node {
    case .mapping(let mapping):
      let pairs = mapping.map { pair -> (Node, Node) in
        let key = pair.key.scalar?.string ?? "?"
        return (pair.key, filled(pair.value, path: "\(path).\(key)", isText: isText))
      }
      return .mapping(Node.Mapping(pairs, mapping.tag, mapping.style, mapping.mark))
    case .sequence(let sequence):
      let nodes = sequence.enumerated().map { index, element in
        // A phase or an arm goes by its name, as in messages.
        if let pair = element.mapping?.first, element.mapping?.count == 1,
          pair.value.scalar == nil, let name = pair.key.scalar?.string
        {
          let value = filled(pair.value, path: "\(path).\(name)", isText: isText)
          return Node.mapping(
            Node.Mapping(
              [(pair.key, value)], element.mapping!.tag, element.mapping!.style,
              element.mapping!.mark))
        }
        return filled(element, path: "\(path)[\(index)]", isText: isText)
      }
      return .sequence(Node.Sequence(nodes, sequence.tag, sequence.style, sequence.mark))
    case .scalar(let scalar): return .scalar(filled(scalar, path: path, isText: isText))
    case .alias: return node
    }
  }

  private mutating func filled(
    _ scalar: Node.Scalar, path: String, isText: Bool
  ) -> Node.Scalar {
    var scalar = scalar
    if let first = scalar.string.first, first.isNumber || first == "$" {
      numericPaths.append(path)
    }
    if let setting = settings[path] {
      used.insert(path)
      // What stood there is a use of its parameters, although another value takes its place.
      used.formUnion(
        scalar.string.split(separator: "$", omittingEmptySubsequences: false).dropFirst().map {
          Self.name(at: $0)
        })
      scalar.string = setting.value
      collector.note("\(path) is \(shortened(setting.value)) by \(setting.option)", at: scalar.mark)
    }
    guard let values, !isText, scalar.string.contains("$") else { return scalar }
    var text = ""
    var rest = scalar.string[...]
    while let sign = rest.firstIndex(of: "$") {
      text += rest[..<sign]
      let after = rest[rest.index(after: sign)...]
      let name = Self.name(at: after)
      rest = after.dropFirst(name.count)
      guard let value = values[name] else {
        reportUnknown(name, scalar, path)
        continue
      }
      used.insert(name)
      text += value
      let origin = settings[name].map { " by \($0.option)" } ?? ""
      collector.note("$\(name) is \(shortened(value))\(origin)", at: scalar.mark)
    }
    scalar.string = text + rest
    return scalar
  }

  private func reportUnknown(_ name: String, _ scalar: Node.Scalar, _ path: String) {
    let names = declared.map(\.name.keyText)
    collector.report(
      at: .scalar(scalar), path: path, "unknown parameter \"$\(shortened(name))\"",
      hint: suggestion(name, names)
        ?? "parameters are \(listed(names.map { "$\($0)" }, "and"))")
  }

  private func reportUnused() {
    for (name, _) in declared where !used.contains(name.keyText) {
      name.report(
        "parameter \"\(shortened(name.keyText))\" is used nowhere",
        hint: "write $\(name.keyText) where its value belongs")
    }
    let names = declared.map(\.name.keyText)
    for setting in settings.values.sorted(by: { $0.name < $1.name })
    where !used.contains(setting.name) && !names.contains(setting.name) {
      let known = names + numericPaths
      report(
        setting,
        "neither a parameter nor the path of a value is called \"\(shortened(setting.name))\"",
        hint: nearest(to: setting.name, in: known).map { "did you mean \"\($0)\"?" }
          ?? "there are \(listed(Array(known.prefix(6)), "and"))\(known.count > 6 ? ", …" : "")")
    }
  }

  /// A mistake in the option and not in the file.
  private func report(_ setting: ScenarioSetting, _ message: String, hint: String) {
    collector.add(
      ScenarioProblem(
        file: setting.option, line: 1, column: 1, length: max(1, setting.name.count), path: "",
        message: message, hint: hint, sourceLine: "\(setting.name)=\(setting.value)"))
  }

  /// Returns the name that the text begins with; empty for none.
  private static func name(at text: Substring) -> String {
    String(text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") })
  }

  private static func isName(_ text: String) -> Bool {
    guard let first = text.first, first.isASCII, first.isLetter else { return false }
    return text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
  }
}
