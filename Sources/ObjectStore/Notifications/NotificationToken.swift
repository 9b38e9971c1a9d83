// Telling those who asked what changed. Differences are taken when the instance moves to another version, with both at
// hand: no version is pinned for an observer in between.
import Foundation
import StorageEngine

/// Observing goes on until the token is invalidated or let go.
public final class NotificationToken {
  private weak var instance: OpenRealm?
  fileprivate let observer: any ChangeObserver

  init(_ instance: OpenRealm, _ observer: any ChangeObserver) {
    self.instance = instance
    self.observer = observer
  }

  deinit { observer.isEnded = true }

  public func invalidate() {
    observer.isEnded = true
    instance?.observers.removeEnded()
  }
}

/// What was asked to be told.
protocol ChangeObserver: AnyObject {
  var isEnded: Bool { get set }
  /// Called once, before everything else.
  func begin(_ instance: OpenRealm)
  /// Called when the instance has moved, with what it saw before where that is known.
  func notice(_ instance: OpenRealm, from old: Snapshot?)
}

/// The observers of an instance.
struct ObserverList {
  private var observers: [any ChangeObserver] = []
  private var waiting: [any ChangeObserver] = []

  var isEmpty: Bool { observers.isEmpty && waiting.isEmpty }

  mutating func add(_ observer: any ChangeObserver) { waiting.append(observer) }

  mutating func removeEnded() {
    observers.removeAll(where: \.isEnded)
    waiting.removeAll(where: \.isEnded)
  }

  mutating func end() {
    observers = []
    waiting = []
  }

  fileprivate mutating func takeWaiting() -> [any ChangeObserver] {
    removeEnded()
    defer { waiting = [] }
    observers += waiting
    return waiting
  }

  fileprivate var all: [any ChangeObserver] { observers }
}

extension OpenRealm {
  func observe(_ observer: any ChangeObserver) -> NotificationToken {
    observers.add(observer)
    scheduleRefresh()
    return NotificationToken(self, observer)
  }

  /// Lets those who have just come know what there is.
  func deliverInitial() {
    for observer in observers.takeWaiting() where !observer.isEnded { observer.begin(self) }
  }

  /// Tells what is different from `old`.
  func notify(from old: Snapshot?, except silent: [NotificationToken] = []) {
    guard !observers.isEmpty else { return }
    let known = observers.all
    deliverInitial()
    for observer in known where !observer.isEnded {
      if silent.contains(where: { $0.observer === observer }) { continue }
      observer.notice(self, from: old)
    }
    observers.removeEnded()
  }
}

// MARK: What can be observed

/// Why a realm's observer is called.
public enum RealmNotification: String, Sendable {
  /// The instance has moved to another version.
  case didChange = "RLMRealmDidChangeNotification"
}

final class WholeRealmObserver: ChangeObserver {
  var isEnded = false
  private let block: (RealmNotification, Realm) -> Void

  init(_ block: @escaping (RealmNotification, Realm) -> Void) { self.block = block }

  func begin(_ instance: OpenRealm) {}
  func notice(_ instance: OpenRealm, from old: Snapshot?) { block(.didChange, Realm(instance)) }
}

/// What became of a collection.
public enum RealmCollectionChange<Collection> {
  case initial(Collection)
  /// `deletions` are places in the collection as it was, the others in the collection as it is. What moved is deleted
  /// and inserted.
  case update(Collection, deletions: [Int], insertions: [Int], modifications: [Int])
}

final class ResultsObserver<Element: Object>: ChangeObserver {
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

  func begin(_ instance: OpenRealm) {
    keys = results.keys()
    block(.initial(results))
  }

  func notice(_ instance: OpenRealm, from old: Snapshot?) {
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
      !inserted.contains($0) && instance.isDifferent(Element.self, keys[$0], from: old)
    }
    guard !deletions.isEmpty || !insertions.isEmpty || !modifications.isEmpty else { return }
    block(
      .update(
        results, deletions: deletions.sorted(), insertions: insertions.sorted(),
        modifications: modifications))
  }
}

/// What became of an object.
public enum ObjectChange<Element> {
  case change(Element)
  case deleted
}

final class ObjectObserver<Element: Object>: ChangeObserver {
  var isEnded = false
  private let object: Element
  private let row: ManagedRow
  private let block: (ObjectChange<Element>) -> Void

  init(_ object: Element, _ row: ManagedRow, _ block: @escaping (ObjectChange<Element>) -> Void) {
    self.object = object
    self.row = row
    self.block = block
  }

  func begin(_ instance: OpenRealm) {}

  func notice(_ instance: OpenRealm, from old: Snapshot?) {
    guard row.exists else {
      isEnded = true
      return block(.deleted)
    }
    if instance.isDifferent(Element.self, row.key, from: old) { block(.change(object)) }
  }
}

extension OpenRealm {
  /// Whether a row is not what it was; false where the version before is not known.
  fileprivate func isDifferent(_ type: Object.Type, _ key: RowKey, from old: Snapshot?) -> Bool {
    guard let old, let info = bind(type) else { return false }
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
