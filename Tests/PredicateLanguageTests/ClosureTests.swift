// Closures and blocks decide as the compiler's program would: one row for each rule of Swift and C.
import PredicateLanguage
import Testing

@Suite("Closures")
struct ClosureTests {
  private static func value(_ name: String) -> Double? {
    ["totalBytes": 1000, "usedBytes": 250, "liveBytes": 0, "pinAge": 0.5][name]
  }

  @Test(
    "closures of Swift",
    arguments: [
      // Whole numbers divide without a fraction, toward zero.
      ("{ usedBytes / totalBytes == 0 }", .yes), ("{ totalBytes / 3 == 333 }", .yes),
      ("{ -totalBytes / 3 == -333 }", .yes), ("{ Double(totalBytes) / 3 > 333 }", .yes),
      ("{ totalBytes / usedBytes * 2 == 8 && 7 / 2 == 3 }", .yes),
      // Literals take the type that they are used with, and Int by themselves.
      ("{ 7 / 2 < 3.6 }", .yes), ("{ 7 / 2 < 3.2 }", .no), ("{ Double(7 / 2) > 3.2 }", .no),
      ("{ Double(usedBytes) * (1 / 2) == 125 }", .yes), ("{ Int(7 / 2.0) == 3 }", .yes),
      ("{ Double(-7 / 2) == -3 }", .yes), ("{ Double(1 + 1 / 2) < 1.2 }", .yes),
      ("{ abs(-5 / 2) * 1.0 > 2.4 }", .yes), ("{ Double(abs(-7 / 2)) == 3 }", .yes),
      ("{ min(1, 2.5) == 1 }", .yes), ("{ Double(min(1, 3) / 2) == 0 }", .yes),
      ("{ (totalBytes > 5 ? 1 / 2 : 2) * 1.5 > 0.7 }", .yes),
      ("let x = 5 / 2\nreturn x == 2", .yes), ("let x: Double = 5 / 2\nreturn x == 2.5", .yes),
      ("let x = 5 / 2 * 1.0; return x == 2.5", .yes),
      ("{ Float(0.1) == Float(0.1) && Float(usedBytes) / 3 < 83.34 }", .yes),
      ("{ UInt(totalBytes) > 5 && Int32(usedBytes) == 250 }", .yes),
      ("{ CGFloat(usedBytes) / Double(totalBytes) == 0.25 }", .yes),
      // Real numbers divide by zero.
      ("{ Double(totalBytes) / Double(liveBytes) > 2 }", .yes),
      ("{ !(Double(liveBytes) / Double(liveBytes) < 2) }", .yes),
      ("{ Double(pinAge) > 0.4 }", .yes),
      // The right side is computed only where the left one does not decide.
      ("{ liveBytes == 0 || totalBytes / liveBytes > 2 }", .yes),
      ("{ liveBytes > 0 && totalBytes / liveBytes > 2 }", .no),
      // Branches.
      ("{ if totalBytes > 500 { return true }; return false }", .yes),
      ("{ if totalBytes > 5000 { return true } else { return usedBytes == 250 } }", .yes),
      ("{ if totalBytes > 5000 { true } else if usedBytes > 5 { false } else { true } }", .no),
      ("{ guard totalBytes > 5000 else { return false }\n return true }", .no),
      ("{ let x = if totalBytes > 5 { 1 } else { 2 }\n return x == 1 }", .yes),
      ("{ if totalBytes > 5 { let y = 3; return usedBytes > y }\n let y = 2; return y > 3 }", .yes),
      ("{ let isLarge = totalBytes > 5; return isLarge ? usedBytes < 300 : false }", .yes),
      // What is not known, where it matters and where not.
      ("{ freeBytes > 5 }", .unknown("freeBytes")), ("{ freeBytes > 5 || true }", .yes),
      ("{ freeBytes > 5 ? true : totalBytes > 5 }", .yes),
    ] as [(String, Evaluation)])
  func swift(source: String, expected: Evaluation) throws {
    let predicate = try Predicate(source, variables: measured)
    #expect(predicate.typing == .swift)
    #expect(predicate.evaluate(Self.value) == expected)
    let again = try Predicate(predicate.oneLine, variables: measured)
    #expect(again.evaluate(Self.value) == expected, "\(predicate.oneLine)")
  }

  @Test(
    "blocks of Objective-C convert by themselves, and divide whole numbers without a fraction",
    arguments: [
      ("^{ return usedBytes / totalBytes == 0; }", .yes),
      ("^{ return (double)usedBytes / totalBytes == 0.25; }", .yes),
      ("^{ return usedBytes / totalBytes < 0.1; }", .yes),
      ("^{ return usedBytes * 1.0 / totalBytes < 0.1; }", .no),
      ("^{ return 7 / 2 < 3.2; }", .yes), ("^{ return MIN(usedBytes, 300) == 250; }", .yes),
      ("NSUInteger x = 7.9; return x == 7", .yes), ("double x = 7 / 2; return x == 3.5", .no),
      ("^{ if (totalBytes > 500) return YES; return NO; }", .yes),
      ("^{ if (totalBytes > 5000) { return YES; } else { return NO; } }", .no),
      ("^{ return (totalBytes > 5) ? usedBytes > 5 : NO; }", .yes),
      ("^{ return usedBytes > 249UL && usedBytes * 0.5f == 125; }", .yes),
    ] as [(String, Evaluation)])
  func objectiveC(source: String, expected: Evaluation) throws {
    let predicate = try Predicate(source, variables: measured)
    #expect(predicate.typing == .c)
    #expect(predicate.evaluate(Self.value) == expected)
    let again = try Predicate(predicate.oneLine, variables: measured)
    #expect(again.evaluate(Self.value) == expected, "\(predicate.oneLine)")
  }

  @Test(
    "what would end the app is refused with the reason, not decided",
    arguments: [
      ("{ totalBytes / liveBytes > 2 }", "1000 / 0 of Int has no value"),
      (
        "{ totalBytes * 10_000_000_000_000_000 > 2 }",
        "10000000000000000000 is above what Int holds"
      ),
      ("{ UInt(usedBytes - totalBytes) > 2 }", "-750 is below what UInt holds"),
      ("{ Int32(totalBytes * 10_000_000) > 2 }", "10000000000 is above what Int32 holds"),
      ("{ Int(Double(totalBytes) / Double(liveBytes)) > 2 }", "Int has no value for inf"),
      ("^{ return usedBytes - totalBytes > 2; }", "-750 is below what NSUInteger holds"),
      (
        "let x = totalBytes / liveBytes\nreturn usedBytes > 5 || x > 2",
        "1000 / 0 of Int has no value"
      ),
    ])
  func refused(source: String, reason: String) throws {
    let predicate = try Predicate(source, variables: measured)
    #expect(predicate.evaluate(Self.value) == .refused(reason))
  }

  @Test(
    "what Swift does not compile is refused",
    arguments: [
      "{ usedBytes / totalBytes < 0.5 }", "{ totalBytes * 0.5 > 1 }",
      "{ Double(totalBytes) * usedBytes > 1 }", "{ Double(usedBytes) / totalBytes < 0.5 }",
      "{ let x = if totalBytes > 5 { 1 } else { 2.5 }; return x < 2 }",
      "{ (if totalBytes > 5 { 1 } else { 2 }) < 2 }", "{ UInt(totalBytes) > usedBytes }",
      "{ Float(totalBytes) > Double(usedBytes) }", "{ totalBytes > 9223372036854775808 }",
      "{ totalBytes > 9223372036854775807 + 1 }", "{ totalBytes > 1 / 0 }", "{ totalBytes > 1e6 }",
      "{ min(totalBytes, 1.5) > 1 }", "{ (totalBytes > 5 ? totalBytes : 1.5) > 1 }",
      "{ let x: Int = 5.0; return totalBytes > x }", "{ let x: Double = totalBytes; return x > 1 }",
      "{ let x = 3; return Double(totalBytes) > x }", "{ totalBytes > UInt(5) }",
      "{ if totalBytes > 5 { return true } }", "{ guard totalBytes > 5 else { }\n return true }",
      "{ return true; return false }", "{ pinAge > 5 }", "{ sqrt(totalBytes * usedBytes) > 5 }",
    ])
  func notSwift(source: String) {
    #expect(throws: PredicateError.self) { try Predicate(source, variables: measured) }
  }

  @Test(
    "units, words, signs and a bare const keep real numbers",
    arguments: [
      "{ usedBytes / totalBytes < 50 % }", "let half = 50 %; usedBytes / totalBytes < half",
      "{ totalBytes > 100 && not (usedBytes / totalBytes > 0.3) }",
      "{ usedBytes / totalBytes ≤ 0.3 }",
      "const half = 0.5; return usedBytes / totalBytes < half", "usedBytes / totalBytes < 0.5",
      "if totalBytes > 5 { usedBytes / totalBytes < 0.5 } else { false }",
    ])
  func real(source: String) throws {
    let predicate = try Predicate(source, variables: measured)
    #expect(predicate.typing == .real)
    #expect(predicate.evaluate(Self.value) == .yes)
  }

  @Test(
    "a closure is shown as a condition where it decides like one, and in braces where it may not",
    arguments: [
      (
        "let m = 20 * 1024 * 1024\nreturn totalBytes > m && Double(usedBytes) / Double(totalBytes) < 0.5",
        "totalBytes > 20 * 1024 * 1024 && usedBytes / totalBytes < 0.5"
      ),
      ("{ totalBytes - usedBytes > 5 }", "totalBytes - usedBytes > 5"),
      ("{ totalBytes / 1024 > 5 }", "{ totalBytes / 1024 > 5 }"),
      (
        "{ Double(totalBytes) / Double(usedBytes) > 2 }",
        "{ Double(totalBytes) / Double(usedBytes) > 2.0 }"
      ),
      (
        "{ let x: Double = 7 / 2; return Double(usedBytes) / x < 1 }",
        "{ Double(usedBytes) / (7.0 / 2.0) < 1.0 }"
      ),
      (
        "{ if totalBytes > 5 { return true }; return usedBytes > 3 }",
        "totalBytes > 5 ? true : usedBytes > 3"
      ),
      ("^{ return usedBytes / totalBytes == 0; }", "^{ return usedBytes / totalBytes == 0 }"),
    ])
  func shown(source: String, expected: String) throws {
    let predicate = try Predicate(source, variables: measured)
    #expect(predicate.oneLine == expected)
    #expect(try Predicate(expected, variables: measured).oneLine == expected)
  }

  @Test(
    "under a root a number without a unit is what the other factor needs, in closures and in conditions",
    arguments: [
      ("{ Double(totalBytes - usedBytes) >= sqrt(20_000_000.0 * Double(usedBytes)) }", .swift),
      ("{ totalBytes, usedBytes in Double(usedBytes) >= sqrt(Double(totalBytes) / 0.5) }", .swift),
      ("^{ return (double)(totalBytes - usedBytes) >= sqrt(20.0 * (double)usedBytes); }", .c),
      ("totalBytes - usedBytes >= sqrt(20 * 1024 * usedBytes)", .real),
      ("totalBytes - usedBytes >= sqrt(usedBytes / 0.5)", .real),
    ] as [(String, Typing)])
  func plainFactor(source: String, typing: Typing) throws {
    let predicate = try Predicate(source, variables: measured)
    #expect(predicate.typing == typing)
    #expect(
      try Predicate(predicate.oneLine, variables: measured).oneLine == predicate.oneLine)
  }

  @Test(
    "a root with no such factor still measures nothing",
    arguments: [
      "{ sqrt(Double(totalBytes)) > 5 }", "sqrt(20 s * usedBytes) > 5", "sqrt(2 + usedBytes) > 5",
      "sqrt(50 % * usedBytes) > 5",
    ])
  func noPlainFactor(source: String) {
    #expect(throws: PredicateError.self) { try Predicate(source, variables: measured) }
  }
}
