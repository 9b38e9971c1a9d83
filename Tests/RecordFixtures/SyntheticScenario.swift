// The scenario of the synthetic record: the long reader in small, with the documents' mitigations as arms.
import MetricModel
import Policies
import PredicateLanguage
package import ScenarioModel

package enum SyntheticScenario {
  package static func make() throws -> Scenario {
    let never = Policy.never
    let predicate = try Predicate(
      observed: "totalBytes > 100 MB && usedBytes / totalBytes < 50%")
    let pasted = try Predicate(
      observed: """
        let maxFileSize = 20 * 1024 * 1024
        return (totalBytes > maxFileSize) && (Double(usedBytes) / Double(totalBytes)) < 0.5
        """)
    return Scenario(
      name: "long-reader",
      question: "What does one reader that blocks on a long operation cost while another writes?",
      description: "Thread A reads, then blocks; thread B writes.",
      sources: ["Reduce Realm File Size, \"Threading\""], keywords: ["pins", "growth"], seed: 1,
      tables: [TableSpec(name: "Item", rows: 40_000, valueSize: .fixed(256))],
      arms: [
        ArmSpec(
          name: "blocked", summary: "the reader keeps its snapshot", clients: clients(.holds)),
        ArmSpec(
          name: "invalidated", summary: "invalidate() before blocking",
          clients: clients(.invalidates), policies: ["never"]),
        ArmSpec(
          name: "refreshed", summary: "refresh every 500 commits",
          clients: clients(.refreshes(everyCommits: 500)), policies: ["never"]),
      ],
      phases: [
        PhaseSpec(name: "warm-up", commits: 1000, refill: true, clients: ["writer"]),
        PhaseSpec(name: "pinned", commits: 3000, clients: ["writer", "reader"]),
        PhaseSpec(name: "released", commits: 1000, clients: ["writer"]),
        PhaseSpec(name: "trim", commits: 400, deleteShare: 0.85, clients: ["writer"]),
      ],
      launches: 3,
      policies: [
        never, .automatic, .everyLaunch, .onLaunch(predicate), .onLaunch(pasted),
        .onLaunch(pasted, automatic: true),
      ],
      sampling: SamplingSpec(everyCommits: 100), expectations: try expectations())
  }

  private static func clients(_ whileBlocked: ReaderSpec.WhileBlocked) -> [ClientSpec] {
    [
      ClientSpec(name: "writer", kind: .writer(WriterSpec(table: "Item", updates: 10))),
      ClientSpec(
        name: "reader", kind: .reader(ReaderSpec(table: "Item", whileBlocked: whileBlocked))),
    ]
  }

  private static func expectations() throws -> [Expectation] {
    [
      Expectation(
        text: "plateau", scope: .during(phase: "pinned"), condition: .plateau(variable: "allBytes"),
        engine: "native", arm: "blocked", line: 40),
      Expectation(
        text: "slope > 0", scope: .during(phase: "pinned"),
        condition: .grows(variable: "allBytes"), engine: "sqlite", policy: "never", arm: "blocked",
        line: 41),
      Expectation(
        text: "totalBytes <= 3 * liveBytes within 400 commits", scope: .after(phase: "trim"),
        condition: .eventually(
          try Predicate(observed: "totalBytes <= 3 * liveBytes"), withinCommits: 400),
        policy: "automatic", arm: "blocked", line: 42),
      Expectation(
        text: "totalBytes < 5 MB", scope: .atEnd,
        condition: .always(try Predicate(observed: "totalBytes < 5 MB")), engine: "native",
        policy: "never", arm: "blocked", line: 43),
    ]
  }
}
