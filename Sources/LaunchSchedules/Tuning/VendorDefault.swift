// The rules that vendors ship or document, which a tuned rule is compared with.
import MetricModel

/// A rule of a vendor, with its source.
package struct VendorDefault: Sendable {
  /// Whether the vendor's software has the rule unless another one is set, or its documents show it.
  package enum Kind: String, Sendable {
    case usual = "default"
    case example = "example of the documentation"
    case comparison = "for comparison"
  }

  /// A label that a policy can have.
  package let label: String
  package let policy: String
  package let kind: Kind
  package let source: String
  /// The engines that have it; nil for all.
  let engines: [EngineIdentifier]?

  private init(
    _ label: String, _ policy: String, _ kind: Kind, engines: [EngineIdentifier]? = nil,
    source: String
  ) {
    (self.label, self.policy, self.kind) = (label, policy, kind)
    (self.engines, self.source) = (engines, source)
  }

  package static let all = [
    VendorDefault(
      "realm-100MB-50", "on-launch: totalBytes > 100 MiB && usedBytes / totalBytes < 50 %",
      .example, source: "Realm Swift's documents, \"Configure a Realm\": 100 MB and 50 %"),
    VendorDefault(
      "realm-20MB-50", "on-launch: totalBytes > 20 MiB && usedBytes / totalBytes < 50 %", .example,
      source: "Realm Swift's documents, \"Reduce Realm File Size\": 20 MB and 50 %"),
    VendorDefault(
      "realm-50MB-50", "on-launch: totalBytes > 50 MiB && usedBytes / totalBytes < 50 %", .usual,
      source:
        "DefaultCompactOnLaunchCallback of Realm Java, and Realm Kotlin's: 52428800 bytes and 50 %"),
    VendorDefault(
      "realm-automatic", "automatic(realm-compatible)", .usual,
      engines: [.native, .nativeOldestReader, .nativeObjects, .realmCore],
      source:
        "Realm Core's group_writer.cpp, write_group: its compaction within commits, from 1 MiB on where more than twice as "
        + "much is free as is used, which nothing switches off"),
    VendorDefault(
      "sqlite-auto-vacuum", "automatic", .example, engines: [.sqlite],
      source: "SQLite's auto_vacuum = FULL; the default is NONE "
        + "(https://www.sqlite.org/pragma.html#pragma_auto_vacuum)"),
    VendorDefault(
      "couchdb-smoosh",
      "on-launch: totalBytes > 1 MiB && (totalBytes / usedBytes > 2 || totalBytes - usedBytes > 512 MiB)",
      .usual,
      source: "CouchDB's documents, \"Automatic Compaction\": ratio_dbs 2.0, slack_dbs 536870912; "
        + "min_size 1 MiB (each to be exceeded: get_priority in src/smoosh/src/smoosh_server.erl)"),
    VendorDefault(
      "couchdb-smoosh-channel",
      "on-launch: totalBytes > 1 MiB && (totalBytes / usedBytes > 5 || totalBytes - usedBytes > 16 MiB)",
      .usual,
      source:
        "CouchDB's src/smoosh/README.md: a channel without settings, ratio 5.0 and slack 16 MB"),
    VendorDefault(
      "etcd-defrag", "on-launch: totalBytes - usedBytes > 200 MiB", .example,
      source:
        "etcd-defrag's README: dbSize - dbSizeInUse > 200*1024*1024, without the quota's part; "
        + "by default it has no rule and defragments whenever it is started"),
    VendorDefault("never", "never", .comparison, source: "no compaction"),
    VendorDefault(
      "every-launch", "every-launch", .comparison, source: "compaction at every launch"),
  ]

  /// Returns the rules that an engine can have.
  package static func all(of engine: String) -> [VendorDefault] {
    all.filter { $0.engines?.contains { $0.rawValue == engine } ?? true }
  }

  /// The text of a policy with its label.
  package var text: String { label == policy ? policy : "\(label) = \(policy)" }
}
