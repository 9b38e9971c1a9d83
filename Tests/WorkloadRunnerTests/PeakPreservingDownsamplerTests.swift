// Rows of a long run are merged, and no peak is lost.
import TestSupport
import Testing

@testable import WorkloadRunner

@Suite("Peak-preserving downsampler")
struct PeakPreservingDownsamplerTests {
  private struct Row: Equatable {
    var index: Int
    var size: Int
    var joined = 1
  }

  private func downsampler(_ capacity: Int) -> PeakPreservingDownsampler<Row> {
    PeakPreservingDownsampler(capacity: capacity, size: \.size) { $0.joined += $1.joined }
  }

  @Test("every row is retained below the capacity")
  func small() {
    var downsampler = downsampler(100)
    for index in 0..<99 { downsampler.append(Row(index: index, size: 1)) }
    #expect(downsampler.rows.map(\.index) == Array(0..<99))
    #expect(downsampler.stride == 1)
  }

  @Test(
    "a million rows are merged into a thousand, the greatest among them, and none is lost")
  func bounded() {
    let seed = testSeed(7)
    var random = SeededRandom(seed: seed)
    var downsampler = downsampler(1000)
    var greatest = 0
    for index in 0..<1_000_000 {
      let size = random.below(1 << 40)
      greatest = max(greatest, size)
      downsampler.append(Row(index: index, size: size))
    }
    let rows = downsampler.rows
    #expect(rows.count <= 1000)
    #expect(rows.map(\.size).max() == greatest, "SEED=\(seed)")
    #expect(rows.reduce(0) { $0 + $1.joined } == 1_000_000)
    #expect(rows.map(\.index) == rows.map(\.index).sorted())
    // Each but the last stands for as many rows as the others.
    #expect(Set(rows.dropLast().map(\.joined)).count == 1)
  }

  @Test("of each group of merged rows the greatest is retained")
  func peaks() {
    var downsampler = downsampler(8)
    let sizes = [1, 9, 2, 3, 4, 4, 7, 5]
    for (index, size) in sizes.enumerated() { downsampler.append(Row(index: index, size: size)) }
    #expect(downsampler.rows.map(\.index) == [1, 3, 5, 6])
    for index in 8..<12 { downsampler.append(Row(index: index, size: index == 8 ? 3 : 1)) }
    #expect(downsampler.rows.map(\.index) == [1, 3, 5, 6, 8, 11])
  }

  @Test("fixed rows are retained, even beyond the capacity")
  func fixed() {
    var downsampler = downsampler(10)
    for index in 0..<200 { downsampler.append(Row(index: index, size: 0), isFixed: index % 4 == 0) }
    let fixed = downsampler.rows.filter { $0.index % 4 == 0 }
    #expect(fixed.map(\.index) == Array(stride(from: 0, to: 200, by: 4)))
    #expect(downsampler.rows.reduce(0) { $0 + $1.joined } == 200)
  }

  @Test("the newest row can be changed, whether or not it waits for its neighbor")
  func last() {
    var downsampler = downsampler(4)
    for index in 0..<5 {
      downsampler.append(Row(index: index, size: index))
      downsampler.changeLast { $0.size += 100 }
      #expect(downsampler.rows.last?.size ?? 0 >= 100)
    }
  }
}
