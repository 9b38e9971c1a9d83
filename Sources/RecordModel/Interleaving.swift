// The order of the turns of a run's clients, as editable text: to replay step by step a growth that was seen on real
// threads.

package struct Interleaving: Sendable, Codable, Equatable {
  /// Consecutive turns of one client.
  package struct Turn: Sendable, Codable, Equatable {
    package var client: String
    package var count: Int

    package init(client: String, count: Int) {
      self.client = client
      self.count = count
    }
  }

  package struct Phase: Sendable, Codable, Equatable {
    package var launch: Int
    package var name: String
    package var turns: [Turn] = []

    package init(launch: Int, name: String, turns: [Turn] = []) {
      self.launch = launch
      self.name = name
      self.turns = turns
    }
  }

  package var phases: [Phase]

  package init(phases: [Phase] = []) { self.phases = phases }

  package mutating func beginPhase(launch: Int, name: String) {
    phases.append(Phase(launch: launch, name: name))
  }

  package mutating func addTurn(of client: String) {
    guard let phase = phases.indices.last else {
      preconditionFailure("a client took a turn before there was a phase")
    }
    if let last = phases[phase].turns.indices.last, phases[phase].turns[last].client == client {
      phases[phase].turns[last].count += 1
    } else {
      phases[phase].turns.append(Turn(client: client, count: 1))
    }
  }

  /// Returns the turns of a phase; nil if the phase was not recorded.
  package func turns(launch: Int, phase: String) -> [Turn]? {
    phases.first { $0.launch == launch && $0.name == phase }?.turns
  }

  // MARK: Text

  private static let head = "compaction-lab interleaving 1"

  /// A line for each phase (`phase 1 pinned`) and each run of turns (`37 writer`); `#` begins a remark.
  package func text(about remarks: [String] = []) -> String {
    var lines = [Self.head] + remarks.map { "# \($0)" }
    for phase in phases {
      lines.append("phase \(phase.launch) \(phase.name)")
      lines += phase.turns.map { "\($0.count) \($0.client)" }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Reads what `text` wrote. Errors name the line.
  package init(parsing text: String) throws(RecordError) {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
      .makeIterator()
    guard let first = lines.next(), first.element == Self.head else {
      throw RecordError(
        code: .malformed,
        message: "line 1: this is not an interleaving, whose first line is \"\(Self.head)\"")
    }
    phases = []
    while let (index, line) = lines.next() {
      if line.isEmpty || line.hasPrefix("#") { continue }
      let words = line.split(separator: " ", maxSplits: 1).map(String.init)
      if words.first == "phase", words.count == 2 {
        let parts = words[1].split(separator: " ", maxSplits: 1).map(String.init)
        guard parts.count == 2, let launch = Int(parts[0]), launch > 0 else {
          throw RecordError(
            code: .malformed, message: "line \(index + 1): expected phase, a launch and a name")
        }
        beginPhase(launch: launch, name: parts[1])
      } else if words.count == 2, let count = Int(words[0]), (1...10_000_000).contains(count),
        !phases.isEmpty
      {
        phases[phases.count - 1].turns.append(Turn(client: words[1], count: count))
      } else {
        throw RecordError(
          code: .malformed,
          message:
            "line \(index + 1): expected a phase, or a number of turns and a client after one")
      }
    }
  }
}
