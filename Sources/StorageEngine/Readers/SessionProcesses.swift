// The processes of sessions. Each is looked up once, since the system is asked for it and hundreds of readers may belong to
// a few processes.
import SystemIO

struct SessionProcesses {
  let session: FileSession
  private var known: [Int32: ProcessFacts?] = [:]

  init(_ session: FileSession) { self.session = session }

  /// Returns the process of the session with this number, and whether it is stopped.
  mutating func process(of owner: UInt64) -> (id: Int32, isSuspended: Bool) {
    let stored = session.table.sessionProcess(ReaderTable.index(of: owner))
    guard owner != session.number, let facts = facts(of: stored.id), facts.began == stored.began
    else { return (stored.id, false) }
    return (stored.id, facts.isSuspended)
  }

  private mutating func facts(of id: Int32) -> ProcessFacts? {
    if let found = known[id] { return found }
    let found = ProcessFacts(of: id)
    known[id] = .some(found)
    return found
  }
}
