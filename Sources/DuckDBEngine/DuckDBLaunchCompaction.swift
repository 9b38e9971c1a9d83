// Compaction at launch: a compacted copy that takes the file's name. VACUUM of DuckDB does nothing, and a checkpoint merges row
// groups with deleted rows but cuts only what is free at the end of the file.
import EngineInterface
import MetricModel
import SystemIO

/// The decision about compaction at a launch, and the compaction.
struct LaunchCompaction {
  var setup: DatabaseSetup
  var tables: [String]
  var wantsCompaction: (SpaceUsage) -> Bool

  private var copy: DatabaseCopy { DatabaseCopy(setup.files, at: setup.files.data) }

  /// Calls the callback once and acts on its result. `after` is left as `before`: only the reopened file has its value.
  func run() throws(EngineError) -> LaunchOutcome {
    let (before, attempt) = try makeCopy()
    switch attempt {
    case nil: return .declined(before)
    case .success:
      return .compacted(before: before, after: before, rewritten: try copy.install(.replacement))
    case .failure(let error) where error.code == .outOfSpace:
      return .skipped(before, reason: "no disk space for the copy: \(error.message)")
    case .failure(let error): throw error
    }
  }

  /// Measures, asks, and makes the copy; nil where none is wanted. The instance is gone when this returns, and with it the log:
  /// DuckDB refuses all work in an instance whose copy could not be written, and a log beside another file would be replayed
  /// into it.
  private func makeCopy() throws(EngineError) -> (SpaceUsage, Result<Void, EngineError>?) {
    let instance = try DuckDBInstance(setup, isNew: false)
    try instance.makeTables(tables)
    let account = try SpaceAccount(instance, setup.files, tables: tables)
    let before = try account.usage()
    guard wantsCompaction(before) else { return (before, nil) }
    return (
      before,
      Result { () throws(EngineError) in
        try account.withConnection { connection throws(EngineError) in
          try connection.run("CHECKPOINT \(DatabaseSetup.catalog)")
          try copy.fill(by: connection)
        }
      }
    )
  }
}
