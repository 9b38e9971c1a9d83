// Measures how long pictures of very many samples take, for Benchmarks/report.sh. Hidden.
import ArgumentParser
import MetricModel
import ReportRendering
import SystemIO

struct DrawingLoadCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drawing-load",
    abstract: "Draws synthetic series of any length and prints the time; for benchmarks.",
    shouldDisplay: false)

  @Option(name: .long, help: "The samples of each series.")
  var samples = 1_000_000

  @Option(name: .long, help: "The number of series.")
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
    var extremes: [(min: ByteCount, max: ByteCount)] = []
    for number in 0..<series {
      var (minimum, maximum) = (ByteCount(Int.max), ByteCount.zero)
      let points = SyntheticCurve(count: samples, seed: UInt64(number + 1)).lazy.map { point in
        minimum = min(minimum, point.bytes)
        maximum = max(maximum, point.bytes)
        return point
      }
      curves.append(("series \(number + 1)", Curve(points)))
      extremes.append((minimum, maximum))
    }
    let panel = PanelModel(title: "synthetic", curves: curves)
    guard let svg = StackedPicture.svg([panel], titles: curves.map(\.title)) else { return }
    do { try FileSystem.write(text: svg, to: FilePath(output)) } catch {
      throw couldNotRun("\(error)")
    }
    let seconds = Double(Clock.monotonicNanoseconds() - begin) / 1e9
    let lost = zip(curves, extremes).count { entry, extreme in
      let sizes = entry.curve.points.map(\.bytes)
      return sizes.min() != extreme.min || sizes.max() != extreme.max
    }
    let memory = ProcessMetrics.memory().peakResidentBytes.map { ByteCount($0).description }
    Console.print(
      "\(series) series of \(samples) samples: \(seconds.threeDigits) s,"
        + " \(memory ?? "n/a") of memory at most, picture \(svg.utf8.count) B,"
        + " \(lost) series lost an extreme")
    if lost > 0 { throw ExitCode.differs }
  }
}

/// A random walk of sizes with isolated peaks, the same for the same seed.
private struct SyntheticCurve: Sequence, IteratorProtocol {
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
