// A mapping of which the keys are known: refuses others, names those that are missing.
import Yams

struct MappingReader {
  let path: String
  private let node: Node
  private var fields: [String: Field] = [:]
  private let collector: ProblemCollector
  private let table: KeyTable

  /// Reads the mapping's keys, and those of `overrides`, one after the other, in place of its own; nil where there is no
  /// mapping.
  init?(_ field: Field, _ table: KeyTable, overrides: [Field] = []) {
    node = field.node
    path = field.path
    collector = field.collector
    self.table = table
    guard read(field) else { return nil }
    for override in overrides { guard read(override) else { return nil } }
    for key in table.keys where key.isRequired && fields[key.name] == nil {
      collector.report(
        at: node, path: path, "key \"\(key.name)\" is missing", hint: "it takes \(key.type)")
    }
  }

  /// The key's value; nil where the key is absent.
  subscript(_ key: String) -> Field? {
    precondition(table.key(key) != nil, "\(table.name) has no key \(key)")
    return fields[key]
  }

  func report(_ message: String, hint: String? = nil) {
    collector.report(at: node, path: path, message, hint: hint)
  }

  private mutating func read(_ field: Field) -> Bool {
    guard let mapping = field.node.mapping else {
      field.report(
        "expected a mapping with \(listed(table.keys.map(\.name))), found \(field.kind)")
      return false
    }
    var lines: [String: Int] = [:]
    for pair in mapping {
      let key = collector.restored(pair.key)
      let name = key.scalar?.string ?? ""
      let prefix = field.path.isEmpty ? "" : "\(field.path)."
      guard table.key(name) != nil else {
        collector.report(
          at: key, path: field.path, "unknown key \"\(shortened(name))\"", hint: hint(for: name))
        continue
      }
      if let line = lines[name] {
        collector.report(
          at: key, path: field.path, "key \"\(name)\" is there already, in line \(line)")
      }
      lines[name] = key.mark?.line ?? 0
      fields[name] = Field(node: pair.value, path: prefix + name, collector: collector)
    }
    return true
  }

  private func hint(for name: String) -> String {
    let names = table.keys.map(\.name)
    return suggestion(name, names) ?? "keys here are \(names.joined(separator: ", "))"
  }
}
