// The scenarios that ship: they parse, they are what the issue of their being asks for, and the index lists them.
import Foundation
import Policies
import ScenarioModel
import ScenarioParser
import TestSupport
import Testing

@Suite("Shipped scenarios")
struct ShippedScenarioTests {
  static let names = (try? ShippedScenarios.names()) ?? []

  private func parse(_ name: String) throws -> Scenario {
    let path = "Scenarios/\(name).yml"
    return try ScenarioParser.parse(try Repository.text(path), file: path)
  }

  static let catalog = (try? ShippedScenarios.catalog()) ?? []

  @Test(
    "each of the catalog is named as its file, cites reports of its problem, explains it and states what to expect",
    arguments: catalog)
  func isComplete(_ path: String) throws {
    do {
      let scenario = try parse(path)
      #expect(path.hasSuffix("/\(scenario.name)"))
      #expect(scenario.sources.contains { $0.contains("#") })
      #expect(scenario.description.count > 100)
      #expect(scenario.expectations.count >= 5)
      // Small enough that the whole catalog runs in minutes.
      #expect(scenario.clientCommits <= 10_000)
      let again = try JSONDecoder().decode(Scenario.self, from: try JSONEncoder().encode(scenario))
      #expect(again == scenario)
      let full = scenario.sized(.full)
      #expect(full.clientCommits == 10 * scenario.clientCommits)
      #expect(full.tables.map(\.rows) == scenario.tables.map { $0.rows * 10 })
    } catch let problems as ScenarioProblems {
      Issue.record("\(problems)")
    }
  }

  @Test("the documents' three troubles are among them")
  func theDocuments() throws {
    for name in ["long-reader", "dispatch-queue-pinning", "frozen-objects"] {
      #expect(Self.names.contains(name))
    }
  }

  @Test("each parses and is named as its file", arguments: names)
  func parses(_ name: String) throws {
    do {
      #expect(try parse(name).name == name)
    } catch let problems as ScenarioProblems {
      Issue.record("\(problems)")
    }
  }

  @Test(
    "each has 10 MB of data, 10,000 commits, three launches and a deletion of 80 %",
    arguments: names)
  func size(_ name: String) throws {
    let scenario = try parse(name)
    let bytes = scenario.tables.reduce(0.0) { $0 + Double($1.rows) * $1.valueSize.mean }
    #expect(bytes >= 10_000_000)
    #expect(scenario.clientCommits == 10_000)
    #expect(scenario.launches >= 3)
    #expect(scenario.phases.contains { $0.deleteShare >= 0.8 })
  }

  @Test("after the deletion there are commits in that launch, and another launch", arguments: names)
  func afterTheDeletion(_ name: String) throws {
    let scenario = try parse(name)
    let deletion = try #require(scenario.phases.firstIndex { $0.deleteShare >= 0.8 })
    let launch = try #require(scenario.phases[deletion].onlyInLaunches?.first)
    let later = scenario.phases[deletion...].filter { $0.isActive(inLaunch: launch) }
    #expect(later.reduce(0) { $0 + $1.commits } >= 500)
    #expect(launch < scenario.launches)
  }

  @Test("each asks every kind of policy", arguments: names)
  func policies(_ name: String) throws {
    let policies = try parse(name).policies
    #expect(policies.contains(.never))
    #expect(policies.contains(.automatic))
    #expect(policies.contains { !$0.automatic && $0.onLaunch == .always })
    #expect(policies.contains { !$0.automatic && $0.isConditional })
    #expect(policies.contains { $0.automatic && $0.isConditional })
  }

  @Test("a scenario survives being saved and read again", arguments: names)
  func roundTrip(_ name: String) throws {
    let scenario = try parse(name)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let data = try encoder.encode(scenario)
    let again = try JSONDecoder().decode(Scenario.self, from: data)
    #expect(again == scenario)
    #expect(try encoder.encode(again) == data)
  }
}

extension Policy {
  fileprivate var isConditional: Bool {
    if case .when = onLaunch { true } else { false }
  }
}
