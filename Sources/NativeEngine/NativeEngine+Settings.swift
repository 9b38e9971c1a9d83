// The settings that the native engine runs with, taken from its options.
import EngineInterface
import StorageEngine

extension EngineCapabilities.Setting {
  /// The defaults of the engine's options, except automatic compaction, which is on only if the policy requires it.
  static var ofNative: [Self: String] {
    let options = DatabaseOptions()
    return [
      .durable:
        "the default: one sync for data and commit slot, which a checksum tells apart; a second one "
        + "before the slot in commits of more than \(mebibytes(options.verifiedCommitLimit))",
      .notDurable:
        "`Durability.none`: a power loss may corrupt the file, which is found when it is opened",
      .pages: "none: blocks of variable size",
      .growth:
        "doubled up to \(mebibytes(options.growthStep)), then by \(mebibytes(options.growthStep)); cut on closing",
      .tables: "named trees in one file",
      .keys: "Int64",
      .addresses: "64 GiB or twice the file, or what a limit leaves",
      .readers: "places in the lock file, as many as are needed",
      .writers: "a lock of the file, waited for however long",
      .cache: "the system's",
    ]
  }

  private static func mebibytes(_ bytes: Int) -> String { "\(bytes >> 20) MiB" }
}
