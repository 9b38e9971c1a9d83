// Random expressions against a reference evaluator that shares nothing with the language: trees are made at random, written
// as text, and computed here by Swift's own operators.
import Foundation
import PredicateLanguage
import Testing

// Foundation has types of these names too.
private typealias Predicate = PredicateLanguage.Predicate
private typealias PredicateError = PredicateLanguage.PredicateError

@Suite("Reference evaluator")
struct ReferenceTests {
  static let seed = RoundTripTests.seed
  /// `PREDICATE_ROUNDS=100000` for a night's worth; the usual number takes seconds.
  static var count: Int {
    ProcessInfo.processInfo.environment["PREDICATE_ROUNDS"].flatMap(Int.init) ?? 10_000
  }

  @Test("random conditions of real numbers decide as the reference does")
  func real() throws {
    var dice = RoundTripTests.Dice(state: Self.seed)
    var tally = Tally()
    for _ in 0..<Self.count {
      let tree = RealCondition.random(&dice, depth: 3)
      let source = tree.text(&dice)
      guard let predicate = try? Predicate(source, variables: names) else {
        // Constants that divide by zero, or have no root.
        tally.refused += 1
        continue
      }
      #expect(predicate.typing == .real)
      for _ in 0..<3 {
        let values = RealNumber.values(&dice)
        let expected = tree.outcome(values)
        let found = predicate.evaluate { values[$0] ?? nil }
        tally.count(found)
        try #require(
          Outcome(found) == expected.decided, "seed \(Self.seed): \(source) at \(values)")
      }
    }
    #expect(tally.yes > Self.count / 4 && tally.no > Self.count / 4)
    #expect(tally.unknown > Self.count / 20 && tally.refused < Self.count / 2)
  }

  @Test("random closures decide as Swift's own operators do, and end where Swift would trap")
  func closures() throws {
    var dice = RoundTripTests.Dice(state: Self.seed &+ 1)
    var tally = Tally()
    for _ in 0..<Self.count {
      let closure = RandomClosure(&dice)
      let predicate: Predicate
      do { predicate = try Predicate(closure.text, variables: names) } catch {
        try #require(
          [.noValue, .tooLarge].contains(error.code), "seed \(Self.seed): \(closure.text): \(error)"
        )
        tally.refused += 1
        continue
      }
      #expect(predicate.typing == .swift)
      let again = try Predicate(predicate.oneLine, variables: names)
      for _ in 0..<3 {
        let values = RandomClosure.values(&dice)
        let expected = closure.outcome(values)
        let found = predicate.evaluate { values[$0].map(Double.init) }
        tally.count(found)
        try #require(
          Outcome(found) == expected, "seed \(Self.seed): \(closure.text) at \(values)")
        try #require(
          again.evaluate { values[$0].map(Double.init) } == found,
          "seed \(Self.seed): \(closure.text) as \(predicate.oneLine) at \(values)")
      }
    }
    #expect(tally.yes > Self.count / 4 && tally.no > Self.count / 4)
    #expect(tally.traps > Self.count / 20 && tally.refused < Self.count / 2)
  }

  @Test("a closure in which Int and Double meet is refused, as Swift refuses it")
  func mixtures() throws {
    var dice = RoundTripTests.Dice(state: Self.seed &+ 2)
    for _ in 0..<Self.count / 10 {
      let whole = TypedTree.random(&dice, depth: 2, of: .int).withVariable
      let real = TypedTree.random(&dice, depth: 2, of: .double).withVariable
      let op = ["<", ">=", "=="].randomElement(using: &dice)!
      let source = "{ \(whole.text) \(op) \(real.text) }"
      let error = try #require(
        #expect(throws: PredicateError.self) { _ = try Predicate(source, variables: names) })
      let codes: [PredicateError.Code] = [.type, .noValue, .tooLarge]
      try #require(codes.contains(error.code), "\(source): \(error)")
    }
  }

  private struct Tally {
    var (yes, no, unknown, traps, refused) = (0, 0, 0, 0, 0)

    mutating func count(_ evaluation: Evaluation) {
      switch evaluation {
      case .yes: yes += 1
      case .no: no += 1
      case .unknown: unknown += 1
      case .refused: traps += 1
      }
    }
  }
}

/// What a condition comes to.
enum Outcome: Hashable {
  case yes, no, undefined, unknown, trap

  init(_ evaluation: Evaluation) {
    self =
      switch evaluation {
      case .yes: .yes
      case .no: .no
      case .unknown: .unknown
      case .refused: .trap
      }
  }

  init(_ truth: Bool) { self = truth ? .yes : .no }

  /// A condition without a value does not hold.
  var decided: Outcome { self == .undefined ? .no : self }
}
