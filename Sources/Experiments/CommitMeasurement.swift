// The times of durable commits, by the bytes of rows that they add.
import Calibration
import EngineInterface
import Generators
import MetricModel
import SystemIO

struct CommitMeasurement {
  let engine: any Engine
  let commits: [CalibrationDesign.PlannedCommit]
  let folder: FilePath
  let seed: UInt64

  private static let repetitions = 9

  /// Only the call that commits is timed. All commits are in one order, drawn from the seed.
  func run(onStage: (String) -> Void) throws -> [CostPoint] {
    onStage("committing")
    var order = (0..<Self.repetitions).flatMap { _ in commits.indices }
    var stream = RandomStream(seed: seed, label: "calibration commits")
    stream.shuffle(&order)
    let values = ValueSource(seed: seed, label: "calibration values")
    let session = try engine.open(
      folder, SessionOptions(tables: ["rows"], durability: .full)
    ).session
    var times = commits.map { _ in [Double]() }
    var key: Int64 = 0
    for index in order {
      let transaction = try session.beginWrite()
      for _ in 0..<commits[index].rows {
        try values.withValue(size: CalibrationDesign.rowBytes) { bytes throws(EngineError) in
          try transaction.put(0, key, bytes)
        }
        key += 1
      }
      let start = Clock.monotonicNanoseconds()
      try transaction.commit()
      times[index].append(Double(Clock.monotonicNanoseconds() - start))
    }
    try session.close()
    return zip(commits, times).map { commit, times in
      CostPoint(
        .commit, .warm, bytes: ByteCount(commit.rows * CalibrationDesign.rowBytes),
        isHeldOut: commit.isHeldOut, nanoseconds: times)
    }
  }
}
