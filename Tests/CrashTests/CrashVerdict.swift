// The verdict on a recovered file.
import StorageEngine
import TestSupport

/// The contents of a recovered database.
enum CrashVerdict: CustomStringConvertible {
  /// Exactly the allowed state of this index, and the audit is clean.
  case state(Int)
  /// None of the allowed states: a commit was lost or only half of it is there.
  case strange(rows: Int, allowed: [Int])
  /// The right rows in a file that violates an invariant.
  case unsound([String])

  init(_ database: Database, allowed: [RowModel]) throws(StorageError) {
    let rows = try database.rows()
    guard let index = allowed.firstIndex(of: rows) else {
      self = .strange(rows: rows.count, allowed: allowed.map(\.count))
      return
    }
    let audit = try database.audit()
    var violations = audit.violations
    let usage = database.usage()
    if audit.account != usage { violations.append("audit \(audit.account) but usage \(usage)") }
    let savepoints = rows.keys.count { SavepointRow.isKey($0) }
    if audit.rows != rows.count - savepoints {
      violations.append("audit counts \(audit.rows) rows")
    }
    self = violations.isEmpty ? .state(index) : .unsound(violations)
  }

  var description: String {
    switch self {
    case .state(let index): "state \(index)"
    case .strange(let rows, let allowed):
      "\(rows) rows that are none of the states of \(allowed) rows"
    case .unsound(let violations): violations.joined(separator: "; ")
    }
  }
}
