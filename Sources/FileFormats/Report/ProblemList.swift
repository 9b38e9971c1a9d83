// What is wrong with a file: the first findings in full, and the number of all.

package struct ProblemList: Sendable, Equatable {
  package static let maxTexts = 32
  package private(set) var texts: [String] = []
  package private(set) var count = 0

  package init() {}

  package var isEmpty: Bool { count == 0 }

  package mutating func add(_ text: @autoclosure () -> String) {
    count += 1
    if texts.count < Self.maxTexts { texts.append(text()) }
  }
}
