// What the documents say of false alarms and power is what the file of results has, and those are sums of tries.
import Analysis
import Foundation
import SystemIO
import TestSupport
import Testing
import VerdictModel

@Suite("Published false alarms and power")
struct VerdictDocumentTests {
  private func results() throws -> [VerdictResult] {
    try VerdictResults.parse(Repository.text(VerdictDocuments.results))
  }

  @Test("the page's table and the picture are made from the file of results")
  func made() throws {
    let page = try Repository.text(VerdictDocuments.page)
    #expect(
      try VerdictDocuments.placed(results(), in: page) == page,
      "Benchmarks/verdicts.sh publish makes it anew")
    let picture = try #require(VerdictDocuments.power(results()))
    #expect(try Repository.text(VerdictDocuments.picture) == picture)
    #expect(try VerdictResults.text(results()) == Repository.text(VerdictDocuments.results))
  }

  @Test(
    "every study's tries add up, and no later analysis has fewer detections than an earlier one")
  func sums() throws {
    let results = try results()
    #expect(Set(results.map(\.study)) == ["aa", "loaded", "swapped", "power"])
    for result in results {
      let sum = result.called + result.equivalent + result.inconclusive + result.invalid
      #expect(sum == result.tries && result.tries > 0, "\(result.row)")
      #expect(result.calledBy == result.calledBy.sorted(), "\(result.row)")
      #expect(result.calledBy.last == result.regressed, "\(result.row)")
    }
  }

  @Test("no study has too many false alarms, and a slowdown of 10 % is detected")
  func aims() throws {
    func study(_ name: String, added: Int = 0) throws -> VerdictResult {
      try #require(results().first { $0.study == name && $0.added == added })
    }
    let quiet = try study("aa")
    #expect(quiet.tries >= 200 && quiet.tolerance == 10)
    #expect(quiet.equivalent * 100 >= 70 * quiet.tries && quiet.invalid * 100 <= 20 * quiet.tries)
    for name in ["loaded", "swapped"] {
      let busy = try study(name)
      #expect(busy.tries >= 200 && busy.called * 200 <= 16 * busy.tries, "\(busy.row)")
    }
    let power = try study("power", added: 10)
    #expect(power.tries >= 100)
    #expect(power.calledBy[2] * 100 >= 80 * power.tries, "\(power.row)")
    #expect(power.calledBy[1] * 100 >= 50 * power.tries, "\(power.row)")
  }

  @Test("a row reads back as it was written, and a new result replaces the old one of its question")
  func rows() throws {
    var result = VerdictResult(study: "aa", figures: ["wall_ns", "b"], tolerance: 10, added: 0)
    let tries: [([PairedComparison.Verdict], Bool, Int)] = [
      ([.equivalent, .equivalent], true, 30), ([.equivalent, .regressed], true, 60),
      ([.improved, .inconclusive], true, 30), ([.regressed], false, 120),
      ([.inconclusive, .equivalent], true, 120),
    ]
    for (calls, isValid, blocks) in tries {
      result.add(calls: calls, isEnvironmentValid: isValid, blocks: blocks, seconds: 1)
    }
    #expect(result.row == "aa,wall_ns b,10,0,5,1,1,1,1,1,0,1,1,5.0")
    #expect(VerdictResult(row: result.row) == result)
    for bad in ["", "aa,b,10", result.row + ",1", result.row.replacing("10", with: "x")] {
      #expect(VerdictResult(row: bad) == nil)
    }
    let folder = FilePath(
      FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path)
    try FileSystem.makeFolders(folder)
    defer { try? FileSystem.removeTree(folder) }
    let file = folder.appending("results.csv")
    let power = VerdictResult(study: "power", figures: ["b"], tolerance: 3, added: 10)
    for kept in [power, VerdictResult(study: "aa", figures: ["c"], tolerance: 3, added: 0), result]
    {
      try VerdictResults.keep(kept, in: file)
    }
    #expect(
      try VerdictResults.begun(
        VerdictResult(study: "aa", figures: result.figures, tolerance: 10, added: 0), in: file)
        == result)
    for other in [
      VerdictResult(study: "aa", figures: result.figures, tolerance: 3, added: 0),
      VerdictResult(study: "aa", figures: ["b"], tolerance: 10, added: 0),
      VerdictResult(study: "power", figures: result.figures, tolerance: 10, added: 0),
    ] {
      #expect(try VerdictResults.begun(other, in: file) == other, "other rules begin anew")
    }
    #expect(try VerdictResults.parse(FileSystem.readText(file)) == [result, power])
  }
}
