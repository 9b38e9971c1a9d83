// Compares all that rows have besides their bytes with what was written, at the end of each launch.
import EngineInterface
import MetricModel

struct ShapeAudit {
  let engine: any Engine
  let session: any EngineSession

  /// Error `corrupt` for the first row of which something is missing, or that has something more.
  func check(_ tables: [TableState]) throws(EngineError) {
    let shaped = tables.filter { $0.shaped != nil && $0.storesRows }
    guard !shaped.isEmpty else { return }
    let snapshot = try session.beginSnapshot(label: "checking the shapes of rows")
    defer { snapshot.end() }
    for state in shaped {
      guard let table = state.shaped else { continue }
      try check(state, table, snapshot)
      try checkFurtherRows(state, table, snapshot)
    }
  }

  private func check(
    _ state: TableState, _ table: ShapedTable, _ snapshot: any EngineSnapshot
  ) throws(EngineError) {
    let model = state.model
    for rank in 0..<state.keys.count {
      let key = state.keys.key(rank: rank)
      guard let found = try table.parts(snapshot, key) else {
        throw failure("row \(key) of table \(state.spec.name) is lost")
      }
      guard found.isWhat(model, key) else {
        throw failure(
          "row \(key) of table \(state.spec.name) does not have the \(table.shape.words) that were written: "
            + "it has \(found.count)")
      }
      if case .columns(let values) = found {
        for (column, value) in values.enumerated() {
          let keys = try table.keys(snapshot, column: column, equalTo: value)
          guard keys.contains(key), keys.allSatisfy({ model.columns[$0]?[column] == value }) else {
            throw failure(
              "the index of column \(column) of table \(state.spec.name) is wrong for the value \(value)"
            )
          }
        }
      }
      if case .links = found, let layout = table.layout {
        guard try layout.sources(snapshot, key) == model.sources[key] ?? [] else {
          throw failure("the links to row \(key) of table \(state.spec.name) are wrong")
        }
      }
    }
  }

  /// Checks that no row is left of parts that no longer exist.
  private func checkFurtherRows(
    _ state: TableState, _ table: ShapedTable, _ snapshot: any EngineSnapshot
  ) throws(EngineError) {
    guard let layout = table.layout else { return }
    let names = RowLayout.names(layout.shape, of: state.spec.name)
    for (offset, name) in names.enumerated() {
      let (found, expected) = (
        try snapshot.count(layout.first + offset), state.model.partCount(layout.shape)
      )
      guard found == expected else {
        throw failure("table \(name) has \(found) rows of \(expected)")
      }
    }
  }

  private func failure(_ message: String) -> EngineError {
    EngineError(engine: engine.id, code: .corrupt, message: message)
  }
}

extension RowParts {
  /// Whether these are the parts that a row has in the model.
  fileprivate func isWhat(_ model: ShapeModel, _ key: Int64) -> Bool {
    switch self {
    case .links(let targets): targets == model.links[key]
    case .columns(let values): values == model.columns[key]
    case .tree(let nodes): ShapeModel.digest(nodes) == model.trees[key]
    case .list(let elements):
      elements == model.lists[key].map { $0.map { ShapeModel.element(key, at: $0) } }
    }
  }

  fileprivate var count: Int {
    switch self {
    case .links(let parts), .list(let parts), .columns(let parts): parts.count
    case .tree(let nodes): nodes.count
    }
  }
}

extension RowShape {
  fileprivate var words: String {
    switch self {
    case .links: "links"
    case .list: "elements of its list"
    case .tree: "embedded objects"
    case .indexes: "columns"
    }
  }
}

extension ShapeModel {
  /// The rows that the parts of all rows take in each of a layout's tables.
  fileprivate func partCount(_ shape: RowShape) -> Int {
    switch shape {
    case .links: links.values.reduce(0) { $0 + $1.count }
    case .list: lists.values.reduce(0) { $0 + $1.count }
    case .tree(let width): trees.count * RowShape.treeNodes(width)
    case .indexes(let count): columns.count * count
    }
  }
}
