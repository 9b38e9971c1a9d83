// The pictures as files: well-formed, the same each time, small, and with every extreme of what they show.
import Analysis
import Foundation
import MetricModel
import RecordFixtures
import RecordModel
import ReportRendering
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("Pictures")
struct PictureTests {
  @Test("every picture is well-formed, whatever names are in it, and the same bytes each time")
  func wellFormed() throws {
    var (record, samples) = try SyntheticRecord.make(repetitions: 2)
    let odd = "<&>\"'\u{0}"
    for index in record.cells.indices where record.cells[index].key.engine == "sqlite" {
      record.cells[index].key.engine = odd
    }
    for index in samples.indices where samples[index].key.engine == "sqlite" {
      samples[index].key.engine = odd
    }
    let first = Pictures.all(ScenarioAnalysis(record: record, samples: samples))
    #expect(first == Pictures.all(ScenarioAnalysis(record: record, samples: samples)))
    #expect(first.count == 3)
    for picture in first {
      let parser = XMLParser(data: Data(picture.svg.utf8))
      #expect(parser.parse(), "\(picture.name): line \(parser.lineNumber)")
    }
  }

  @Test("axes have steps of 1, 2 or 5 times a power of ten")
  func axes() throws {
    let (record, samples) = try SyntheticRecord.make(repetitions: 1)
    let growth = try #require(
      Pictures.all(ScenarioAnalysis(record: record, samples: samples)).first)
    for label in ["5 MB", "20 MB", "50 MB", "5,000", "15,000"] {
      #expect(growth.svg.contains(">\(label)</text>"), "\(label)")
    }
  }

  @Test("every small panel has a tick above zero on both axes, whatever its scale")
  func smallAxes() throws {
    for factor in [1, 3, 7, 23, 51, 99] {
      var (record, samples) = try SyntheticRecord.make(repetitions: 1)
      for cell in samples.indices {
        for row in samples[cell].rows.indices {
          samples[cell].rows[row].observation.space.file.bytes *= factor
        }
      }
      record.scenario.name = "times \(factor)"
      let multiples = try #require(
        Pictures.all(ScenarioAnalysis(record: record, samples: samples)).first {
          $0.name == "multiples"
        })
      let panels = multiples.svg.split(separator: "<g transform=").dropFirst()
      #expect(panels.count == 16)
      for panel in panels { #expect(panel.ranges(of: "class=\"grid\"").count >= 2, "\(factor)") }
    }
  }

  @Test("the key names the areas, bars and marks that are drawn, and no others")
  func key() throws {
    let (record, samples) = try SyntheticRecord.make(repetitions: 1)
    let pictures = Pictures.all(ScenarioAnalysis(record: record, samples: samples))
    let signs = [
      "live data": "class=\"live\"", "snapshots held": "class=\"held\"",
      "retained for a snapshot": "class=\"bar\"", "declined at launch": "hollow",
      "compacted": "<title>compacted", "skipped or abandoned": "<title>abandoned",
    ]
    for picture in pictures {
      for (words, sign) in signs {
        // What is drawn lies in the panels; the key above them.
        let isDrawn = picture.svg.split(separator: "<g transform=").dropFirst()
          .contains { $0.contains(sign) }
        #expect(picture.svg.contains(">\(words)</text>") == isDrawn, "\(picture.name): \(words)")
      }
    }
    let plain = PanelModel(
      title: "plain", curves: [("curve", Curve([Curve.Point(commit: 5, bytes: ByteCount(9))]))])
    let picture = try #require(StackedPicture.svg([plain], titles: ["curve"]))
    for words in signs.keys { #expect(!picture.contains(words)) }
  }

  @Test("a bar beneath the curve says what is retained for a snapshot, or that it cannot be told")
  func bars() throws {
    let (record, samples) = try SyntheticRecord.make(repetitions: 1)
    let growth = try #require(
      Pictures.all(ScenarioAnalysis(record: record, samples: samples)).first)
    #expect(growth.svg.contains(">11.3 MB retained</text>"))
    #expect(growth.svg.contains(">retained: n/a</text>"))
    #expect(growth.svg.contains("reader: commits 1,000–4,000, 11.3 MB retained"))
  }
}

@Suite("Downsampled curves")
struct ThinningTests {
  /// A curve that wanders, with single peaks and dips that no neighbor shares.
  private static func wandering(_ count: Int, seed: UInt64) -> [Curve.Point] {
    var state = seed
    func next() -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 40)
    }
    var level = 50_000_000
    return (0..<count).map { commit in
      level = max(10_000_000, level + next() % 20_001 - 10_000)
      let spike = next() % 10_000
      let bytes = spike == 0 ? level + 40_000_000 : spike == 1 ? level - 9_000_000 : level
      return Curve.Point(commit: commit, bytes: ByteCount(bytes))
    }
  }

  @Test(
    "of any number of points at most the maximum remain, in order, with the first, the last and both extremes",
    arguments: [1, 2, 7, 1200, 1201, 5000, 23_457])
  func extremes(count: Int) throws {
    for seed in UInt64(1)...(count > 2000 ? 1 : 3) {
      let all = Self.wandering(count, seed: seed)
      for most in [8, 100, 1200] {
        let kept = Curve(all, maxPoints: most).points
        #expect(kept.count <= max(most, 4), "seed \(seed), \(most)")
        #expect(kept.first == all.first && kept.last == all.last)
        #expect(zip(kept, kept.dropFirst()).allSatisfy { $0.commit < $1.commit })
        let sizes = all.map(\.bytes)
        #expect(kept.map(\.bytes).max() == sizes.max() && kept.map(\.bytes).min() == sizes.min())
        #expect(Set(kept.map(\.commit)).isSubset(of: Set(all.map(\.commit))))
      }
    }
  }

  @Test("each hundredth of a curve retains its maximum, so that no peak is lost")
  func everyPeak() {
    let all = Self.wandering(40_000, seed: 7)
    let kept = Dictionary(
      uniqueKeysWithValues: Curve(all).points.map { ($0.commit, $0.bytes) })
    for begin in stride(from: 0, to: all.count, by: 400) {
      let greatest = all[begin..<begin + 400].max { $0.bytes < $1.bytes }!
      // A bucket may reach over the edge: then what stays there is as great.
      let near = kept.filter { begin - 400..<begin + 800 ~= $0.key }.values.max()
      #expect(near! >= greatest.bytes)
    }
  }

  @Test("a flat part retains only its ends, and few points are unchanged")
  func flat() {
    let flat = (0..<5000).map { Curve.Point(commit: $0, bytes: ByteCount($0 == 2500 ? 9 : 5)) }
    #expect(Curve(flat).points.map(\.commit) == [0, 2499, 2500, 2501, 4999])
    let few = Self.wandering(300, seed: 2)
    #expect(Curve(few).points == few)
  }

  @Test("twelve long curves make a picture of less than 500 kB that holds each peak")
  func smallPicture() throws {
    let points = (0..<12).map { Self.wandering(20_000, seed: UInt64($0 + 1)) }
    let titles = (0..<12).map { "series \($0)" }
    let panel = PanelModel(title: "many", curves: zip(titles, points.map { Curve($0) }).map { $0 })
    let svg = try #require(StackedPicture.svg([panel], titles: titles))
    #expect(svg.utf8.count < 500_000)
    #expect(panel.top == points.joined().map(\.bytes).max())
  }
}
