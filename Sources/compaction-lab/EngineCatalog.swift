// Every engine that there is: the one place that sees all adapters.
import EngineInterface
import LMDBEngine
import MDBXEngine
import NativeEngine
import NullEngine
import RealmCoreEngine
import RecordModel
import SQLiteEngine
import SystemIO
import WorkloadRunner

enum EngineCatalog {
  /// In the order of reports. An engine's library is opened when the engine is first asked for, so that a cell's
  /// process holds no other engine than its own.
  private static let entries: [(id: String, find: @Sendable () -> EngineAvailability)] = [
    entry(NativeEngine.exact.id) { () throws(LibraryAbsence) in NativeEngine.exact },
    entry(NativeEngine.oldestReader.id) { () throws(LibraryAbsence) in NativeEngine.oldestReader },
    entry(NativeEngine.objects.id) { () throws(LibraryAbsence) in NativeEngine.objects },
    entry(LMDBEngine.id) { () throws(LibraryAbsence) in try LMDBEngine() },
    entry(SQLiteEngine.id) { () throws(LibraryAbsence) in try SQLiteEngine() },
    entry(MDBXEngine.id) { () throws(LibraryAbsence) in try MDBXEngine() },
    entry(RealmCoreEngine.id) { () throws(LibraryAbsence) in try RealmCoreEngine() },
    entry(NullEngine().id) { () throws(LibraryAbsence) in NullEngine() },
  ]

  private static func entry(
    _ id: String, _ make: @escaping @Sendable () throws(LibraryAbsence) -> any Engine
  ) -> (id: String, find: @Sendable () -> EngineAvailability) {
    (
      id,
      {
        do throws(LibraryAbsence) {
          return .available(try make())
        } catch {
          return .unavailable(id: id, reason: "\(error)")
        }
      }
    )
  }

  static var ids: [String] { entries.map(\.id) }

  /// All engines, absent ones with the reason.
  static var all: [EngineAvailability] { entries.map { $0.find() } }

  /// The engine of that name, or why it cannot be had.
  static func available(_ id: String) throws -> any Engine {
    switch named(id) {
    case .available(let engine): return engine
    case .unavailable(_, let reason): throw RunnerError("engine \(id): \(reason)")
    case nil: throw RunnerError("there is no engine \"\(id)\"")
    }
  }

  /// The engine of that name; nil where there is none of it.
  static func named(_ id: String) -> EngineAvailability? {
    entries.first { $0.id == id }?.find()
  }
}

extension EngineCapabilities {
  /// What a report says of the engine.
  var note: EngineNote {
    func words(_ support: Support) -> String {
      switch support {
      case .supported(let mechanism): mechanism
      case .notApplicable(let reason): "n/a: \(reason)"
      }
    }
    let mechanisms = [
      "never": words(never), "automatic": words(automatic), "on-launch": words(onLaunch),
    ]
    return switch accounting {
    case .exact: EngineNote(summary: summary, isExact: true, mechanisms: mechanisms)
    case .partial(let text):
      EngineNote(summary: summary, isExact: false, accounting: text, mechanisms: mechanisms)
    }
  }
}
