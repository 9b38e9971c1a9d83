// Defragmentation: libmdbx 0.14 moves pages from the file's end into the gaps and cuts what is free then, when it is asked. It
// does so in write transactions of its own, and gives up where a reader needs an older version.
import CMDBX
import EngineInterface
import MDBInterface
import MetricModel

extension Environment {
  /// Shortens the file by at most `most`, in whole growth steps; nil for as much as possible.
  func defragment(by most: ByteCount?) throws(EngineError) -> Shortening {
    let before = try facts()
    let enough = most.map { $0.bytes / pageSize } ?? 0
    guard most == nil || enough > 0, let defragment = mdbx.call.envDefrag else {
      return Shortening(before: before.length, after: before.length, rewritten: .zero)
    }
    // Commits cut nothing off a file without a threshold, and with one all that is free at its end. What was asked for is
    // to be cut now, and no more.
    let kept = most.map { max(before.lower, before.length - min($0, before.length)) }
    try bound(lower: kept ?? before.lower, shrinkThreshold: ByteCount(pageSize))
    var result = MDBX_defrag_result()
    // No minimum and no time limit; libmdbx decides when it is no longer worth it.
    let code = defragment(handle, 0, 0, enough, 0, -1, 0, nil, nil, &result)
    let after = Result { () throws(EngineError) in try facts().length }
    try bound(lower: before.lower, shrinkThreshold: before.shrinkThreshold)
    if code != MDBX_RESULT_TRUE, code != MDBX_LAGGARD_READER {
      try mdbx.check(code, "defragmenting \(file)")
    }
    return Shortening(
      before: before.length, after: try after.get(), rewritten: result.pages_moved * pageBytes)
  }

  /// Begins a write transaction where something changes. A file keeps it until it is opened with another.
  private func bound(lower: ByteCount, shrinkThreshold: ByteCount) throws(EngineError) {
    try mdbx.check(
      mdbx.call.envSetGeometry(
        handle, lower.bytes, -1, -1, -1, shrinkThreshold.bytes, -1),
      "bounding \(file)")
  }
}
