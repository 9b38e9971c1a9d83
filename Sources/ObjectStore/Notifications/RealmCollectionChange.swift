// Observing results: the indices of deleted, inserted and modified objects.
import StorageEngine

/// A change of a collection.
public enum RealmCollectionChange<Collection> {
  case initial(Collection)
  /// `deletions` are indices in the collection before the change, the others in the collection after it. An object that
  /// moved is deleted and inserted.
  case update(Collection, deletions: [Int], insertions: [Int], modifications: [Int])
}

extension Results {
  /// Calls `block` with the collection, and then after each change of it.
  public func observe(
    _ block: @escaping (RealmCollectionChange<Results<Element>>) -> Void
  ) -> NotificationToken {
    instance.observe(ResultsObserver(self, block))
  }
}

private final class ResultsObserver<Element: Object>: ChangeObserver {
  var isEnded = false
  private let results: Results<Element>
  private let block: (RealmCollectionChange<Results<Element>>) -> Void
  private var keys: [RowKey] = []

  init(
    _ results: Results<Element>,
    _ block: @escaping (RealmCollectionChange<Results<Element>>) -> Void
  ) {
    self.results = results
    self.block = block
  }

  func deliverInitial(_ instance: OpenRealm) {
    keys = results.keys()
    block(.initial(results))
  }

  func deliverChange(_ instance: OpenRealm, from old: Snapshot?) {
    let before = keys
    keys = results.keys()
    var deletions: [Int] = []
    var insertions: [Int] = []
    for change in keys.difference(from: before) {
      switch change {
      case .remove(let offset, _, _): deletions.append(offset)
      case .insert(let offset, _, _): insertions.append(offset)
      }
    }
    let inserted = Set(insertions)
    let modifications = keys.indices.filter {
      !inserted.contains($0) && instance.isModified(Element.self, keys[$0], since: old)
    }
    guard !deletions.isEmpty || !insertions.isEmpty || !modifications.isEmpty else { return }
    block(
      .update(
        results, deletions: deletions.sorted(), insertions: insertions.sorted(),
        modifications: modifications))
  }
}

extension OpenRealm {
  /// Returns whether a row differs from the version `old`; false if that is not known.
  func isModified(_ type: Object.Type, _ key: RowKey, since old: Snapshot?) -> Bool {
    guard let old, let info = classInfo(for: type) else { return false }
    var before: [UInt8]?
    switch key {
    case .int(let key): _ = try? old.get(info.table, key) { before = Array($0) }
    case .bytes(let key):
      _ = try? withBytes(key) { (key) throws(StorageError) in
        try old.get(info.table, key) { before = Array($0) }
      }
    }
    var isEqual = false
    _ = try? get(info.table, key) { bytes in
      isEqual = before.map { $0.elementsEqual(bytes) } ?? false
    }
    return !isEqual
  }
}
