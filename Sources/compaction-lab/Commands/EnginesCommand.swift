// Lists the engines and their capabilities on this machine.
import ArgumentParser
import EngineInterface
import Engines
import RecordModel

struct EnginesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "engines",
    abstract: "Lists the engines with their capabilities, or why one is not available.")

  @OptionGroup var libraries: EngineLibraries
  @OptionGroup var output: FormatOption

  func run() {
    guard !output.isJSON else {
      return Console.print(["engines": .list(EngineCatalog.all.map(Self.json))])
    }
    for engine in EngineCatalog.all {
      switch engine {
      case .available(let engine): Console.print(Self.describe(engine.id, engine.capabilities))
      case .unavailable(let id, let reason):
        Console.print("\(id): not available\n  \(reason)")
      }
    }
  }

  private static func json(_ engine: EngineAvailability) -> JSON {
    switch engine {
    case .unavailable(let id, let reason):
      return [
        "id": .text(id), "available": false, "reason": .text(reason), "summary": nil,
        "version": nil, "exactSpace": nil, "spaceNote": nil, "automatic": nil, "onLaunch": nil,
      ]
    case .available(let engine):
      let note = engine.capabilities.note
      return [
        "id": .text(engine.id), "available": true, "reason": nil,
        "summary": .text(note.summary), "version": .text(engine.capabilities.version),
        "exactSpace": .bool(note.isExact), "spaceNote": .text(note.accounting),
        "automatic": json(engine.capabilities.automatic),
        "onLaunch": json(engine.capabilities.onLaunch),
      ]
    }
  }

  private static func json(_ support: EngineCapabilities.Support) -> JSON {
    switch support {
    case .supported(let mechanism): ["supported": true, "note": .text(mechanism)]
    case .notApplicable(let reason): ["supported": false, "note": .text(reason)]
    }
  }

  private static func describe(_ id: String, _ capabilities: EngineCapabilities) -> String {
    let accounting =
      switch capabilities.accounting {
      case .exact: "exact"
      case .partial(let text): text
      }
    return """
      \(id): \(capabilities.summary) (\(capabilities.version))
        space accounting: \(accounting)
        automatic: \(describe(capabilities.automatic))
        on launch: \(describe(capabilities.onLaunch))
      """
  }

  private static func describe(_ support: EngineCapabilities.Support) -> String {
    switch support {
    case .supported(let mechanism): mechanism
    case .notApplicable(let reason): "n/a: \(reason)"
    }
  }
}
