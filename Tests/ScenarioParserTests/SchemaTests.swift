// The schema for editors, held to whole files: every scenario that ships fits it, and misspelled ones do not.
import Foundation
import ScenarioParser
import TestSupport
import Testing
import Yams

@Suite("The JSON Schema and the scenarios")
struct SchemaTests {
  private func mistakes(_ text: String) throws -> [String] {
    let data = Data(try Repository.text("Scenarios/scenario.schema.json").utf8)
    let root = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let value = try #require(try Yams.load(yaml: text))
    return Schema(root: root).mistakes(in: value, root, at: "")
  }

  @Test("every shipped scenario fits the schema")
  func shipped() throws {
    let texts = try ShippedScenarios.texts()
    #expect(!texts.isEmpty)
    for text in texts {
      let first = text.split(separator: "\n").first { $0.hasPrefix("scenario:") } ?? ""
      let found = try mistakes(text)
      #expect(found == [], "\(first)")
    }
  }

  @Test(
    "what is misspelled, of another kind or out of range does not fit",
    arguments: [
      ("question:", "questoin:"), ("rows: 40_000", "rows: many"), ("kind: writer", "kind: writr"),
      ("launches: ", "launchez: "), ("commits: 2_000", "comits: 2_000"), ("- never", "- nevr"),
      ("update: 10", "update: [10]"), ("engines: [native]", "engines: [nativ]"),
      ("rows: 40_000", "rows: 0"), ("update: 10", "update: 200_000"),
    ])
  func misspelled(_ usual: String, _ wrong: String) throws {
    let text = SampleScenario.text() + "launches: 3\nengines: [native]\n"
    #expect(try mistakes(text) == [])
    let changed = text.replacingOccurrences(of: usual, with: wrong)
    #expect(changed != text)
    #expect(try mistakes(changed) != [], "\(wrong)")
    #expect(!MistakeTests.problems(changed).isEmpty, "\(wrong)")
  }
}

/// As much of JSON Schema (2020-12) as the scenario's schema uses. Another keyword is a mistake of the schema.
private struct Schema {
  let root: [String: Any]

  private static let known: Set<String> = [
    "$schema", "$defs", "$ref", "title", "description", "type", "enum", "const", "required",
    "properties", "additionalProperties", "patternProperties", "minProperties", "maxProperties",
    "items", "minItems", "maxItems", "pattern", "minLength", "maxLength", "minimum", "maximum",
    "exclusiveMinimum",
    "anyOf", "oneOf", "allOf", "default", "examples", "markdownDescription", "uniqueItems",
    "x-scalable",
  ]

  func mistakes(in value: Any, _ schema: [String: Any], at path: String) -> [String] {
    var found = Set(schema.keys).subtracting(Self.known).sorted().map { "unknown keyword \($0)" }
    if let name = (schema["$ref"] as? String)?.split(separator: "/").last {
      let target = (root["$defs"] as? [String: Any])?[String(name)] as? [String: Any]
      found += target.map { mistakes(in: value, $0, at: path) } ?? ["no definition \(name)"]
    }
    if let type = schema["type"] {
      let names = type as? [String] ?? [type as? String ?? ""]
      if !names.contains(where: { Self.fits(value, $0) }) {
        found.append("\(path): is no \(names.joined(separator: " or "))")
      }
    }
    if let choices = schema["enum"] as? [Any] {
      let fits = choices.contains { Self.same($0, value) }
      if !fits { found.append("\(path): \(value) is none of \(choices)") }
    }
    if let only = schema["const"], !Self.same(only, value) {
      found.append("\(path): is not \(only)")
    }
    for key in ["anyOf", "oneOf"] {
      guard let shapes = schema[key] as? [[String: Any]] else { continue }
      let fits = shapes.count { mistakes(in: value, $0, at: path).isEmpty }
      if fits == 0 || (key == "oneOf" && fits > 1) {
        found.append("\(path): fits \(fits) of \(shapes.count) shapes")
      }
    }
    for shape in schema["allOf"] as? [[String: Any]] ?? [] {
      found += mistakes(in: value, shape, at: path)
    }
    if let text = value as? String { found += ofText(text, schema, path) }
    if let list = value as? [Any] { found += ofList(list, schema, path) }
    if let mapping = value as? [String: Any] { found += ofMapping(mapping, schema, path) }
    if let number = value as? Double ?? (value as? Int).map(Double.init) {
      if let least = Self.number(schema["minimum"]), number < least {
        found.append("\(path): too small")
      }
      if let bound = Self.number(schema["exclusiveMinimum"]), number <= bound {
        found.append("\(path): too small")
      }
      if let most = Self.number(schema["maximum"]), number > most {
        found.append("\(path): too large")
      }
    }
    return found
  }

  private func ofText(_ text: String, _ schema: [String: Any], _ path: String) -> [String] {
    var found: [String] = []
    if let pattern = schema["pattern"] as? String,
      text.range(of: pattern, options: .regularExpression) == nil
    {
      found.append("\(path): \"\(text)\" is not like \(pattern)")
    }
    if let least = Self.number(schema["minLength"]).map({ Int($0) }), text.count < least {
      found.append("\(path): short")
    }
    if let most = Self.number(schema["maxLength"]).map({ Int($0) }), text.count > most {
      found.append("\(path): long")
    }
    return found
  }

  private func ofList(_ list: [Any], _ schema: [String: Any], _ path: String) -> [String] {
    var found: [String] = []
    if let items = schema["items"] as? [String: Any] {
      for (index, item) in list.enumerated() {
        found += mistakes(in: item, items, at: "\(path)[\(index)]")
      }
    }
    if let least = Self.number(schema["minItems"]).map({ Int($0) }), list.count < least {
      found.append("\(path): few")
    }
    if let most = Self.number(schema["maxItems"]).map({ Int($0) }), list.count > most {
      found.append("\(path): many")
    }
    return found
  }

  private func ofMapping(
    _ mapping: [String: Any], _ schema: [String: Any], _ path: String
  ) -> [String] {
    var found = (schema["required"] as? [String] ?? []).filter { mapping[$0] == nil }
      .map { "\(path): lacks \($0)" }
    if let least = Self.number(schema["minProperties"]).map({ Int($0) }), mapping.count < least {
      found.append("\(path): is empty")
    }
    if let most = Self.number(schema["maxProperties"]).map({ Int($0) }), mapping.count > most {
      found.append("\(path): has \(mapping.count) members")
    }
    let properties = schema["properties"] as? [String: [String: Any]] ?? [:]
    let patterns = schema["patternProperties"] as? [String: [String: Any]] ?? [:]
    for (name, member) in mapping {
      let memberPath = path.isEmpty ? name : "\(path).\(name)"
      var isKnown = false
      if let shape = properties[name] {
        isKnown = true
        found += mistakes(in: member, shape, at: memberPath)
      }
      for (pattern, shape) in patterns
      where name.range(of: pattern, options: .regularExpression) != nil {
        isKnown = true
        found += mistakes(in: member, shape, at: memberPath)
      }
      guard !isKnown, let rest = schema["additionalProperties"] else { continue }
      if let shape = rest as? [String: Any] {
        found += mistakes(in: member, shape, at: memberPath)
      } else if rest as? Bool == false {
        found.append("\(path): unknown key \(name)")
      }
    }
    return found
  }

  private static func fits(_ value: Any, _ type: String) -> Bool {
    switch type {
    case "string": value is String
    case "integer": value is Int || (value as? Double).map { $0 == $0.rounded() } ?? false
    case "number": value is Int || value is Double
    case "boolean": value is Bool
    case "array": value is [Any]
    case "object": value is [String: Any]
    case "null": value is NSNull
    default: false
    }
  }

  private static func number(_ value: Any?) -> Double? { (value as? NSNumber)?.doubleValue }

  private static func same(_ a: Any, _ b: Any) -> Bool {
    if a is NSNull { return b is NSNull }
    if let a = a as? String { return a == b as? String }
    if let b = b as? Bool { return (a as? Bool) == b }
    return (a as? NSNumber).map { $0.doubleValue } == (b as? Int).map(Double.init) ?? (b as? Double)
  }
}
