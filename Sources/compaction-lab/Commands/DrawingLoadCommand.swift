// How long pictures take of far more samples than a record keeps: what Benchmarks/report.sh runs. Hidden.
import ArgumentParser
import MetricModel
import ReportRendering
import SystemIO

struct DrawingLoadCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drawing-load",
    abstract: "Draws made-up series of any length, and says what that takes; for benchmarks.",
    shouldDisplay: false)

  @Option(name: .long, help: "Samples of each series.")
  var samples = 1_000_000

  @Option(name: .long, help: "Series.")
  var series = 12

  @Argument(help: "The picture's file.")
  var output: String

  func validate() throws {
    guard 2...1_000_000_000 ~= samples, 1...64 ~= series else {
      throw ValidationError("--samples is at least 2, --series from 1 to 64")
    }
  }

  func run() throws {
    let begin = Clock.monotonicNanoseconds()
    var curves: [(title: String, curve: Curve)] = []
    var extremes: [(least: ByteCount, greatest: ByteCount)] = []
    for number in 0..<series {
      var (least, greatest) = (ByteCount(Int.max), ByteCount.zero)
      let points = MadeUpCurve(count: samples, seed: UInt64(number + 1)).lazy.map { point in
        least = min(least, point.bytes)
        greatest = max(greatest, point.bytes)
        return point
      }
      curves.append(("series \(number + 1)", Curve(points)))
      extremes.append((least, greatest))
    }
    let panel = PanelModel(title: "made up", curves: curves)
    guard let svg = StackedPicture.svg([panel], titles: curves.map(\.title)) else { return }
    do { try FileSystem.write(text: svg, to: FilePath(output)) } catch {
      throw couldNotRun("\(error)")
    }
    let seconds = Double(Clock.monotonicNanoseconds() - begin) / 1e9
    let lost = zip(curves, extremes).count { entry, extreme in
      let sizes = entry.curve.points.map(\.bytes)
      return sizes.min() != extreme.least || sizes.max() != extreme.greatest
    }
    let memory = ProcessMetrics.memory().peakResidentBytes.map { ByteCount($0).description }
    Console.print(
      "\(series) series of \(samples) samples: \(seconds.threeDigits) s,"
        + " \(memory ?? "n/a") of memory at the most, picture \(svg.utf8.count) B,"
        + " \(lost) series lost an extreme")
    if lost > 0 { throw ExitCode.differs }
  }
}

/// A size that wanders, with single peaks that no neighbour shares: the same for the same seed.
private struct MadeUpCurve: Sequence, IteratorProtocol {
  private let count: Int
  private var state: UInt64
  private var commit = 0
  private var level = 50_000_000

  init(count: Int, seed: UInt64) { (self.count, state) = (count, seed) }

  private mutating func draw() -> Int {
    // A linear congruential generator, with Knuth's multiplier for 64 bits.
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 40)
  }

  mutating func next() -> Curve.Point? {
    guard commit < count else { return nil }
    level = Swift.max(10_000_000, level + draw() % 20_001 - 10_000)
    let bytes = draw() % 100_000 == 0 ? level + 40_000_000 : level
    defer { commit += 1 }
    return Curve.Point(commit: commit, bytes: ByteCount(bytes))
  }
}
