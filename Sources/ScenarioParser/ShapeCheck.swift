// What does not go together with shapes of rows and migrations.
import MetricModel
import ScenarioModel

struct ShapeCheck {
  let scenario: Scenario
  let tables: Field?
  let phases: Field?
  let clients: Field?

  func report() {
    reportLists()
    reportNames()
    guard scenario.hasModelOfObjects else { return }
    guard let field = firstField else { return }
    if scenario.phases.contains(where: { $0.migration != nil }),
      let table = scenario.tables.first(where: { $0.shape != nil })
    {
      shape(of: table)?.report(
        "a table with a shape is not migrated", hint: "drop shape:, or migrate:")
    }
    if scenario.phases.contains(where: { $0.migration != nil }),
      scenario.phases.contains(where: { $0.newKey == .copy })
    {
      phases?.report(
        "a copy under a new key is opened without its migrations",
        hint: "drop migrate:, or new-key: copy")
    }
    for (what, hint) in obstacles { field.report(what, hint: hint) }
  }

  /// Where the first shape or migration is.
  private var firstField: Field? {
    if let table = scenario.tables.first(where: { $0.shape != nil }) { return shape(of: table) }
    return phases
  }

  private func shape(of table: TableSpec) -> Field? { tables?.member(table.name)?.member("shape") }

  /// What opens the database beside the run, and so would not have its model.
  private var obstacles: [(what: String, hint: String)] {
    var found: [(String, String)] = []
    let model = "a table that has a shape or is migrated"
    if let arm = scenario.arms.first(where: \.hasOtherProcesses) {
      found.append(
        (
          "\(model) is opened by the run alone, and arm \"\(shortened(arm.name))\" has other processes",
          "leave its clients of kind process out, and probes of this database"
        ))
    }
    if scenario.arms.contains(where: { $0.files != nil }) {
      found.append(("\(model) is in one file, and there are several", "drop files:"))
    }
    if !scenario.lifecycle.crashes.isEmpty || !scenario.lifecycle.killedCompactions.isEmpty {
      found.append(
        ("\(model) is opened by the run alone", "drop crash: and compaction-killed:"))
    }
    return found
  }

  /// Reports writers of lists on tables without lists.
  private func reportLists() {
    var reported: Set<String> = []
    for client in scenario.arms.flatMap({ $0.clients + $0.inPhases.values.flatMap(\.self) }) {
      for writer in client.listWriters where reported.insert(client.name).inserted {
        guard let table = scenario.tables.first(where: { $0.name == writer.table }) else {
          continue
        }
        if table.shape == .list { continue }
        clients?.member(client.name)?.report(
          "the rows of table \"\(shortened(table.name))\" have no lists",
          hint: "give the table shape: list, or drop append: and remove-first:")
      }
    }
  }

  /// Reports a table that is called like one in which another's shape is laid out.
  private func reportNames() {
    for table in scenario.tables where table.shape != nil {
      for other in scenario.tables where other.name.hasPrefix(table.name + "_") {
        tables?.member(other.name)?.report(
          "the name is one for rows of table \"\(shortened(table.name))\", which has a shape",
          hint: "give it a name that does not begin with \(shortened(table.name))_")
      }
    }
  }
}

extension ClientSpec {
  /// The writers that append to lists or remove from them.
  fileprivate var listWriters: [WriterSpec] {
    let writer: WriterSpec? =
      switch kind {
      case .writer(let spec): spec
      case .queuedWriters(let spec): spec.writer
      default: nil
      }
    return [writer].compactMap { $0 }.filter { $0.appends != nil || $0.removals != nil }
  }
}
