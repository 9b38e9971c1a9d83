// What the rows of a table have besides their bytes, and what a migration changes, in sentences.
import MetricModel

extension RowShape {
  var words: String {
    switch self {
    case .links(let count):
      "each links to at most \(rows(count)) of the table, chosen anew by each update"
    case .list: "each has a list of integers, which begins empty"
    case .tree(let width):
      "each has \(counted(width, "embedded object")), and each of these \(grouped(width)) more, "
        + "\(grouped(Self.treeNodes(width))) in all, replaced by each update"
    case .indexes(let count):
      "each has \(counted(count, "indexed integer column")), with new values in each update"
    }
  }
}

extension RowMigration {
  var words: String {
    switch self {
    case .values: "a migration moves all values to a new property in one transaction"
    case .name: "a migration gives the property of the values another name in one transaction"
    }
  }
}
