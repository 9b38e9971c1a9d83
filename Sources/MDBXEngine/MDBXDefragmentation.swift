// Defragmentation: libmdbx 0.14 moves pages from the file's end into the gaps and cuts what is free then, when it is asked. It
// does so in write transactions of its own, and gives up where a reader needs an older version.
import CMDBX
import EngineInterface
import MetricModel

extension Environment {
  /// By so much at most, as far as whole pages go; nil for as much as there is.
  func defragment(by most: ByteCount?) throws(EngineError) -> Shortening {
    let before = try facts().length
    let enough = most.map { $0.bytes / pageSize } ?? 0
    guard most == nil || enough > 0, let defragment = mdbx.call.envDefrag else {
      return Shortening(before: before, after: before, rewritten: .zero)
    }
    var result = MDBX_defrag_result()
    // No least, no limit of time, and when it pays no more for libmdbx to say.
    let code = defragment(handle, 0, 0, enough, 0, -1, 0, nil, nil, &result)
    if code != MDBX_RESULT_TRUE, code != MDBX_LAGGARD_READER {
      try mdbx.check(code, "defragmenting \(file)")
    }
    return Shortening(
      before: before, after: try facts().length, rewritten: result.pages_moved * pageBytes)
  }
}
