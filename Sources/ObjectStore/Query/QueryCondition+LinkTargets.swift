// Which conditions backlinks serve: that a link leads to given objects, that a collection contains them, and what an index or
// the primary key of the linked class serves.
import StorageEngine

extension QueryCondition {
  /// Returns the column whose backlinks lead to all rows that match, and to no others, from which rows they are read, and the
  /// plan's rank of that; nil if there is none.
  func linkTargets(
    _ info: ClassInfo, _ instance: OpenRealm
  ) -> (column: Int, targets: LinkTargets, rank: Int)? {
    switch self {
    case .compare(let column, _, _), .contained(let column, _):
      return linkedKeys(column).map { (column, .keys($0), 1) }
    case .linked(let step, let condition):
      guard step.kind == .link || step.kind == .elements else { return nil }
      guard let target = step.target else {
        return condition.linkedKeys(0).map { (step.column, .keys($0), 1) }
      }
      return condition.foundTargets(target, instance, canBeNull: step.canLeadToNull(info))
        .map { (step.column, $0, $1) }
    case .always, .text, .computed, .and, .or, .not: return nil
    }
  }

  /// The keys of the objects that the column must link to; nil if these are not known.
  private func linkedKeys(_ column: Int) -> [RowKey]? {
    let values: [ColumnValue]
    switch self {
    case .compare(column, .equal, let value): values = [value]
    case .contained(column, let members): values = Array(members)
    default: return nil
    }
    var keys: [RowKey] = []
    for value in values {
      guard case .link(let key) = value else { return nil }
      keys.append(key)
    }
    return keys.isEmpty ? nil : keys
  }

  /// The rows of the linked class that match, if an index or a key leads to them.
  private func foundTargets(
    _ target: ObjectClass, _ instance: OpenRealm, canBeNull: Bool
  ) -> (LinkTargets, rank: Int)? {
    // An object that links to nothing has no backlink.
    guard !canBeNull || !matches(LinkedRow.value(.null)),
      let info = instance.classInfo(for: target.type)
    else { return nil }
    let plan = QueryPlan(self, sortedFirstBy: nil, info, instance)
    if case .scan = plan.access { return nil }
    return (.found(info, plan), max(1, plan.rank))
  }
}

extension LinkStep {
  fileprivate func canLeadToNull(_ info: ClassInfo) -> Bool {
    kind == .link || info.schema.columns[column].collection?.form == .map
  }
}
