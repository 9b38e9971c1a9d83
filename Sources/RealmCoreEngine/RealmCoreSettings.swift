// The settings that Realm Core runs with, in words: its own, since its C interface leaves little to choose.
import EngineInterface

extension EngineCapabilities.Setting {
  static let ofRealmCore: [Self: String] = [
    .durable: "Realm Core's default",
    .notDurable:
      "the same: its C interface has no such choice for a file, and each commit is synced",
    .pages: "none: arrays of variable size",
    .growth: "doubled up to 1 MiB, then by 1 MiB",
    .tables: "classes with the key as primary key and the value as binary data",
    .keys: "Int64",
    .addresses: "the file, mapped as it grows",
    .readers: "live or frozen instances without notifications; versions in the lock file",
    .writers: "Realm Core's own lock, waited for however long",
    .cache: "the system's",
  ]
}
