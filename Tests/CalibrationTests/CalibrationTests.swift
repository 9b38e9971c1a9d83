import Calibration
import Foundation
import MetricModel
import RecordModel
import Testing

@Suite("Calibration")
struct CalibrationTests {
  private static let design = CalibrationDesign(maxFile: ByteCount(512_000_000), seed: 7)

  /// Points of a machine on which the time is exactly 5 ms + 3 ns a live byte + 0.5 ns a file byte.
  private static func planted(_ factor: (Int) -> Double = { _ in 1 }) -> [CostPoint] {
    design.files.enumerated().map { index, file in
      let live = ByteCount(Int(Double(file.file.bytes) * file.liveShare))
      let time = (5e6 + 3 * Double(live.bytes) + 0.5 * Double(file.file.bytes)) * factor(index)
      return CostPoint(
        .compaction, .warm, live: live, bytes: file.file, rewritten: ByteCount(2 * live.bytes),
        isHeldOut: file.isHeldOut,
        nanoseconds: [time, time * 3, time * 0.9])
    }
  }

  private static func record(_ points: [CostPoint]) -> CalibrationRecord {
    CalibrationRecord(
      origin: CalibrationOrigin(
        toolVersion: "1", command: "compaction-lab calibrate", startedAt: "2026-11-23T12:00:00Z",
        seed: 7, maxFile: design.maxFile, operatingSystem: "Linux", processor: "a processor",
        cores: 2, memory: ByteCount(24_000_000_000), fileSystem: "ext4 (rw)"),
      device: [], engines: [EngineCosts(engine: "native", version: "2", points: points)])
  }

  @Test("planted costs are found from medians of repetitions, and held-out files are predicted")
  func planted() throws {
    let costs = EngineCosts(engine: "native", version: "2", points: Self.planted())
    let model = try #require(costs.model(.compaction, .warm))
    for (found, wanted) in zip(model.fit.coefficients, [5e6, 3, 0.5]) {
      #expect(abs(found / wanted - 1) < 1e-6, "\(model.fit.coefficients)")
    }
    let heldOut = try #require(model.heldOut)
    #expect(heldOut.count == CalibrationDesign.heldOutFiles && heldOut.largest < 1e-6)
    let predicted = try #require(
      costs.predictedCompactionTime(live: ByteCount(100_000_000), file: ByteCount(200_000_000)))
    #expect(abs(predicted.nanoseconds - 405e6) < 1e3 && !predicted.isExtrapolated)
    #expect(costs.predictedCompactionTime(live: .zero, file: .zero)?.isExtrapolated == true)
    #expect(costs.model(.compaction, .cold) == nil)
    #expect(costs.predictedLaunchTime(file: .zero) == nil)
  }

  @Test("a written byte is priced by single measurements, a used one by their medians")
  func singleCompactions() throws {
    let costs = EngineCosts(engine: "native", version: "2", points: Self.planted())
    let writing = try #require(costs.writingFit)
    // Of three repetitions two are off, one by a factor of 3 and one by 0.9; the model has three terms.
    let logarithms = [1, 3, 0.9].map(log)
    let mean = logarithms.reduce(0, +) / 3
    for (found, wanted) in zip(writing.coefficients, [5e6, 1.5, 0.5]) {
      #expect(abs(found / (exp(mean) * wanted) - 1) < 1e-6, "\(writing.coefficients)")
    }
    let count = Double(Self.design.files.count)
    let squares = logarithms.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let expected = (count * squares / (3 * count - 3)).squareRoot()
    #expect(abs(writing.logDeviation / expected - 1) < 1e-6)
    // Reference/logarithmic.json of the statistics has this factor for 45 measurements and three terms.
    try #require(count == 15)
    #expect(abs(log(writing.nineInTenFactor) / expected - 2.031567553360217) < 1e-6)
    #expect(try #require(costs.model(.compaction, .warm)).fit.relativeDeviation < 1e-6)
  }

  @Test("points held out have no part in the fit, and their errors are those of its predictions")
  func heldOut() throws {
    let isHeldOut = Self.design.files.map(\.isHeldOut)
    let points = Self.planted { isHeldOut[$0] ? 2 : 1 }
    let model = try #require(CostModel(.compaction, .warm, points))
    #expect(abs(model.fit.coefficients[1] - 3) < 1e-6)
    let errors = try #require(model.heldOut)
    #expect(abs(errors.median - 0.5) < 1e-6 && abs(errors.largest - 0.5) < 1e-6)
  }

  @Test("predicted times rise with live and with file bytes, and their intervals contain them")
  func monotone() throws {
    // A machine on which a byte seems to save time: no coefficient becomes negative.
    let points = Self.planted { $0.isMultiple(of: 3) ? 0.4 : 1.3 }
    let costs = EngineCosts(engine: "native", version: "2", points: points)
    let sizes = [0, 1_000_000, 40_000_000, 300_000_000].map { ByteCount($0) }
    for (smaller, larger) in zip(sizes, sizes.dropFirst()) {
      for other in sizes {
        let one = try #require(costs.predictedCompactionTime(live: smaller, file: other))
        let two = try #require(costs.predictedCompactionTime(live: larger, file: other))
        let three = try #require(costs.predictedCompactionTime(live: other, file: larger))
        let four = try #require(costs.predictedCompactionTime(live: other, file: smaller))
        #expect(one.nanoseconds <= two.nanoseconds && four.nanoseconds <= three.nanoseconds)
        #expect(one.interval.contains(one.nanoseconds) && one.interval.low >= 0)
      }
    }
  }

  @Test("too few points have no model")
  func tooFew() {
    #expect(CostModel(.compaction, .warm, Array(Self.planted().prefix(4))) == nil)
    #expect(CostModel(.compaction, .warm, []) == nil)
    let empty = CostPoint(.commit, .warm, bytes: ByteCount(1), isHeldOut: false, nanoseconds: [])
    #expect(CostModel(.commit, .warm, Array(repeating: empty, count: 9)) == nil)
  }

  @Test("the record is read as it was written; changed, cut off and foreign files are refused")
  func seal() throws {
    let record = Self.record(Self.planted { 1 + Double($0 % 4) / 10 })
    let bytes = try record.json()
    #expect(try CalibrationRecord(json: bytes) == record)
    #expect(CalibrationRecord.isRecord(bytes))
    let text = String(decoding: bytes, as: UTF8.self)
    func refusal(_ text: String) -> RecordError? {
      do throws(RecordError) {
        _ = try CalibrationRecord(json: Array(text.utf8), name: "x.json")
      } catch {
        return error
      }
      return nil
    }
    let changed = text.replacing("\"cores\" : 2", with: "\"cores\" : 3")
    #expect(refusal(changed)?.code == .changed)
    #expect(refusal(String(text.dropLast(9)))?.code == .malformed)
    #expect(refusal("")?.code == .malformed)
    #expect(refusal("{\"optimumFormat\": 1}")?.code == .malformed)
    #expect(!CalibrationRecord.isRecord(Array("{\"format\": 7}".utf8)))
    let newer = text.replacing("\"calibrationFormat\" : 1", with: "\"calibrationFormat\" : 2")
    #expect(refusal(newer)?.code == .otherFormat)
    #expect(refusal(newer)?.message.hasPrefix("x.json: format 2") == true)
  }

  @Test("a sealed record whose model has other terms than its kind is refused")
  func unsound() throws {
    var record = Self.record(Self.planted())
    record.engines[0].models[0].fit.coefficients.removeLast()
    let bytes = try record.json()
    #expect(throws: RecordError.self) { try CalibrationRecord(json: bytes) }
  }

  @Test("sizes cover the range, held-out ones lie apart, and a seed repeats them")
  func design() {
    for bytes in [1_000_000, 80_000_000, 4_000_000_000] {
      let design = CalibrationDesign(maxFile: ByteCount(bytes), seed: 3)
      let files = design.files
      let fitted = files.filter { !$0.isHeldOut }.map(\.file)
      #expect(fitted.count == CalibrationDesign.fittedFiles)
      #expect(files.count == fitted.count + CalibrationDesign.heldOutFiles)
      #expect(fitted.min() == design.minFile && fitted.max() == design.maxFile)
      #expect(files.allSatisfy { 0.1...0.9 ~= $0.liveShare })
      #expect(Set(files.map(\.file)).count == files.count)
      #expect(files == CalibrationDesign(maxFile: ByteCount(bytes), seed: 3).files)
      #expect(files != CalibrationDesign(maxFile: ByteCount(bytes), seed: 4).files)
      #expect(design.commits.map(\.rows).min() == 1 && design.commits.map(\.rows).max() == 4096)
    }
  }
}
