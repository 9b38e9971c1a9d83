// The commit that git has checked out in a folder.
import SystemIO

enum GitRepository {
  /// Returns the hash of the commit; nil where the folder is in no repository, or there is no commit, or no git.
  static func currentCommit(in folder: FilePath? = nil) -> String? {
    guard let hash = output(of: ["rev-parse", "--verify", "HEAD"], in: folder) else { return nil }
    return hash.allSatisfy(\.isHexDigit) && hash.count >= 40 ? hash : nil
  }

  /// Returns whether tracked files differ from the commit.
  static func hasChanges(in folder: FilePath? = nil) -> Bool {
    output(of: ["status", "--porcelain", "--untracked-files=no"], in: folder)?.isEmpty == false
  }

  /// - Parameter folder: nil for the current folder.
  private static func output(of arguments: [String], in folder: FilePath?) -> String? {
    guard let git = ChildProcess.findExecutable("git"),
      let outcome = try? ChildProcess(git, arguments: arguments, folder: folder).run(),
      outcome.ending.isSuccess
    else { return nil }
    return String(outcome.outputText.prefix { $0 != "\n" })
  }
}
