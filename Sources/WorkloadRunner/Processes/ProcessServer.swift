// The other process's own half: it does what it is asked, one line after the other, and answers each with `ok` or with
// what went wrong. It decides nothing, so that the schedule of the process that asks stays the only one.
package import EngineInterface
import Generators
import ScenarioModel
import SystemIO

package final class ProcessServer {
  private let job: ProcessJob
  private let engine: any Engine
  private var session: (any EngineSession)?
  private var held: (any EngineSnapshot)?
  private var keys: KeyChooser
  private var values: ValueWriter
  /// What was read from the held snapshot first, to be compared later.
  private var seen: [(key: Int64, sum: UInt64?)] = []

  /// `engine` finds the engine by its name.
  package init(_ job: ProcessJob, engine: (String) throws -> any Engine) throws {
    self.job = job
    self.engine = try engine(job.engine)
    keys = KeyChooser(
      job.spec.keys, stream: RandomStream(seed: job.seed, label: "keys/\(job.stream)"))
    values = ValueWriter(job.table.valueSize, seed: job.seed, label: job.stream)
  }

  /// Answers a request; nil where the process is to exit as it is.
  package func answer(_ line: String) -> String? {
    guard let request = ProcessRequest(rawValue: line) else { return "there is no \"\(line)\"" }
    if request == .exit { return nil }
    do { return "ok" + (try carryOut(request).map { " \($0)" } ?? "") } catch { return "\(error)" }
  }

  private func carryOut(_ request: ProcessRequest) throws -> String? {
    switch request {
    case .open: session = try engine.open(FilePath(job.folder), job.options).session
    case .compact:
      var options = job.options
      options.compactOnLaunch = { _ in true }
      session = try engine.open(FilePath(job.folder), options).session
    case .pin:
      let snapshot = try open.beginSnapshot(label: job.name)
      held = snapshot
      seen = try (0..<job.spec.rows).map { _ in
        let key = Int64(keys.next(rows: job.table.rows))
        return (key, try sum(of: key, in: snapshot))
      }
    case .check:
      guard let held else { return nil }
      for (key, before) in seen where try sum(of: key, in: held) != before {
        throw RunnerError("row \(key) of the held snapshot changed")
      }
    case .read:
      let snapshot = try open.beginSnapshot(label: job.name)
      defer { snapshot.end() }
      for _ in 0..<job.spec.rows {
        _ = try sum(of: Int64(keys.next(rows: job.table.rows)), in: snapshot)
      }
    case .probe:
      for request in [ProcessRequest.open, .read, .close] { _ = try carryOut(request) }
    case .write: return try write()
    case .release:
      held?.end()
      held = nil
    case .close:
      held?.end()
      held = nil
      try session?.close()
      session = nil
    case .exit: break
    }
    return nil
  }

  /// Overwrites rows; those that the others deleted stay deleted. Answers operations and bytes.
  private func write() throws -> String {
    let transaction = try open.beginWrite()
    var operations = 0
    var bytes = 0
    do {
      for _ in 0..<job.spec.rows {
        let key = Int64(keys.next(rows: job.table.rows))
        guard try transaction.read(job.tableIndex, key, { _ in }) else { continue }
        let value = values.next()
        try transaction.put(job.tableIndex, key, value)
        operations += 1
        bytes += MemoryLayout<Int64>.size + value.count
      }
      try transaction.commit()
    } catch {
      transaction.rollBack()
      throw error
    }
    return "\(operations) \(bytes)"
  }

  private func sum(of key: Int64, in snapshot: any EngineSnapshot) throws -> UInt64? {
    var sum: UInt64 = 0
    let found = try snapshot.read(job.tableIndex, key) { sum = touch($0) }
    return found ? sum : nil
  }

  private var open: any EngineSession {
    get throws {
      guard let session else { throw RunnerError("the database is not open here") }
      return session
    }
  }
}
