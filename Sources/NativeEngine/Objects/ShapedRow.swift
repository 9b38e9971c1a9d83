// Rows with links, lists, embedded objects and indexed columns, as classes of the object store: one class of each shape.
import EngineInterface
import Foundation
import MetricModel
import ObjectStore

final class LinkedRow: ValueRow {
  @Persisted var links: List<LinkedRow>
}

final class ListRow: ValueRow {
  @Persisted var list: List<Int>
}

final class TreeRow: ValueRow {
  @Persisted var children: List<TreeChild>
}

final class TreeChild: EmbeddedObject {
  @Persisted var bytes: Data
  @Persisted var leaves: List<TreeLeaf>
}

final class TreeLeaf: EmbeddedObject {
  @Persisted var bytes: Data
}

class IndexedRow1: ValueRow {
  @Persisted(indexed: true) var column0: Int
  var columns: [Int] { [column0] }
}

class IndexedRow2: IndexedRow1 {
  @Persisted(indexed: true) var column1: Int
  override var columns: [Int] { [column0, column1] }
}

class IndexedRow3: IndexedRow2 {
  @Persisted(indexed: true) var column2: Int
  override var columns: [Int] { [column0, column1, column2] }
}

class IndexedRow4: IndexedRow3 {
  @Persisted(indexed: true) var column3: Int
  override var columns: [Int] { [column0, column1, column2, column3] }
}

extension RowClass {
  /// The class for rows of a shape; nil for more columns than there is a class for.
  init?(_ shape: RowShape) {
    switch shape {
    case .links: self.init(LinkedRow.self)
    case .list: self.init(ListRow.self)
    case .tree:
      self.init(TreeRow.self)
      embedded = [TreeChild.self, TreeLeaf.self]
    case .indexes(1): self.init(indexed: IndexedRow1.self, [{ $0.column0 == $1 }])
    case .indexes(2):
      self.init(indexed: IndexedRow2.self, [{ $0.column0 == $1 }, { $0.column1 == $1 }])
    case .indexes(3):
      self.init(
        indexed: IndexedRow3.self,
        [{ $0.column0 == $1 }, { $0.column1 == $1 }, { $0.column2 == $1 }])
    case .indexes(4):
      self.init(
        indexed: IndexedRow4.self,
        [
          { $0.column0 == $1 }, { $0.column1 == $1 }, { $0.column2 == $1 }, { $0.column3 == $1 },
        ])
    case .indexes: return nil
    }
    ownName = String(describing: type)
  }

  /// `conditions` compare each indexed column with a value.
  private init<Row: IndexedRow1>(
    indexed type: Row.Type, _ conditions: [@Sendable (Query<Row>, Int) -> Query<Bool>]
  ) {
    self.init(type)
    keys = { realm, column, value in
      realm.objects(Row.self).where { conditions[column]($0, value) }.map { Int64($0.key) }.sorted()
    }
  }
}

extension RowShape {
  /// The indexed columns that a class of the object store has at most.
  static let maxObjectIndexes = 4
}

// MARK: Parts

extension RowObject {
  /// What the row has besides its bytes; nil for a class without a shape.
  var parts: RowParts? {
    if let row = self as? LinkedRow { return .links(row.links.map { Int64($0.key) }.sorted()) }
    if let row = self as? ListRow { return .list(row.list.map { Int64($0) }) }
    if let row = self as? TreeRow { return .tree(row.nodes) }
    if let row = self as? IndexedRow1 { return .columns(row.columns.map { Int64($0) }) }
    return nil
  }
}

extension TreeRow {
  /// The bytes of each child, followed by those of its leaves.
  fileprivate var nodes: [[UInt8]] {
    var nodes: [[UInt8]] = []
    for child in children {
      nodes.append(Array(child.bytes))
      for leaf in child.leaves { nodes.append(Array(leaf.bytes)) }
    }
    return nodes
  }

  /// Replaces the tree: each child, followed by its leaves.
  func replaceTree(_ nodes: [[UInt8]]) {
    children.replaceSubrange(0..<children.count, with: Self.children(of: nodes))
  }

  private static func children(of nodes: [[UInt8]]) -> [TreeChild] {
    // n children of n leaves each are n + n² nodes.
    let leafCount = (0...nodes.count).first { RowShape.treeNodes($0) >= nodes.count } ?? 0
    return stride(from: 0, to: nodes.count, by: leafCount + 1).map { first in
      let child = TreeChild()
      child.bytes = Data(nodes[first])
      child.leaves.append(
        objectsIn: nodes[(first + 1)..<(first + 1 + leafCount)].map { bytes in
          let leaf = TreeLeaf()
          leaf.bytes = Data(bytes)
          return leaf
        })
      return child
    }
  }
}
