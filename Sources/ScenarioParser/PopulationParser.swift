// Reads a population file: the text in, a population or every mistake in it out. Docs/Fleets.md describes the language.
package import FleetModel
import ScenarioModel

package enum PopulationParser {
  /// Reads a population. `file` is how messages name the text; `companion` returns the text of a file in the population's
  /// folder by its name.
  package static func parse(
    _ text: String, file: String, companion: @escaping (String) throws -> String
  ) throws(ScenarioProblems) -> Population {
    let (root, collector) = try YAMLDocument.open(text, file: file, companion: companion)
    let population = read(Field(node: root, path: "", collector: collector))
    let problems = collector.sorted
    guard problems.isEmpty else { throw ScenarioProblems(problems) }
    guard let population else { preconditionFailure("A file without mistakes is a population.") }
    return population
  }

  private static func read(_ root: Field) -> Population? {
    guard let draft = PopulationKeys.population.read(root)?.model else { return nil }
    if !draft.name.isEmpty, !ScenarioName.isValid(draft.name) {
      root.member("population")?.report(
        "\"\(shortened(draft.name))\" is no name in kebab-case", hint: ScenarioName.rule)
    }
    let fields = draft.groups?.namedMapping("group") ?? []
    let groups = fields.compactMap { name, value -> DeviceGroup? in
      guard var group = PopulationKeys.group.read(value)?.model else { return nil }
      group.name = name.keyText
      return group
    }
    let population = Population(
      name: draft.name, source: draft.source, seed: draft.seed, groups: groups)
    guard root.collector.count == 0, let flaw = population.flaw else { return population }
    let group = fields.first { $0.name.keyText == flaw.group }?.value
    let node = flaw.key.flatMap { group?.member($0) } ?? group ?? root
    node.report(flaw.message, hint: flaw.remedy)
    return nil
  }
}
