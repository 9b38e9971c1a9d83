// A database worth compacting: many rows, most of them deleted, spread over the file.
import Testing

@testable import StorageEngine

/// 6000 rows of 500 bytes in commits of 200: about 3.5 MB.
func fill(_ database: Database) throws {
  for commit in 0..<30 {
    try database.write { transaction, table in
      for index in 0..<200 {
        let key = Int64(commit * 200 + index)
        try transaction.put(table, key, row(key, 0, count: 500))
      }
    }
  }
}

/// Deletes nine of ten rows, spread over the file.
func thin(_ database: Database) throws {
  try database.write { transaction, table in
    for key in Int64(0)..<6000 where key % 10 != 3 { _ = try transaction.delete(table, key) }
  }
}

/// Commits that update one of the rows that are left.
func touch(_ database: Database, _ commits: Int) throws {
  for commit in 0..<commits {
    try database.write { transaction, table in
      let key = Int64(commit % 600) * 10 + 3
      try transaction.put(table, key, row(key, commit, count: 500))
    }
  }
}

/// Commits until compaction has ended or given up. Returns the steps.
func untilEnd(_ database: Database, atMost commits: Int) throws -> [CompactionStep] {
  var steps: [CompactionStep] = []
  for _ in 0..<commits where steps.last?.kind != .finished && steps.last?.kind != .abandoned {
    try touch(database, 1)
    steps += database.drainEvents()
    try database.checkedAudit()
  }
  return steps
}

extension Database {
  var stage: AutomaticState.Stage { get throws { try automaticState.stage } }

  /// Commits without changes until automatic compaction is in this stage; returns false if that takes more than
  /// `commits`.
  func commit(until stage: AutomaticState.Stage, atMost commits: Int) throws -> Bool {
    for _ in 0..<commits {
      if try self.stage == stage { return true }
      try write { _, _ in }
    }
    return try self.stage == stage
  }
}
