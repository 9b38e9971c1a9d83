// Reports/Engines says what each engine can be asked. Its tables are made from the adapters' own declarations, so that
// the page cannot say what the code does not do.
import EngineInterface
import Engines
import SystemIO
import Testing

@Suite("The page about the engines")
struct EnginesPageTests {
  private let engines = EngineCatalog.entries.map {
    (id: $0.id.rawValue, capabilities: $0.declared)
  }

  @Test("the tables of Reports/Engines say what the adapters declare")
  func tables() throws {
    for (name, text) in [
      ("policies", policies()), ("numbers", numbers()), ("settings", settings()),
    ] {
      try EnginesPage.hold(name, to: text, filter: "EnginesPageTests")
    }
  }

  /// What each runs with. An engine that keeps nothing has no settings.
  private func settings() -> String {
    let shown = engines.filter { $0.capabilities.keepsRows && !$0.id.hasPrefix("native-") }
    return EnginesPage.table(
      [[""] + shown.map { "`\($0.id)`" }]
        + EngineCapabilities.Setting.allCases.map { setting in
          [setting.rawValue] + shown.map { $0.capabilities.settings[setting] ?? "–" }
        })
  }

  @Test("every engine that keeps data says with what settings it runs, every one of them")
  func allSettings() {
    for engine in engines where engine.capabilities.keepsRows {
      #expect(
        Set(engine.capabilities.settings.keys) == Set(EngineCapabilities.Setting.allCases),
        "\(engine.id)")
    }
  }

  private func policies() -> String {
    table(["policy"] + engines.map { "`\($0.id)`" }) { engines in
      [
        ["never"] + engines.map { cell($0.never) },
        ["automatic"] + engines.map { cell($0.automatic) },
        ["on-launch"] + engines.map { cell($0.onLaunch) },
        ["every-launch"] + engines.map { cell($0.onLaunch) },
        ["automatic + on-launch"] + engines.map { both($0) },
        ["(other processes)"] + engines.map { cell($0.otherProcesses) },
        ["(second opening in a process)"] + engines.map { cell($0.otherOpenings) },
        ["(savepoints)"] + engines.map { cell($0.savepoints) },
        ["(log and checkpoints)"] + engines.map { cell($0.log) },
        ["(bounds and steps of the file)"] + engines.map { cell($0.geometry) },
        ["(shortened on demand)"] + engines.map { cell($0.shortening) },
        ["(busy timeout)"] + engines.map { cell($0.busyTimeout) },
        ["(limit of addresses)"] + engines.map { cell($0.addressLimit) },
        ["(limit of versions)"] + engines.map { cell($0.versionLimit) },
        ["(encryption)"] + engines.map { cell($0.encryption) },
      ]
    }
  }

  private func numbers() -> String {
    table(["engine", "what it is", "space accounting"]) { _ in
      engines.map { engine in
        let capabilities = engine.capabilities
        let accounting =
          switch capabilities.accounting {
          case .exact: "exact"
          case .partial(let text): "partial: \(text)"
          }
        return ["`\(engine.id)`", capabilities.summary, accounting]
      }
    }
  }

  private func cell(_ support: EngineCapabilities.Support) -> String {
    switch support {
    case .supported(let mechanism): mechanism
    case .notApplicable(let reason): "n/a: \(reason)"
    }
  }

  private func both(_ engine: EngineCapabilities) -> String {
    for support in [engine.automatic, engine.onLaunch] where !support.isSupported {
      return cell(support)
    }
    return "both"
  }

  private func table(_ head: [String], _ rows: ([EngineCapabilities]) -> [[String]]) -> String {
    EnginesPage.table([head] + rows(engines.map(\.capabilities)))
  }
}
