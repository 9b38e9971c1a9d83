// What libmdbx reports of an environment: the part that the adapter uses, of the structure of either version.
import CMDBX
import EngineInterface
import MetricModel

/// Figures of an environment, as of the newest version or of the one that a transaction sees.
struct EnvironmentFacts {
  /// The file's length, in which the part that no page was taken from yet is included.
  let length: ByteCount
  /// The minimum length of the file, and the free bytes at its end from which on a commit truncates it; zero for never.
  let lower: ByteCount
  let shrinkThreshold: ByteCount
  let pageSize: Int
  let lastPage: Int
  let newestVersion: UInt64
  /// The newest version in a commit slot whose data was synced, by the slots' signatures: 0 and 1 are none. nil where no
  /// slot has such a one: then no version is kept for it.
  let lastDurableVersion: UInt64?

  init(_ info: MDBX_envinfo) {
    length = ByteCount(Int(info.mi_geo.current))
    lower = ByteCount(Int(info.mi_geo.lower))
    shrinkThreshold = ByteCount(Int(info.mi_geo.shrink))
    pageSize = Int(info.mi_dxb_pagesize)
    lastPage = Int(info.mi_last_pgno)
    newestVersion = info.mi_recent_txnid
    lastDurableVersion = Self.lastDurable(info.mi_meta_txnid, info.mi_meta_sign)
  }

  init(_ info: MDBX_envinfo_14) {
    length = ByteCount(Int(info.mi_geo.current))
    lower = ByteCount(Int(info.mi_geo.lower))
    shrinkThreshold = ByteCount(Int(info.mi_geo.shrink))
    pageSize = Int(info.mi_dxb_pagesize)
    lastPage = Int(info.mi_last_pgno)
    newestVersion = info.mi_recent_txnid
    lastDurableVersion = Self.lastDurable(info.mi_meta_txnid, info.mi_meta_sign)
  }

  private typealias Slots = (UInt64, UInt64, UInt64)

  private static func lastDurable(_ versions: Slots, _ signatures: Slots) -> UInt64? {
    let slots = [
      (versions.0, signatures.0), (versions.1, signatures.1), (versions.2, signatures.2),
    ]
    return slots.filter { $0.1 > 1 }.map(\.0).max()
  }
}

extension MDBXLibrary {
  func facts(
    _ environment: OpaquePointer, _ transaction: OpaquePointer?
  ) throws(EngineError) -> EnvironmentFacts {
    if defragments {
      var info = MDBX_envinfo_14()
      try check(
        call.envInfoEx(environment, transaction, &info, MemoryLayout<MDBX_envinfo_14>.size),
        "asking for the file's geometry")
      return EnvironmentFacts(info)
    }
    var info = MDBX_envinfo()
    try check(
      call.envInfoEx(environment, transaction, &info, MemoryLayout<MDBX_envinfo>.size),
      "asking for the file's geometry")
    return EnvironmentFacts(info)
  }
}
