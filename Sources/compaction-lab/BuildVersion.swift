// The version and commit of this program, as `--version` prints them.
import SystemIO

enum BuildVersion {
  /// Replaced by `git archive` (see .gitattributes), from which releases are built. A checkout has no such constant: to
  /// generate one with each build would compile and link after each commit, and a plugin would slow down every build.
  private static let archivedCommit = "$Format:%H$"

  private static var commit: String? { archivedCommit.first == "$" ? nil : archivedCommit }

  /// Of a program that was built in a checkout: the commit that is checked out now, which may be a later one than that of
  /// the build, so the text says so.
  static var text: String {
    let version = CompactionLab.version
    if let commit { return "\(version) (commit \(commit))" }
    guard let checkout = findCheckout(), let commit = GitRepository.currentCommit(in: checkout)
    else { return "\(version) (commit unknown)" }
    let changes = GitRepository.hasChanges(in: checkout) ? ", with changes" : ""
    return "\(version) (built in a checkout, now at commit \(commit)\(changes))"
  }

  /// Returns the package's folder above the program, in which `swift build` made it.
  private static func findCheckout() -> FilePath? {
    guard var folder = try? ProcessMetrics.executablePath() else { return nil }
    while folder.removeLastComponent(), !folder.components.isEmpty {
      if FileSystem.exists(folder.appending("Package.swift")) { return folder }
    }
    return nil
  }
}
