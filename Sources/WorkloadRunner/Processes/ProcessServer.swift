// The server within another process: it carries out one request a line, and responds with `ok` or with an error. It decides
// nothing, so that all scheduling is done by the process that sends the requests.
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
  /// The sums of rows that were read when the held snapshot began, to be compared later.
  private var sums: [(key: Int64, sum: UInt64?)] = []

  /// `engine` returns the engine of an identifier.
  package init(_ job: ProcessJob, engine: (String) throws -> any Engine) throws {
    self.job = job
    self.engine = try engine(job.engine)
    keys = KeyChooser(
      job.spec.keys, stream: RandomStream(seed: job.seed, label: "keys/\(job.stream)"))
    values = ValueWriter(job.table.valueSize, seed: job.seed, label: job.stream)
  }

  /// Carries out a request and returns the response; nil where the process is to exit without closing.
  package func respond(to line: String) -> String? {
    guard let request = ProcessRequest(rawValue: line) else {
      return "there is no request \"\(line)\""
    }
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
      sums = try (0..<job.spec.rows).map { _ in
        let key = Int64(keys.next(rows: job.table.rows))
        return (key, try sum(of: key, in: snapshot))
      }
    case .check:
      guard let held else { return nil }
      for (key, before) in sums where try sum(of: key, in: held) != before {
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

  /// Overwrites rows, except those that other clients deleted. Returns the numbers of operations and bytes.
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
    let found = try snapshot.read(job.tableIndex, key) { sum = readEveryByte(of: $0) }
    return found ? sum : nil
  }

  private var open: any EngineSession {
    get throws {
      guard let session else { throw RunnerError("the database is not open here") }
      return session
    }
  }
}
