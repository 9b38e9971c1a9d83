// Shapes of rows, changes of lists, and migrations in scenario files.
import MetricModel
import ScenarioModel
import ScenarioParser
import Testing

@Suite("Shapes of rows in scenario files")
struct ShapeKeyTests {
  private func parse(
    shape: String = "list", transaction: String = "append: 3, remove-first: 2",
    phase: String = "commits: 200, run: [writer]", adding more: String = ""
  ) throws -> Scenario {
    try ScenarioParser.parse(
      """
      scenario: sample
      question: What does it cost?
      data:
        Item: { rows: 400, value: { size: 256 B }\(shape.isEmpty ? "" : ", shape: \(shape)") }
      clients:
        writer: { kind: writer, transaction: { \(transaction) } }
      phases:
        - work: { \(phase) }
      policies:
        - never
      \(more)

      """, file: "sample.yml")
  }

  private func problems(_ read: () throws -> Scenario) -> [String] {
    do {
      _ = try read()
      return []
    } catch let problems as ScenarioProblems {
      return problems.problems.map(\.message)
    } catch { return ["\(error)"] }
  }

  @Test(
    "a table has links, a list, a tree or indexes, each with its number",
    arguments: [
      ("links 8", RowShape.links(8)), ("list", .list), ("tree of 3", .tree(3)),
      ("indexes 2", .indexes(2)),
    ])
  func shapes(_ text: String, _ shape: RowShape) throws {
    #expect(try parse(shape: text, transaction: "update: 1").tables[0].shape == shape)
  }

  @Test("a table has no shape unless one is given, and a writer changes no list")
  func absent() throws {
    let scenario = try parse(shape: "", transaction: "update: 1")
    #expect(scenario.tables[0].shape == nil)
    #expect(!scenario.hasModelOfObjects)
    guard case .writer(let writer) = scenario.arms[0].clients[0].kind else {
      Issue.record("no writer")
      return
    }
    #expect(writer.appends == nil && writer.removals == nil)
  }

  @Test("a transaction may append to lists and remove from their front, and nothing else")
  func lists() throws {
    guard case .writer(let writer) = try parse().arms[0].clients[0].kind else {
      Issue.record("no writer")
      return
    }
    #expect(writer.appends == 3)
    #expect(writer.removals == 2)
    #expect(writer.updates == 0)
  }

  @Test("a phase may migrate, which is a commit before those of its clients")
  func migrations() throws {
    let scenario = try parse(
      shape: "", transaction: "update: 1",
      phase: "commits: 200, run: [writer], migrate: values", adding: "launches: 3")
    #expect(scenario.phases[0].migration == .values)
    #expect(scenario.migrations(before: 3) == [.values, .values])
    #expect(CommitPlan(scenario, scenario.arms[0]).commits == 603...603)
    let alone = try parse(
      shape: "", transaction: "update: 1",
      phase: "migrate: name }\n  - more: { commits: 1, run: [writer]")
    #expect(alone.phases[0].migration == .name)
  }

  @Test(
    "a mistake is reported as such, and as nothing else",
    arguments: [
      ("links 0", "update: 1", "0 is out of range"),
      ("indexes 5", "update: 1", "5 is out of range"),
      (
        "ring", "update: 1",
        "expected links 50, list, tree of 50 or indexes 50, found \"ring\""
      ),
      ("links 3", "append: 1", "the rows of table \"Item\" have no lists"),
      ("", "remove-first: 1", "the rows of table \"Item\" have no lists"),
    ])
  func mistakes(_ shape: String, _ transaction: String, _ message: String) {
    #expect(problems { try parse(shape: shape, transaction: transaction) } == [message])
  }

  @Test("what else opens the database, or lies in several files, excludes a shape")
  func obstacles() {
    let model = "a table that has a shape or is migrated"
    #expect(
      problems { try parse(adding: "launches: { count: 3, crash: 1 }") }
        == ["\(model) is opened by the run alone"])
    #expect(
      problems { try parse(adding: "arms:\n  - split: { files: 2 }") }
        == ["\(model) is in one file, and there are several"])
    #expect(
      problems { try parse(phase: "commits: 200, run: [writer], migrate: name") }
        == ["a table with a shape is not migrated"])
  }
}
