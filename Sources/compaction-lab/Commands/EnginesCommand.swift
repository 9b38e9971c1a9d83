// Lists the engines of this machine, and what each can do.
import ArgumentParser
import EngineInterface

struct EnginesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "engines", abstract: "Lists the engines, what each can do, and why one is absent.")

  @OptionGroup var libraries: EngineLibraries

  func run() {
    for engine in EngineCatalog.all {
      switch engine {
      case .available(let engine): Console.print(Self.describe(engine.id, engine.capabilities))
      case .unavailable(let id, let reason):
        Console.print("\(id): not available\n  \(reason)")
      }
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
