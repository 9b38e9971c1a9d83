// Checks every byte of a database file.
import ArgumentParser
import InspectionRendering
import MetricModel
import StorageEngine
import SystemIO

struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Checks every block of a native database file, and names what is damaged.",
    discussion: """
      Checks checksums, the order of keys, and that every byte of the file has exactly one use. Each finding names the \
      broken rule and the block's offset. The file is opened read-only.

      Exit codes: 0 sound, 1 damaged, 2 could not be checked, 64 usage.
      """)

  @Argument(help: "Database files of the native engine.")
  var files: [String]

  @OptionGroup var encryption: KeyOption
  @OptionGroup var output: FormatOption

  /// The result for one file.
  private struct Finding {
    var path: FilePath
    /// Nil where the file cannot be opened.
    var audit: SpaceAudit?
    var version: UInt64?
    /// What is damaged; empty for a sound file.
    var violations: [String]
  }

  func run() throws {
    let key = try encryption.key()
    var findings: [Finding] = []
    for file in files {
      let finding = try Self.check(FilePath(file), key)
      if !output.isJSON { Console.print(Self.text(finding)) }
      findings.append(finding)
    }
    if output.isJSON { Console.print(["files": .list(findings.map(Self.json))]) }
    if findings.contains(where: { !$0.violations.isEmpty }) { throw ExitCode.damaged }
  }

  private static func check(_ path: FilePath, _ key: EncryptionKey?) throws -> Finding {
    do {
      let database = try DatabaseFile.openToRead(path, key)
      let audit = try database.audit()
      return Finding(
        path: path, audit: audit, version: database.version, violations: audit.violations)
    } catch let error as StorageError {
      let text = DatabaseFile.message(error, path)
      switch error.code {
      case .corrupt, .truncated: return Finding(path: path, violations: [text])
      default: throw couldNotRun(text)
      }
    }
  }

  private static func text(_ finding: Finding) -> String {
    let path = finding.path
    guard let audit = finding.audit, let version = finding.version else {
      return finding.violations.joined() + "\n\(path): damaged; it cannot be opened"
    }
    guard finding.violations.isEmpty else {
      let lines = finding.violations.map { "\(path): \($0)" }
      let last = "\(path): damaged; findings: \(lines.count)\n\(DatabaseFile.copyHint)"
      return (lines + [last]).joined(separator: "\n")
    }
    return "\(path): sound: version \(version), \(counted(audit.rows, "row")) in "
      + "\(counted(audit.liveBlocks, "block")), \(counted(audit.freeExtents, "free extent")), all "
      + "\(grouped(audit.account.file)) bytes accounted for"
  }

  private static func json(_ finding: Finding) -> JSON {
    [
      "file": .text(finding.path.string), "sound": .bool(finding.violations.isEmpty),
      "version": .optional(finding.version), "rows": .optional(finding.audit?.rows),
      "liveBlocks": .optional(finding.audit?.liveBlocks),
      "freeExtents": .optional(finding.audit?.freeExtents),
      "bytes": .optional(finding.audit?.account.file), "findings": .texts(finding.violations),
    ]
  }
}
