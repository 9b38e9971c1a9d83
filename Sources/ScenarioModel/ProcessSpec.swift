// Another process that has the database open.
package import Generators

package struct ProcessSpec: Hashable, Sendable, Codable {
  package enum Work: String, Hashable, Sendable, Codable, CaseIterable {
    /// The process has the database open, and no transaction.
    case idles
    /// Holds one snapshot from its beginning to its end.
    case pins
    /// Begins a snapshot, reads and ends it, again and again.
    case reads
    /// Commits write transactions.
    case writes
  }

  /// The way in which the process ends.
  package enum Ending: String, Hashable, Sendable, Codable, CaseIterable {
    /// The process ends its snapshot and closes the database.
    case closes
    /// The process exits without closing the database.
    case exits
    /// SIGKILL.
    case killed
    /// SIGSTOP; at the end SIGCONT, a check that it still reads the same rows, and closing.
    case suspended
  }

  /// The time until which the process has the database open, if nothing ends it before.
  package enum OpenUntil: String, Hashable, Sendable, Codable, CaseIterable {
    case phase
    case launch
    /// The launch after the one in which it began: it is there when that one opens the database.
    case nextLaunch = "next launch"
  }

  package var table: String
  package var work: Work
  /// A read or a write after every n commits.
  package var everyCommits: Int
  /// Rows read from each snapshot, or overwritten by each transaction.
  package var rows: Int
  package var keys: KeyDistribution
  package var ending: Ending
  /// The commits of its first phase after which it ends (or is suspended); nil for the end of `openUntil`.
  package var endsAfterCommits: Int?
  package var openUntil: OpenUntil
  /// Whether it is another thread of this process, with an opening of its own, instead of another process.
  package var isThread: Bool

  /// The names of properties in records, which do not change with the language.
  private enum CodingKeys: String, CodingKey {
    case table, work, everyCommits, rows, keys, ending, endsAfterCommits, isThread
    case openUntil = "stay"
  }

  package init(
    table: String, work: Work, everyCommits: Int = 10, rows: Int = 1,
    keys: KeyDistribution = .uniform, ending: Ending = .closes, endsAfterCommits: Int? = nil,
    openUntil: OpenUntil = .phase, isThread: Bool = false
  ) {
    self.isThread = isThread
    self.table = table
    self.work = work
    self.everyCommits = everyCommits
    self.rows = rows
    self.keys = keys
    self.ending = ending
    self.endsAfterCommits = endsAfterCommits
    self.openUntil = openUntil
  }
}
