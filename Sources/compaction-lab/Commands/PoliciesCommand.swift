// Lists the forms of policies, and the variables of predicates.
import ArgumentParser
import MetricModel
import Policies
import PredicateLanguage

struct PoliciesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "policies",
    abstract: "Lists the forms of policies, for scenarios and --policy.",
    discussion: "compaction-lab variables lists the variables of predicates.")

  @OptionGroup var output: FormatOption

  func run() {
    guard !output.isJSON else {
      let forms = PolicyForm.all.map { form -> JSON in
        ["text": .text(form.text), "meaning": .text(form.meaning)]
      }
      return Console.print([
        "policies": .list(forms),
        "automatic": .texts(AutomaticPreset.allCases.map(\.rawValue)),
      ])
    }
    let width = PolicyForm.all.map(\.text.count).max() ?? 0
    for form in PolicyForm.all {
      Console.print("\(form.text.padded(to: width))  \(form.meaning)")
    }
  }
}

struct VariablesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "variables",
    abstract: "Lists the variables of predicates and expectations, and the units of numbers.")

  @OptionGroup var output: FormatOption

  func run() {
    guard !output.isJSON else {
      let variables = ObservedVariable.all.map { variable -> JSON in
        [
          "name": .text(variable.name), "aliases": .texts(variable.aliases),
          "unit": .text(variable.unit.text), "meaning": .text(variable.meaning),
        ]
      }
      return Console.print(["variables": .list(variables), "units": .texts(Vocabulary.units)])
    }
    let rows = ObservedVariable.all.map { variable in
      (([variable.name] + variable.aliases).joined(separator: ", "), variable)
    }
    let width = rows.map(\.0.count).max() ?? 0
    let units = rows.map(\.1.unit.text.count).max() ?? 0
    for (names, variable) in rows {
      Console.print(
        "\(names.padded(to: width))  \(variable.unit.text.padded(to: units))  \(variable.meaning)")
    }
    Console.print("\nunits: \(Vocabulary.units.joined(separator: ", "))")
  }
}
