// Observing one object.
import StorageEngine

/// A change of an object.
public enum ObjectChange<Element> {
  case change(Element)
  case deleted
}

extension ThreadConfined where Self: Object {
  /// Calls `block` after each change of the object, and once when it is deleted. For an unmanaged object reports misuse and
  /// returns nil.
  public func observe(_ block: @escaping (ObjectChange<Self>) -> Void) -> NotificationToken? {
    guard let row else {
      Misuse.report(.invalidValue, "Only managed objects can be observed.")
      return nil
    }
    return row.instance.observe(ObjectObserver(self, row, block))
  }
}

private final class ObjectObserver<Element: Object>: ChangeObserver {
  var isEnded = false
  private let object: Element
  private let row: ManagedRow
  private let block: (ObjectChange<Element>) -> Void

  init(_ object: Element, _ row: ManagedRow, _ block: @escaping (ObjectChange<Element>) -> Void) {
    self.object = object
    self.row = row
    self.block = block
  }

  func deliverInitial(_ instance: OpenRealm) {}

  func deliverChange(_ instance: OpenRealm, from old: Snapshot?) {
    guard row.exists else {
      isEnded = true
      return block(.deleted)
    }
    if instance.isModified(Element.self, row.key, since: old) { block(.change(object)) }
  }
}
