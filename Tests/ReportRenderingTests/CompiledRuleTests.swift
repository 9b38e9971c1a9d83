// The code of rules in the hands of each language's compiler, where there is one: all rules in one process.
import Foundation
import LaunchSchedules
import MetricModel
import ReportRendering
import TestSupport
import Testing

@Suite("Rules as code, compiled")
struct CompiledRuleTests {
  private static let rules: [TunedRule] =
    PolicyFamily.allCases.map { family in
      switch family {
      case .everyLaunches: .everyLaunches(5)
      case .everyHours: .everyHours(48)
      case .rentOrBuy: .rentOrBuy(hours: 8)
      default: TunedRule(family, 3_500_000, 40)
      }
    }

  private static func has(_ program: String) -> Bool {
    (try? ShellOutput.of("command -v \(program)", in: FileManager.default.temporaryDirectory)).map {
      !$0.isEmpty
    } ?? false
  }

  /// Writes the code of all rules, each in a function of its own, and returns what the command prints.
  private static func output(
    of command: String, file: String, _ language: String, before: String, after: String = "",
    _ function: (_ index: Int, _ code: String, _ rule: TunedRule) -> String
  ) throws -> String {
    let folder = FileManager.default.temporaryDirectory.appending(path: "rules-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let functions = try rules.enumerated().map { index, rule in
      function(
        index, try #require(RuleCode.all(rule).first { $0.language == language }).text, rule)
    }
    try ([before] + functions + [after]).joined(separator: "\n").write(
      to: folder.appending(path: file), atomically: true, encoding: .utf8)
    return try ShellOutput.of(command, in: folder)
  }

  @Test("Swift takes the code", .enabled(if: has("swiftc"), "no swiftc is installed"))
  func swift() throws {
    let found = try Self.output(
      of: "swiftc -typecheck rules.swift", file: "rules.swift", "Swift",
      before: """
        import Foundation
        enum Realm {
          struct Configuration { var shouldCompactOnLaunch: (Int, Int) -> Bool }
        }
        """
    ) { index, code, _ in
      "func rule\(index)() -> Realm.Configuration {\n\(code)\nreturn configuration }"
    }
    #expect(found == "")
  }

  @Test("Objective-C takes the code", .enabled(if: has("clang"), "no clang is installed"))
  func objectiveC() throws {
    let found = try Self.output(
      of: "clang -fsyntax-only -fblocks -Werror -x objective-c rules.m", file: "rules.m",
      "Objective-C",
      before: """
        typedef signed char BOOL;
        typedef unsigned long NSUInteger;
        typedef long NSInteger;
        double sqrt(double);
        double fmin(double, double);
        @interface NSConstantString
        @end
        @class NSString;
        @interface NSUserDefaults
        @property(class, readonly) NSUserDefaults *standardUserDefaults;
        - (NSInteger)integerForKey:(NSString *)key;
        - (void)setInteger:(NSInteger)value forKey:(NSString *)key;
        - (double)doubleForKey:(NSString *)key;
        - (void)setDouble:(double)value forKey:(NSString *)key;
        @end
        @interface NSDate
        @property(class, readonly) NSDate *date;
        @property(readonly) double timeIntervalSince1970;
        @end
        @interface RLMRealmConfiguration
        @property BOOL (^shouldCompactOnLaunch)(NSUInteger, NSUInteger);
        @end
        """
    ) { index, code, _ in "void rule\(index)(RLMRealmConfiguration *configuration) {\n\(code)\n}" }
    #expect(found == "")
  }

  @Test("Java takes the code", .enabled(if: has("javac"), "no javac is installed"))
  func java() throws {
    let found = try Self.output(
      of: "javac Rules.java", file: "Rules.java", "Java",
      before: """
        interface Editor {
          Editor putInt(String key, int value);
          Editor putLong(String key, long value);
          void apply();
        }
        interface SharedPreferences {
          boolean contains(String key);
          int getInt(String key, int value);
          long getLong(String key, long value);
          Editor edit();
        }
        interface Context {
          int MODE_PRIVATE = 0;
          SharedPreferences getSharedPreferences(String name, int mode);
        }
        interface CompactOnLaunchCallback { boolean shouldCompact(long totalBytes, long usedBytes); }
        class RealmConfiguration {
          static class Builder {
            Builder compactOnLaunch(CompactOnLaunchCallback callback) { return this; }
          }
        }
        class Rules {
        """, after: "}"
    ) { index, code, rule in
      let body = rule.family.hasMemory ? code : "RealmConfiguration.Builder builder =\n\(code);"
      return "Object rule\(index)(Context context) {\n\(body)\nreturn builder; }"
    }
    #expect(found == "")
  }

  /// Twelve launches, eight hours apart: the code runs anew at each, with what it stored.
  @Test("JavaScript decides by what it stored", .enabled(if: has("node"), "no node is installed"))
  func javaScript() throws {
    let found = try Self.output(
      of: "node rules.js", file: "rules.js", "JavaScript", before: "const rules = [];",
      after: """
        const storage = require("fs");
        for (const rule of rules) {
          storage.rmSync("compaction.json", { force: true });
          const launches = [];
          for (let launch = 1; launch <= 12; launch += 1) {
            Date.now = () => (1_000_000 + launch * 8 * 3600) * 1000;
            if (rule().shouldCompact(12_000_000, 8_000_000)) launches.push(launch);
          }
          console.log(launches.join(" "));
        }
        """
    ) { _, code, _ in "rules.push(() => {\n\(code)\nreturn configuration; });" }
    // 4 MB of waste reach 8 h of 8 MB after 16 hours, two launches.
    let memory = ["5 10", "7", "3 5 7 9 11"]
    let closures = Self.rules.filter { !$0.family.hasMemory }.map { rule in
      Self.compacts(rule) ? (1...12).map(String.init).joined(separator: " ") : ""
    }
    #expect(found == (closures + memory).map { $0 + "\n" }.joined())
  }

  /// What a closure decides at 12 MB, of which 8 MB are used.
  private static func compacts(_ rule: TunedRule) -> Bool {
    switch rule {
    case .sizeAndShare: false
    case .freeBytes: true
    // 12 MB are less than 35,000 times as many.
    case .multiple: false
    // 4 MB beside √(3.5 MB · 8 MB) = 5.3 MB.
    case .squareRoot: false
    case .capped: true
    // 8 MB are more than 40 bytes.
    case .boundedCopy: false
    default: false
    }
  }
}
