// The reference itself against the compiler: random closures are compiled by Swift and run. For nights, since the compiler
// takes minutes: COMPILED_CLOSURES=300 swift test --filter CompiledClosureTests.
import Foundation
import PredicateLanguage
import TestSupport
import Testing

// Foundation has a type of this name too.
private typealias Predicate = PredicateLanguage.Predicate

@Suite("Compiled closures")
struct CompiledClosureTests {
  private static let count =
    ProcessInfo.processInfo.environment["COMPILED_CLOSURES"].flatMap(Int.init) ?? 0

  @Test("random closures decide as Swift compiles them", .enabled(if: count > 0))
  func compiled() throws {
    var dice = RoundTripTests.Dice(state: RoundTripTests.seed &+ 3)
    var lines: [String] = []
    var expected: [String] = []
    while lines.count < Self.count {
      let closure = RandomClosure(&dice)
      guard let predicate = try? Predicate(closure.text, variables: names) else { continue }
      for _ in 0..<4 {
        let values = RandomClosure.values(&dice)
        let evaluation = predicate.evaluate { values[$0].map(Double.init) }
        // What traps would end the program that is compiled.
        guard evaluation == .yes || evaluation == .no else { continue }
        let name = "closure\(lines.count)"
        lines.append(
          "let \(name): (Int, Int) -> Bool = \(closure.text)\n"
            + "print(\(name)(\(values["totalBytes"]!), \(values["usedBytes"]!)))")
        expected.append(evaluation == .yes ? "true" : "false")
        break
      }
    }
    let folder = FileManager.default.temporaryDirectory.appending(path: "closures-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try lines.joined(separator: "\n").write(
      to: folder.appending(path: "main.swift"), atomically: true, encoding: .utf8)
    let text = try ShellOutput.of(
      "swiftc -Onone -suppress-warnings main.swift -o main && ./main", in: folder)
    let found = text.split(separator: "\n").map(String.init)
    try #require(found.count == expected.count, "\(text.prefix(2000))")
    for (index, pair) in zip(found, expected).enumerated() {
      #expect(pair.0 == pair.1, "seed \(RoundTripTests.seed): \(lines[index])")
    }
  }
}
