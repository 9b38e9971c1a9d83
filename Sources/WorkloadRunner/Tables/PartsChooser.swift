// Draws what rows have besides their bytes.
import EngineInterface
import Generators
import MetricModel

/// Draws the parts of the rows of one stream of operations. Their draws shift no others.
struct PartsChooser {
  private let shape: RowShape
  private var targets: KeyChooser
  private var numbers: RandomStream
  private var nodes: ValueWriter

  /// `targets` draws the rows that links lead to, `numbers` the values of columns, `nodes` the bytes of embedded objects.
  init(_ shape: RowShape, targets: KeyChooser, numbers: RandomStream, nodes: ValueWriter) {
    self.shape = shape
    self.targets = targets
    self.numbers = numbers
    self.nodes = nodes
  }

  /// The values of an indexed column: 28 bits, so that most differ.
  static let columnValues = 1 << 28

  /// Returns the next row's parts. Links lead to rows that `model` has, or to the row itself; one that is drawn twice is
  /// there once.
  mutating func next(_ key: Int64, among rows: borrowing KeySet, _ model: ShapeModel) -> RowParts {
    switch shape {
    case .list: return .list([])
    case .indexes(let count):
      return .columns((0..<count).map { _ in Int64(numbers.next(below: Self.columnValues)) })
    case .tree(let width):
      return .tree((0..<RowShape.treeNodes(width)).map { _ in Array(nodes.next()) })
    case .links(let count):
      var found: [Int64] = []
      for _ in 0..<count {
        let target = rows.key(rank: targets.next(rows: rows.count))
        if target == key || model.contains(target), !found.contains(target) {
          found.append(target)
        }
      }
      return .links(found)
    }
  }
}
