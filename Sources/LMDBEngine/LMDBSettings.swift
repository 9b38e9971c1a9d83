// The settings that LMDB runs with, in words, of the values that it is given.
import EngineInterface

extension EnvironmentSetup {
  static let settings: [EngineCapabilities.Setting: String] = [
    .durable: "LMDB's default: data synced, then the commit slot",
    .notDurable:
      "`MDB_NOSYNC`: the system may write the slot before the data, so a power loss may corrupt the file",
    .pages: "the system's, 4,096 bytes on most",
    .growth: "by the pages that a commit needs",
    .tables: "named databases with `MDB_INTEGERKEY`",
    .keys: "Int64 with the sign bit flipped: `MDB_INTEGERKEY` compares without sign",
    .addresses:
      "\(Environment.maxMapSize >> 30) GiB reserved, halved as often as a limit demands, at least "
      + "\(Environment.minMapSize >> 20) MiB",
    .readers: "\(Environment.readers) places; `MDB_NOTLS`",
    .writers: "LMDB's own lock, waited for however long",
    .cache: "the system's",
  ]
}
