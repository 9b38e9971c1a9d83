// A rule for launches as the code that an app ships, in each language that Realm has an SDK for.
package import LaunchSchedules

/// Code for one language.
package struct RuleCode: Sendable {
  package let language: String
  /// The name that Markdown's code blocks know it by.
  package let tag: String
  package let text: String

  /// Returns the rule as code of every language; for a rule that has to remember something, of Swift only.
  package static func all(_ rule: TunedRule) -> [RuleCode] {
    if rule.family.hasMemory {
      return [RuleCode(language: "Swift", tag: "swift", text: RuleMemoryCode.swift(rule))]
    }
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

/// Rules that have to remember something: the code stores it between launches.
private enum RuleMemoryCode {
  static func swift(_ rule: TunedRule) -> String {
    switch rule {
    case .everyLaunches(let count):
      return """
        // Counts launches since the last compaction.
        let store = UserDefaults.standard
        let configuration = Realm.Configuration(shouldCompactOnLaunch: { totalBytes, usedBytes in
          let launches = store.integer(forKey: "launchesSinceCompaction") + 1
          let compacts = launches >= \(count)
          store.set(compacts ? 0 : launches, forKey: "launchesSinceCompaction")
          return compacts
        })
        """
    case .everyHours(let hours):
      return """
        // Keeps the time of the last compaction; the first launch counts as one.
        let store = UserDefaults.standard
        let now = Date().timeIntervalSince1970
        if store.double(forKey: "lastCompaction") == 0 { store.set(now, forKey: "lastCompaction") }
        let configuration = Realm.Configuration(shouldCompactOnLaunch: { totalBytes, usedBytes in
          let compacts = now - store.double(forKey: "lastCompaction") >= \(hours) * 3600
          if compacts { store.set(now, forKey: "lastCompaction") }
          return compacts
        })
        """
    case .rentOrBuy(let hours):
      return """
        // Adds up the wasted bytes × the seconds since the launch before.
        let store = UserDefaults.standard
        let now = Date().timeIntervalSince1970
        let configuration = Realm.Configuration(shouldCompactOnLaunch: { totalBytes, usedBytes in
          let before = store.double(forKey: "lastLaunch")
          let span = before > 0 ? now - before : 0
          let waste = store.double(forKey: "waste") + Double(totalBytes - usedBytes) * span
          let compacts = waste >= \(hours) * 3600 * Double(usedBytes)
          store.set(now, forKey: "lastLaunch")
          store.set(compacts ? 0 : waste, forKey: "waste")
          return compacts
        })
        """
    default: return ""
    }
  }
}
