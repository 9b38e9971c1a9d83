// Checks every byte of a database file.
import ArgumentParser
import InspectionRendering
import StorageEngine
import SystemIO

struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Checks every block of a native database file, and names what is damaged.",
    discussion: """
      Checksums, the order of keys, and that every byte of the file is for exactly one thing. Each finding names the \
      rule that is broken and the block's offset. The file is opened to read only.

      Exit codes: 0 sound, 1 damaged, 2 could not be checked, 64 usage.
      """)

  @Argument(help: "Database files of the native engine.")
  var files: [String]

  @OptionGroup var encryption: KeyOption

  func run() throws {
    let key = try encryption.key()
    var isDamaged = false
    for file in files where try !Self.isSound(FilePath(file), key) { isDamaged = true }
    if isDamaged { throw ExitCode.damaged }
  }

  private static func isSound(_ path: FilePath, _ key: EncryptionKey?) throws -> Bool {
    let database: Database
    let audit: SpaceAudit
    do {
      database = try DatabaseFile.openToRead(path, key)
      audit = try database.audit()
    } catch let error as StorageError {
      let text = DatabaseFile.words(error, path)
      switch error.code {
      case .corrupt, .truncated:
        Console.print("\(text)\n\(path): damaged; it cannot be opened")
        return false
      default: throw couldNotRun(text)
      }
    }
    guard audit.violations.isEmpty else {
      for violation in audit.violations { Console.print("\(path): \(violation)") }
      Console.print(
        "\(path): damaged; findings: \(audit.violations.count)\n\(DatabaseFile.copyHint)")
      return false
    }
    Console.print(
      "\(path): sound: version \(database.version), \(grouped(audit.rows)) rows in "
        + "\(grouped(audit.liveBlocks)) blocks, \(grouped(audit.freeExtents)) free extents, all "
        + "\(grouped(audit.account.file)) bytes accounted for")
    return true
  }
}
