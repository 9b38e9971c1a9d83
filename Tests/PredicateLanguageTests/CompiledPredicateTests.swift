// A compiled condition decides as an interpreted one, for whatever values.
import Testing

@testable import PredicateLanguage

@Suite struct CompiledPredicateTests {
  private static let names = ["totalBytes", "usedBytes"]

  @Test(
    "decides alike, where values are zero, equal, huge or not there",
    arguments: [
      "totalBytes > 100 && usedBytes / totalBytes < 50 %",
      "totalBytes - usedBytes > 10 || usedBytes == 0",
      "usedBytes / totalBytes != 1", "min(totalBytes, usedBytes) >= 20",
      "max(2 * usedBytes, 100) < totalBytes", "true",
      "sqrt((totalBytes - usedBytes) * 10 B) > 20 B",
      "abs(usedBytes - totalBytes) <= 5 && (-usedBytes < -10 || totalBytes > 1 kB)",
    ]) func alike(_ text: String) throws
  {
    let predicate = try Predicate(text, variables: measured)
    let compiled = try #require(predicate.compiled { Self.names.firstIndex(of: $0) })
    for total in [0.0, 1, 20, 100, 101, 5000, 1e18] {
      for used in [0.0, 1, 15, 20, 50, 101, 2500, 1e18] {
        let expected = predicate.evaluate { $0 == "totalBytes" ? total : used }
        let values = [total, used]
        let found = values.withUnsafeBufferPointer { compiled($0.baseAddress!) }
        #expect(found == (expected == .yes), "\(text) at \(total), \(used)")
      }
    }
  }

  @Test(
    "a condition in which false and undefined differ is not compiled",
    arguments: ["!(usedBytes / totalBytes > 1)", "usedBytes > 1 ? totalBytes > 2 : totalBytes > 3"])
  func interpreted(_ text: String) throws {
    let predicate = try Predicate(text, variables: measured)
    #expect(predicate.compiled { Self.names.firstIndex(of: $0) } == nil)
  }

  @Test("a variable that the array lacks leaves nothing to compile") func lacking() throws {
    let predicate = try Predicate("totalBytes > 1", variables: measured)
    #expect(predicate.compiled { _ in nil } == nil)
  }
}
