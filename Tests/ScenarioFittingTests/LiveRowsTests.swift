import Testing

@testable import ScenarioFitting

@Suite("Live rows")
struct LiveRowsTests {
  @Test("a row's rank is the number of older rows that are still there")
  func ranks() {
    var rows = LiveRows()
    for key in [5, 3, 900, -7, 44] as [Int64] { rows.insert(key) }
    #expect(rows.rank(of: 900) == 2)
    let removals = [rows.remove(3), rows.remove(3)]
    #expect(removals.map { $0 == nil } == [false, true])
    #expect(rows.rank(of: 900) == 1)
    #expect(rows.rank(of: 3) == nil)
    #expect(rows.count == 4)
    #expect(rows.greatestKey == 900)
  }

  @Test("a restored row has the rank that it had")
  func restored() throws {
    var rows = LiveRows()
    for key in 0..<1000 { rows.insert(Int64(key)) }
    let removal = rows.remove(500)
    let removed = try #require(removal)
    #expect(rows.rank(of: 501) == 500)
    rows.restore(removed)
    #expect(rows.rank(of: 500) == 500)
    #expect(rows.rank(of: 501) == 501)
  }

  @Test("dropping the slots of deleted rows changes no rank", arguments: [100, 5000])
  func compacted(count: Int) {
    var rows = LiveRows()
    for key in 0..<count { rows.insert(Int64(key)) }
    for key in 0..<count where key % 5 != 0 { _ = rows.remove(Int64(key)) }
    rows.compact()
    for key in stride(from: 0, to: count, by: 5) { #expect(rows.rank(of: Int64(key)) == key / 5) }
    rows.insert(Int64(count + 1))
    #expect(rows.rank(of: Int64(count + 1)) == rows.count - 1)
  }
}
