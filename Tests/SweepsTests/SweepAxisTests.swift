import Testing

@testable import Sweeps

@Suite("Axes and points of sweeps")
struct SweepAxisTests {
  private func listed(_ text: String) throws -> [String] {
    guard case .listed(let values) = try SweepAxis(name: "x", parsing: text).values else {
      return []
    }
    return values
  }

  @Test(
    "a range has its ends, and between them values that a scenario can have",
    arguments: [
      ("1..10 lin 4", ["1", "4", "7", "10"]),
      ("1e3..1e6 log 4", ["1000", "10000", "100000", "1000000"]),
      ("0..1.5 lin 4", ["0", "0.5", "1", "1.5"]), ("30 %..70 % lin 3", ["30 %", "50 %", "70 %"]),
      ("5 MB..20 MB log 3", ["5000000 B", "10000000 B", "20000000 B"]),
      ("1 KiB..1 MiB log 3", ["1024 B", "32768 B", "1048576 B"]),
      ("5..20 MB lin 2", ["5000000 B", "20000000 B"]),
      ("5 MB..20 lin 2", ["5000000 B", "20000000 B"]),
      ("1 ms..1 s log 4", ["1000 us", "10000 us", "100000 us", "1000000 us"]),
      ("10 commits..30 commits lin 3", ["10 commits", "20 commits", "30 commits"]),
      ("100 per s..300 per s lin 3", ["100 per s", "200 per s", "300 per s"]),
      ("1_000..2_000 lin 2", ["1000", "2000"]), ("500 kB..1 MB lin 2", ["500000 B", "1000000 B"]),
      ("33 %..34 % lin 4", ["33 %", "33.3333 %", "33.6667 %", "34 %"]),
    ])
  func ranges(text: String, values: [String]) throws {
    #expect(try listed(text) == values)
  }

  @Test("a list has its values as they are")
  func lists() throws {
    #expect(try listed("1, 2 ,5 MB") == ["1", "2", "5 MB"])
    #expect(try listed("uniform") == ["uniform"])
  }

  @Test(
    "a mistake is named",
    arguments: [
      ("1..10", "neither a range"), ("1..10 lin", "neither a range"),
      ("1..10 lim 3", "neither a range"),
      ("10..1 lin 3", "begin with the smaller"), ("1..1 lin 3", "is empty"),
      ("0..1 log 3", "begins above 0"), ("a..b lin 3", "is not a number"),
      ("1 MB..2 s lin 3", "not of one kind"), ("1..10 lin 1", "from 2 to"),
      ("1..10 lin 99999", "from 2 to"), ("1..4 lin 7", "only 4 different values"),
      ("1,,2", "neither a range"), ("1, 2, 1", "given twice"), ("", "neither a range"),
      ("1e400..2e400 lin 2", "is not a number"), ("1..1e17 lin 2", "too large"),
    ])
  func mistakes(text: String, words: String) throws {
    let error = try #require(throws: SweepError.self) {
      _ = try SweepAxis(name: "x", parsing: text)
    }
    #expect(error.description.hasPrefix("x: ") && error.description.contains(words), "\(error)")
  }

  private func points(_ axes: [(String, String)]) throws -> [[String]] {
    try SweepPoints.all(axes.map { try SweepAxis(name: $0.0, parsing: $0.1) })
  }

  @Test("listed values are crossed, the last one changing fastest")
  func grid() throws {
    #expect(
      try points([("a", "1, 2"), ("b", "x, y")]) == [
        ["1", "x"], ["1", "y"], ["2", "x"], ["2", "y"],
      ])
  }

  @Test("values by sobol share the points of one sequence, each crossed with the listed values")
  func sobol() throws {
    let found = try points([
      ("a", "0..100 sobol 4"), ("b", "1, 2"), ("c", "1 %..100 % log sobol 4"),
    ])
    #expect(found.count == 8)
    #expect(found.prefix(4).map { $0[0] } == ["0", "50", "75", "25"])
    #expect(found.prefix(4).map { $0[2] } == ["1 %", "10 %", "3.1623 %", "31.6228 %"])
    #expect(found.map { $0[1] } == ["1", "1", "1", "1", "2", "2", "2", "2"])
  }

  @Test("sweeps that cannot be planned are refused with the reason")
  func refused() throws {
    for (axes, words) in [
      ([("a", "1, 2"), ("a", "3, 4")], "varied twice"), ([], "at least one"),
      ([("a", "0..1 sobol 4"), ("b", "0..1 sobol 8")], "the same number of them: 4, 8"),
      ([("a", "1..9999 lin 9999"), ("b", "1..99 lin 99")], "more than 100000 points"),
    ] {
      let error = try #require(throws: SweepError.self) { _ = try points(axes) }
      #expect(error.description.contains(words), "\(error)")
    }
  }

  @Test("values of one kind are numbers in one unit; others are none")
  func scale() throws {
    let sizes = try #require(SweepScale(["5 MB", "1 KiB", "300 B"]))
    #expect(sizes.numbers == [5_000_000, 1024, 300] && sizes.unit == "bytes")
    #expect(SweepScale(["1", "2.5"])?.unit == "")
    #expect(SweepScale(["100 per s"])?.unit == "per_s")
    #expect(SweepScale(["1 MB", "2 s"]) == nil)
    #expect(SweepScale(["uniform"]) == nil)
    #expect(SweepScale([]) == nil)
  }
}
