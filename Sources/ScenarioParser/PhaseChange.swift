// A client that behaves otherwise in one phase: `run: [writer: { transaction: { insert: 10 } }]`. Gathered before arms
// are read, because an arm has its clients in full, for each phase.
import Yams

struct PhaseChange {
  var phase: String
  var client: String
  /// The keys that differ.
  var keys: Field

  /// The names of the phases; nil where one of them is not written as it should be.
  static func names(_ phases: Field?) -> [String]? {
    let names = phases?.node.sequence?.map { $0.mapping?.first?.key.scalar?.string }
    guard let names, names.allSatisfy({ $0 != nil }) else { return nil }
    return names.compactMap(\.self)
  }

  /// Returns the changes of all phases. Mistakes in them are reported when the phases are read.
  static func all(_ phases: Field?) -> [PhaseChange] {
    guard let phases, let elements = phases.node.sequence else { return [] }
    return elements.flatMap { element -> [PhaseChange] in
      guard let (name, value) = element.mapping?.first, let phase = name.scalar?.string,
        let run = value.mapping?["run"]?.sequence
      else { return [] }
      return run.compactMap { entry in
        guard let pair = entry.mapping?.first, let client = pair.key.scalar?.string else {
          return nil
        }
        let path = "\(phases.path).\(phase).run.\(client)"
        return PhaseChange(
          phase: phase, client: client,
          keys: Field(node: pair.value, path: path, collector: phases.collector))
      }
    }
  }
}
