// Docs/Engines.md says what each engine can be asked. Its tables are made from the adapters' own declarations, so that
// the page cannot say what the code does not do. UPDATE_GOLDEN=1 writes them anew.
import EngineInterface
import Glibc
import MDBXEngine
import NullEngine
import RealmCoreEngine
import SystemIO
import Testing

@Suite("The page about the engines")
struct EnginesPageTests {
  /// What the adapters of libmdbx and Realm Core declare is the same without their libraries.
  private let engines: [(id: String, capabilities: EngineCapabilities)] =
    EngineUnderTest.all.map { ($0.engine.id, $0.engine.capabilities) }
    .filter { ![MDBXEngine.id, RealmCoreEngine.id].contains($0.0) }
    + [
      (MDBXEngine.id, MDBXEngine.capabilities(version: "")),
      (RealmCoreEngine.id, RealmCoreEngine.declared), (NullEngine().id, NullEngine().capabilities),
    ]

  @Test("the tables of Docs/Engines.md say what the adapters declare")
  func tables() throws {
    let path = FilePath(#filePath).removingLastComponent().removingLastComponent()
      .removingLastComponent().appending("Docs").appending("Engines.md")
    let page = try FileSystem.readText(path)
    let generated = try replaced(
      "numbers", numbers(), in: replaced("policies", policies(), in: page))
    if getenv("UPDATE_GOLDEN") != nil {
      try FileSystem.write(text: generated, to: path)
    } else {
      #expect(page == generated, "run UPDATE_GOLDEN=1 swift test --filter EnginesPageTests")
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
        ["(checkpoints)"] + engines.map { cell($0.log) },
        ["(bounds and steps of the file)"] + engines.map { cell($0.geometry) },
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
    let lines = [head, head.map { _ in "---" }] + rows(engines.map(\.capabilities))
    return lines.map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
  }

  /// The page with what stands between the two marks of that name replaced.
  private func replaced(_ name: String, _ text: String, in page: String) throws -> String {
    let begin = "<!-- \(name): begin -->\n"
    let end = "<!-- \(name): end -->"
    let from = try #require(page.firstRange(of: begin), "\(begin) is missing")
    let to = try #require(page.firstRange(of: end), "\(end) is missing")
    return page[..<from.upperBound] + text + page[to.lowerBound...]
  }
}
