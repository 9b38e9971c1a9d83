// Rows of a long run are joined, and no peak is lost.
import TestSupport
import Testing

@testable import WorkloadRunner

@Suite("Rows of a run of any length")
struct PeakKeeperTests {
  private struct Row: Equatable {
    var place: Int
    var size: Int
    var joined = 1
  }

  private func keeper(_ capacity: Int) -> PeakKeeper<Row> {
    PeakKeeper(capacity: capacity, size: \.size) { $0.joined += $1.joined }
  }

  @Test("every row stays while there is room")
  func small() {
    var keeper = keeper(100)
    for place in 0..<99 { keeper.append(Row(place: place, size: 1)) }
    #expect(keeper.rows.map(\.place) == Array(0..<99))
    #expect(keeper.stride == 1)
  }

  @Test(
    "a million rows take the room of a thousand, with the greatest among them and none uncounted")
  func bounded() {
    let seed = testSeed(7)
    var random = SeededRandom(seed: seed)
    var keeper = keeper(1000)
    var greatest = 0
    for place in 0..<1_000_000 {
      let size = random.below(1 << 40)
      greatest = max(greatest, size)
      keeper.append(Row(place: place, size: size))
    }
    let rows = keeper.rows
    #expect(rows.count <= 1000)
    #expect(rows.map(\.size).max() == greatest, "SEED=\(seed)")
    #expect(rows.reduce(0) { $0 + $1.joined } == 1_000_000)
    #expect(rows.map(\.place) == rows.map(\.place).sorted())
    // Each but the last stands for as many rows as the others.
    #expect(Set(rows.dropLast().map(\.joined)).count == 1)
  }

  @Test("the peak of every stretch of rows that became one is the row that stays")
  func peaks() {
    var keeper = keeper(8)
    let sizes = [1, 9, 2, 3, 4, 4, 7, 5]
    for (place, size) in sizes.enumerated() { keeper.append(Row(place: place, size: size)) }
    #expect(keeper.rows.map(\.place) == [1, 3, 5, 6])
    for place in 8..<12 { keeper.append(Row(place: place, size: place == 8 ? 3 : 1)) }
    #expect(keeper.rows.map(\.place) == [1, 3, 5, 6, 8, 11])
  }

  @Test("fixed rows stay, even where they are more than there is room for")
  func fixed() {
    var keeper = keeper(10)
    for place in 0..<200 { keeper.append(Row(place: place, size: 0), isFixed: place % 4 == 0) }
    let fixed = keeper.rows.filter { $0.place % 4 == 0 }
    #expect(fixed.map(\.place) == Array(stride(from: 0, to: 200, by: 4)))
    #expect(keeper.rows.reduce(0) { $0 + $1.joined } == 200)
  }

  @Test("the newest row can be changed, whether it waits for its neighbour or not")
  func last() {
    var keeper = keeper(4)
    for place in 0..<5 {
      keeper.append(Row(place: place, size: place))
      keeper.changeLast { $0.size += 100 }
      #expect(keeper.rows.last?.size ?? 0 >= 100)
    }
  }
}
