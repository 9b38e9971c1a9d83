// A fitted scenario as a file, with what speaks for each number in a comment above it.
import Generators
import MetricModel
import ScenarioModel
import TextEscaping

extension FittedScenario {
  /// The text of the scenario's file. `head` are lines of a comment at its beginning.
  package func text(head: [String] = []) -> String {
    var lines = ["# yaml-language-server: $schema=scenario.schema.json"]
    lines += (head + notes).map { "# \($0)" }
    lines += [
      "scenario: \(name)",
      "question: \(Self.scalar(question))",
      "description: \(Self.scalar(description))",
      "source:",
    ]
    lines += sources.map { "  - \(Self.scalar($0))" }
    lines.append("keywords: [fitted]")
    lines.append("seed: \(seed)")
    if isDurable { lines.append("durability: full") }
    lines += [""] + dataLines + [""] + clientLines
    if deletedRows != .spread {
      lines += [
        "", "arms:", "  - recorded:",
        "      summary: the rows that are deleted in bulk are as in the traces",
        "      deleted-rows: \(deletedRows.rawValue)",
      ]
    }
    lines += [""] + phaseLines
    lines += [
      "", "engines: [native, lmdb, sqlite]", "", "policies: [never, automatic, every-launch]", "",
      "sample: { every: \(Notation.number(sampleEveryCommits)) commits }",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  private var dataLines: [String] {
    ["data:"]
      + tables.flatMap { table in
        Self.comments(table.evidence) + [
          "  \(Self.scalar(table.spec.name)): { rows: \(Notation.number(table.spec.rows)), "
            + "value: { size: \(table.spec.valueSize.written) } }"
        ]
      }
  }

  private var clientLines: [String] {
    guard !clients.isEmpty else { return ["clients: {}"] }
    return ["clients:"]
      + clients.flatMap { client in
        Self.comments(client.evidence) + [
          "  \(Self.scalar(client.spec.name)): { \(client.spec.written(tables: tables.count)) }"
        ]
      }
  }

  private var phaseLines: [String] {
    var lines = ["phases:"]
    for phase in phases {
      lines += Self.comments(phase.evidence)
      lines.append("  - \(Self.scalar(phase.spec.name)): { \(phase.spec.written) }")
    }
    lines.append("# \(launches.evidence)")
    if launches.count == 1 {
      lines.append("launches: 1")
    } else {
      let gap = Notation.time(launches.gap)
      let spread =
        launches.gapSigmaPermille == 0
        ? gap
        : "log-normal \(gap) sigma \(Notation.decimal(Double(launches.gapSigmaPermille) / 1000, 3))"
      lines.append("launches: { count: \(Notation.number(launches.count)), gap: \(spread) }")
    }
    return lines
  }

  private static func comments(_ evidence: [String]) -> [String] {
    evidence.filter { !$0.isEmpty }.map { "  # \($0)" }
  }

  /// Returns the text as YAML has it: in quotes, unless it is a plain word.
  static func scalar(_ text: String) -> String {
    let words: Set<String> = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"]
    let isPlain =
      !words.contains(text.lowercased()) && text.first?.isLetter == true
      && text.unicodeScalars.allSatisfy { scalar in
        scalar.isASCII
          && (scalar.properties.isAlphabetic || "0123456789_-".unicodeScalars.contains(scalar))
      }
    return isPlain ? text : text.jsonQuoted
  }
}

extension PhaseSpec {
  fileprivate var written: String {
    var parts: [String] = []
    if refill { parts.append("refill: true") }
    if deleteShare > 0 { parts.append("delete: \(Notation.decimal(deleteShare * 100, 4)) %") }
    if deleteBatch != 1000, refill || deleteShare > 0 {
      parts.append("batch: \(Notation.number(deleteBatch))")
    }
    if idle > .zero { parts.append("idle: \(Notation.time(idle))") }
    if checksReaders { parts.append("check-readers: true") }
    if commits > 0 { parts.append("commits: \(Notation.number(commits))") }
    if !clients.isEmpty {
      parts.append("run: [\(clients.map(FittedScenario.scalar).joined(separator: ", "))]")
    }
    if let onlyInLaunches { parts.append("launches: \(Self.launches(onlyInLaunches))") }
    return parts.joined(separator: ", ")
  }

  private static func launches(_ numbers: [Int]) -> String {
    guard let first = numbers.first, let last = numbers.last, numbers.count > 1 else {
      return String(numbers.first ?? 1)
    }
    if last - first == numbers.count - 1 { return "\(first) to \(last)" }
    return "[\(numbers.map(String.init).joined(separator: ", "))]"
  }
}
