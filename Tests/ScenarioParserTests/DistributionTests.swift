// What the words for distributions become, and what is said of those that are none.
import Generators
import ScenarioModel
import ScenarioParser
import Testing

@Suite("Distributions in scenario files")
struct DistributionTests {
  private static let files = ["part.csv": "from,to,count\n1,5,8\n", "wrong.csv": "1,2\n"]

  private struct Absent: Error, CustomStringConvertible {
    let description = "it is not there"
  }

  private func parse(size: String = "256 B", keys: String = "uniform") throws -> Scenario {
    let text = """
      scenario: sample
      question: What does it cost?
      data:
        Item: { rows: 1_000, value: { size: \(size) } }
      clients:
        writer: { kind: writer, transaction: { update: 10 }, keys: \(keys) }
      phases:
        - work: { commits: 2_000, run: [writer] }
      policies:
        - never

      """
    return try ScenarioParser.parse(text, file: "sample.yml") { name in
      guard let text = Self.files[name] else { throw Absent() }
      return text
    }
  }

  private func problem(size: String = "256 B", keys: String = "uniform") -> String? {
    do {
      _ = try parse(size: size, keys: keys)
      return nil
    } catch let problems as ScenarioProblems {
      return problems.problems.map {
        [$0.message, $0.hint].compactMap { $0 }.joined(separator: "; ")
      }
      .joined(separator: " | ")
    } catch {
      return "\(error)"
    }
  }

  @Test(
    "sizes",
    arguments: [
      ("log-normal 256 B sigma 1", .logNormal(median: 256, sigmaPermille: 1000, greatest: 13_977)),
      (
        "log-normal 4 kB sigma 0.5 up to 64 KiB",
        .logNormal(median: 4000, sigmaPermille: 500, greatest: 65_536)
      ),
      (
        "90 % 200 B and 10% 4 kB to 16 kB",
        .mixture([
          SizePart(shareMillionths: 900_000, low: 200, high: 200),
          SizePart(shareMillionths: 100_000, low: 4000, high: 16_000),
        ])
      ),
      ("histogram part.csv", .histogram(MeasuredHistogram([.init(from: 1, to: 5, count: 8)]))),
    ] as [(String, SizeDistribution)])
  func sizes(_ text: String, _ size: SizeDistribution) throws {
    #expect(try parse(size: text).tables[0].valueSize == size)
  }

  @Test(
    "keys",
    arguments: [
      ("fifo", .fifo), ("scrambled", .scrambledZipfian(thetaPermille: 990)),
      ("scrambled 0.5", .scrambledZipfian(thetaPermille: 500)),
      ("hotspot 80 % on 0.2", .hotspot(operationsPermille: 800, rowsPermille: 200)),
      ("histogram part.csv", .histogram(MeasuredHistogram([.init(from: 1, to: 5, count: 8)]))),
    ] as [(String, KeyDistribution)])
  func keys(_ text: String, _ keys: KeyDistribution) throws {
    guard case .writer(let writer) = try parse(keys: text).arms[0].clients[0].kind else {
      Issue.record("no writer")
      return
    }
    #expect(writer.keys == keys)
  }

  @Test(
    "mistakes in sizes",
    arguments: [
      (
        "log-normal 256 B",
        "expected a size such as 256 B, 4 kB, 1 MiB or 256 B to 4 kB, found \"log-normal 256 B\"; "
          + "log-normal 256 B sigma 1.2, perhaps up to 64 kB"
      ),
      ("log-normal 256 B sigma 9", "sigma is out of range; from 0.001 to 5; 1 is usual for sizes"),
      (
        "log-normal 256 B sigma 1 up to 64 B",
        "the median is above the largest size; up to is the largest size"
      ),
      ("90 % 200 B and 20 % 4 kB", "the shares do not make 100 % together"),
      (
        "50 % 9 B to 3 B and 50 % 4 B",
        "the first size is larger than the second; write the smaller one first"
      ),
      ("log-normal 1 MiB sigma 1 up to 1 GiB", "the size is out of range; from 1 B to 16 MiB"),
      ("histogram wrong.csv", "wrong.csv, line 1: expected three whole numbers: from,to,count"),
      ("histogram none.csv", "none.csv cannot be read: it is not there"),
      (
        "histogram ../part.csv",
        "\"../part.csv\" is no name of a histogram's file; "
          + "a .csv file in the scenario's own folder, named without a path"
      ),
    ])
  func sizeMistakes(_ text: String, _ expected: String) {
    #expect(problem(size: text) == expected)
  }

  @Test(
    "mistakes in keys",
    arguments: [
      ("scrambled 1.5", "θ is out of range; from 0.001 to 0.999; 0.99 is customary"),
      (
        "hotspot 80 %",
        "expected hotspot 80 % on 20 %, found \"hotspot 80 %\"; "
          + "the operations' share, then the rows', each from 0.1 % to 100 %"
      ),
      (
        "scrmbled",
        "expected uniform, sequential, fifo, zipfian 0.99 or another distribution of keys, "
          + "found \"scrmbled\"; did you mean \"scrambled\"?"
      ),
      ("histogram wrong.csv", "wrong.csv, line 1: expected three whole numbers: from,to,count"),
    ])
  func keyMistakes(_ text: String, _ expected: String) {
    #expect(problem(keys: text) == expected)
  }
}
