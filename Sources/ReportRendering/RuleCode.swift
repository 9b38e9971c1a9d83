// A rule for launches as the code that an app ships, in each language that Realm has an SDK for.
package import LaunchSchedules

/// Code for one language.
package struct RuleCode: Sendable {
  package let language: String
  /// The name that Markdown's code blocks know it by.
  package let tag: String
  package let text: String

  /// Returns the rule as code of every language; for a rule with memory, of those whose storage is the same for all apps.
  package static func all(_ rule: TunedRule) -> [RuleCode] {
    if let memory = RuleMemory(rule) { return RuleMemoryCode.all(memory) }
    return Language.all.map { language in
      RuleCode(
        language: language.name, tag: language.tag,
        text: language.frame.replacing("#", with: language.expression(rule)))
    }
  }
}

/// How a language writes a rule's condition, and where the condition goes.
private struct Language: Sendable {
  let name: String
  let tag: String
  /// With `#` for the condition.
  let frame: String
  var total = "totalBytes"
  var used = "usedBytes"
  /// Whole numbers of 64 bits as literals: with separators, or with an ending.
  var separator = "_"
  var ending = ""
  /// Returns a whole number as a real one.
  var real: @Sendable (String) -> String
  var squareRoot: String
  var smaller: String

  static let all = [
    Language(
      name: "Swift", tag: "swift",
      frame: """
        let configuration = Realm.Configuration(shouldCompactOnLaunch: { totalBytes, usedBytes in
          #
        })
        """,
      real: { "Double(\($0))" }, squareRoot: "sqrt", smaller: "min"),
    Language(
      name: "Objective-C", tag: "objc",
      frame: """
        configuration.shouldCompactOnLaunch = ^BOOL(NSUInteger totalBytes, NSUInteger usedBytes) {
          return #;
        };
        """,
      separator: "", real: { "(double)\($0)" }, squareRoot: "sqrt", smaller: "fmin"),
    Language(
      name: "Kotlin", tag: "kotlin",
      frame: """
        RealmConfiguration.Builder(schema)
          .compactOnLaunch { totalBytes, usedBytes ->
            #
          }
        """,
      ending: "L", real: { "\($0).toDouble()" }, squareRoot: "kotlin.math.sqrt", smaller: "minOf"),
    Language(
      name: "Java", tag: "java",
      frame: """
        new RealmConfiguration.Builder()
          .compactOnLaunch((totalBytes, usedBytes) ->
            #)
        """,
      ending: "L", real: { "(double) \($0)" }, squareRoot: "Math.sqrt", smaller: "Math.min"),
    Language(
      name: "C#", tag: "csharp",
      frame: """
        configuration.ShouldCompactOnLaunch = (totalBytes, usedBytes) =>
          #;
        """,
      ending: "UL", real: { "(double)\($0)" }, squareRoot: "Math.Sqrt", smaller: "Math.Min"),
    Language(
      name: "JavaScript", tag: "javascript",
      frame: """
        const configuration = {
          shouldCompact: (totalBytes, usedBytes) =>
            #,
        };
        """,
      real: { $0 }, squareRoot: "Math.sqrt", smaller: "Math.min"),
    Language(
      name: "Dart", tag: "dart",
      frame: """
        // import 'dart:math';
        Configuration.local(schema, shouldCompactCallback: (totalSize, usedSize) =>
          #);
        """,
      total: "totalSize", used: "usedSize", separator: "", real: { $0 }, squareRoot: "sqrt",
      smaller: "min"),
  ]

  func expression(_ rule: TunedRule) -> String {
    let free = "\(total) - \(used)"
    return switch rule {
    case .sizeAndShare(let size, let percent):
      "\(total) > \(whole(size.bytes)) && \(real(used)) / \(real(total)) < \(TunedRule.factor(percent))"
    case .freeBytes(let bytes): "\(free) > \(whole(bytes.bytes))"
    case .multiple(let percent): "\(real(total)) > \(decimal(percent)) * \(real(used))"
    case .squareRoot(let bytes):
      "\(real("(\(free))")) >= \(squareRoot)(\(grouped(bytes.bytes)).0 * \(real(used)))"
    case .capped(let bytes, let percent):
      "\(real("(\(free))")) > \(smaller)(\(grouped(bytes.bytes)).0, \(decimal(percent)) * \(real(used)))"
    case .boundedCopy(let bytes, let bound):
      "\(free) > \(whole(bytes.bytes)) && \(used) < \(whole(bound.bytes))"
    case .everyLaunches, .everyHours, .rentOrBuy: ""
    }
  }

  /// `2.0`: languages that do not mix whole and real numbers need the point.
  private func decimal(_ percent: Int) -> String {
    let text = TunedRule.factor(percent)
    return text.contains(".") ? text : "\(text).0"
  }

  private func whole(_ value: Int) -> String { grouped(value) + ending }

  /// `48_200_000`.
  private func grouped(_ value: Int) -> String {
    var text = ""
    for (index, digit) in String(value).reversed().enumerated() {
      if index > 0, index % 3 == 0 { text = separator + text }
      text = String(digit) + text
    }
    return text
  }
}
