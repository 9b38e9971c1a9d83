// The reference of keys, made from their declarations: Reports/ScenarioKeys.md.

package enum ScenarioManual {
  /// Returns the page.
  package static func text() -> String {
    """
    # Keys of scenario files

    Every key that a scenario may have, with what may be written and what holds where it is left out. This page is made
    from the declarations that the parser reads by; [Scenario files](../Docs/Scenarios.md) explains them with examples.
    ◆ marks amounts of data and work, which `tune --robustness` varies (`x-scalable` in the schema). Values:
    [quantities](#quantities), distributions of [sizes](#distributions-of-sizes) and [keys](#distributions-of-keys),
    [shapes](#shapes), [arrivals](#arrivals), [lifetimes](#lifetimes), [conditions](#conditions-of-expectations).


    """ + (ScenarioKeys.all.map(section) + values).joined(separator: "\n")
  }

  private static func section(_ table: KeyTable) -> String {
    "## `\(table.name)`\n\n| key | value | default | meaning |\n|---|---|---|---|\n"
      + table.keys.map {
        "| `\($0.name)` | \($0.type)\($0.isScalable ? " ◆" : "") | \($0.defaultValue ?? "required") | \($0.meaning) |\n"
      }.joined()
      + renamed(table)
  }

  private static func renamed(_ table: KeyTable) -> String {
    guard !table.renamedKeys.isEmpty else { return "" }
    let pairs = table.renamedKeys.sorted { $0.key < $1.key }
      .map { "`\($0.key)` is now `\($0.value)`" }
    return "\nRenamed: \(listed(pairs, "and")).\n"
  }
}
