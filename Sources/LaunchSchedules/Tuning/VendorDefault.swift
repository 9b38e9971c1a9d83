// The rules that vendors ship or document, which a tuned rule is compared with.

/// A rule of a vendor, with its source.
package struct VendorDefault: Sendable {
  /// A label that a policy can have.
  package let label: String
  package let policy: String
  package let source: String

  package static let all = [
    VendorDefault(
      label: "realm-100MB-50",
      policy: "on-launch: totalBytes > 100 MiB && usedBytes / totalBytes < 50 %",
      source: "Realm Swift's documents, \"Configure a Realm\": 100 MB and 50 %"),
    VendorDefault(
      label: "realm-20MB-50",
      policy: "on-launch: totalBytes > 20 MiB && usedBytes / totalBytes < 50 %",
      source: "Realm Swift's documents, \"Reduce Realm File Size\": 20 MB and 50 %"),
    VendorDefault(
      label: "realm-50MB-50",
      policy: "on-launch: totalBytes > 50 MiB && usedBytes / totalBytes < 50 %",
      source: "DefaultCompactOnLaunchCallback of Realm Java and Kotlin: 50 MB and 50 %"),
    VendorDefault(
      label: "couchdb-smoosh",
      policy: "on-launch: totalBytes / usedBytes > 5 || totalBytes - usedBytes > 16 MiB",
      source: "CouchDB's smoosh, default channels: ratio 5, slack 16 MB (operator_guide.md)"),
    VendorDefault(
      label: "etcd-defrag", policy: "on-launch: totalBytes - usedBytes > 200 MiB",
      source: "etcd-defrag, README: at least 200 MiB free, without the quota's part"),
    VendorDefault(label: "never", policy: "never", source: "no compaction"),
    VendorDefault(
      label: "every-launch", policy: "every-launch", source: "compaction at every launch"),
  ]

  /// The text of a policy with its label.
  package var text: String { label == policy ? policy : "\(label) = \(policy)" }
}
