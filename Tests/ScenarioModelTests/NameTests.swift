// What may be the name of a scenario, and of all else that has one.
import ScenarioModel
import Testing

@Suite("Names")
struct NameTests {
  @Test(
    "a scenario's name is words of lowercase letters and digits, joined by single hyphens",
    arguments: ["a", "long-reader", "2-pins", String(repeating: "a", count: 80)])
  func valid(_ name: String) {
    #expect(ScenarioName.isValid(name))
    #expect(ScenarioName.isValidInRecord(name + ScenarioName.replaySuffix))
  }

  @Test(
    "nothing that leads elsewhere, or is no plain word, is a scenario's name",
    arguments: [
      "", ".", "..", "../esc", "/esc", "a/b", "a\\b", "a b", "A", "a.b", "-a", "a-", "a--b", "ä",
      "a\u{0}", "a\n", "é", "١", "a\u{301}",
    ])
  func invalid(_ name: String) {
    #expect(!ScenarioName.isValid(name))
    #expect(!ScenarioName.isValidInRecord(name))
  }

  @Test("the longest name leaves room for that of its replay, and for no more")
  func length() {
    let name = String(repeating: "a", count: 81)
    #expect(!ScenarioName.isValid(name))
    #expect(!ScenarioName.isValidInRecord(name + ScenarioName.replaySuffix))
  }

  @Test("other names are any one line of text")
  func labels() {
    for name in ["never", "on-launch: totalBytes > 20 MB", "Größe", "../a", "null"] {
      #expect(Label.isValid(name), "\(name)")
    }
    for name in ["", "a\nb", "a\r\nb", "a\u{7}", "\u{1B}[2J", "a\u{2028}b", "a\u{85}"] {
      #expect(!Label.isValid(name), "\(name.debugDescription)")
    }
  }

  @Test("of a scenario the first name that is none is found, wherever it is")
  func first() throws {
    let scenario = Scenario(
      name: "sample", question: "?",
      tables: [TableSpec(name: "Item", rows: 10, valueSize: .fixed(8))],
      arms: [
        ArmSpec(
          name: "all",
          clients: [ClientSpec(name: "reader", kind: .reader(ReaderSpec(table: "Item")))]
        )
      ],
      phases: [PhaseSpec(name: "first", commits: 5, clients: ["reader"])], policies: [.never])
    #expect(scenario.invalidName == nil)
    let changes: [(String, (inout Scenario) -> Void)] = [
      ("scenario", { $0.name = "../x" }), ("engine", { $0.engines = ["a\n"] }),
      ("policy", { $0.policies[0].name = "\n" }), ("arm", { $0.arms[0].name = "\n" }),
      ("table", { $0.tables[0].name = "\n" }), ("client", { $0.arms[0].clients[0].name = "\n" }),
      (
        "client",
        {
          $0.arms[0].inPhases["first"] = $0.arms[0].clients.map { client in
            var client = client
            client.name = "\u{1B}"
            return client
          }
        }
      ),
      ("phase", { $0.phases[0].name = "\n" }),
    ]
    for (kind, change) in changes {
      var other = scenario
      change(&other)
      #expect(other.invalidName?.kind == kind)
    }
  }
}
