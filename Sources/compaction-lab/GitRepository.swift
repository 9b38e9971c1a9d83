// What git has checked out in the current folder.
import SystemIO

enum GitRepository {
  /// The hash of the commit; nil where the folder is in no repository, there is no commit, or no git.
  static func currentCommit() -> String? {
    guard let hash = output(of: ["rev-parse", "--verify", "HEAD"]) else { return nil }
    return hash.allSatisfy(\.isHexDigit) && hash.count >= 40 ? hash : nil
  }

  /// Whether files that git keeps are other than in the commit.
  static func hasChanges() -> Bool {
    output(of: ["status", "--porcelain", "--untracked-files=no"])?.isEmpty == false
  }

  private static func output(of arguments: [String]) -> String? {
    guard let git = ChildProcess.findExecutable("git"),
      let outcome = try? ChildProcess(git, arguments: arguments).run(),
      outcome.ending.isSuccess
    else { return nil }
    return String(outcome.outputText.prefix { $0 != "\n" })
  }
}
