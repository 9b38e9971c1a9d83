// A mapping of which the keys are known: refuses others, names those that are missing.
import Yams

struct MappingReader {
  let path: String
  private let node: Node
  private(set) var fields: [String: Field] = [:]
  let collector: ProblemCollector
  private let table: KeyTable

  /// Collects the mapping's keys, and those of `overrides`, one after the other, in place of its own; nil where there is
  /// no mapping.
  init?(_ field: Field, _ table: KeyTable, overrides: [Field] = []) {
    node = field.node
    path = field.path
    collector = field.collector
    self.table = table
    guard collect(field) else { return nil }
    for override in overrides { guard collect(override) else { return nil } }
    for key in table.keys where key.isRequired && fields[key.name] == nil {
      // A key that was found under its old name is not missing as well.
      guard !oldNames(of: key.name, in: [field] + overrides) else { continue }
      collector.report(
        at: node, path: path, "key \"\(key.name)\" is missing", hint: "it takes \(key.type)")
    }
  }

  func report(_ message: String, hint: String? = nil) {
    collector.report(at: node, path: path, message, hint: hint)
  }

  private mutating func collect(_ field: Field) -> Bool {
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
        reportUnknown(name, at: key, path: field.path)
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

  private func reportUnknown(_ name: String, at key: Node, path: String) {
    if let newName = table.renamedKeys[name] {
      return collector.report(
        at: key, path: path, "key \"\(name)\" is now called \"\(newName)\"",
        hint: "write \(newName):")
    }
    let names = table.keys.map(\.name)
    let hint = suggestion(name, names) ?? "keys here are \(names.joined(separator: ", "))"
    collector.report(at: key, path: path, "unknown key \"\(shortened(name))\"", hint: hint)
  }

  private func oldNames(of key: String, in fields: [Field]) -> Bool {
    let old = table.renamedKeys.filter { $0.value == key }.map(\.key)
    return fields.contains { field in
      field.node.mapping?.contains { old.contains($0.key.scalar?.string ?? "") } ?? false
    }
  }
}
