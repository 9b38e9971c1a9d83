// The settings that libmdbx runs with, in words, of the values that it is given.
import EngineInterface

extension EnvironmentSetup {
  static let settings: [EngineCapabilities.Setting: String] = [
    .durable: "`MDBX_SYNC_DURABLE`, the default: data synced, then the commit slot",
    .notDurable:
      "`MDBX_SAFE_NOSYNC` with `sync_bytes` of \(Environment.unsynced >> 20) MiB: a power loss loses "
      + "what came after the last sync, no more",
    .pages: "the system's",
    .growth:
      "by \(growthStep.bytes >> 10) KiB, and not cut, unless a scenario asks for other bounds and steps; "
      + "libmdbx's own, 16 MiB of growth and 32 MiB that are cut, would hide what happens in files of some MB",
    .tables: "named tables with `MDBX_INTEGERKEY`",
    .keys: "as LMDB",
    .addresses:
      "the geometry's upper bound: \(Environment.maxMapSize >> 30) GiB, halved as often as a limit "
      + "demands, at least \(Environment.minMapSize >> 20) MiB",
    .readers: "\(Environment.readers) places; `MDBX_NOSTICKYTHREADS`",
    .writers: "libmdbx's own lock, waited for however long",
    .cache: "the system's",
  ]
}
