// Passing objects between threads.
import Foundation
import StorageEngine

/// A reference that passes an object to another thread. It pins the version in which it was created until it is resolved
/// or released.
public final class ThreadSafeReference<Confined: ObjectBase>: @unchecked Sendable {
  private let key: RowKey
  private let coordinator: RealmCoordinator?
  private let pin: LockedValue<(snapshot: Snapshot?, reference: FileReference?)>

  /// Reports misuse if the object is unmanaged or its realm in a write transaction: the reference cannot be resolved then.
  public init(to object: Confined) {
    guard let row = object.row, row.isUsable, row.instance.writing == nil, row.instance.check()
    else {
      Misuse.report(
        .invalidValue,
        "A reference is made to a managed object, outside of write transactions.")
      key = .int(0)
      coordinator = nil
      pin = LockedValue((nil, nil))
      return
    }
    key = row.key
    coordinator = row.instance.coordinator
    let label = "thread-safe reference to \(row.info.schema.name)"
    let snapshot = try? row.instance.snapshot().duplicate(label: label)
    pin = LockedValue((snapshot, snapshot == nil ? nil : row.instance.copyFileReference()))
  }

  deinit {
    pin.withLock { pin in
      pin.snapshot?.end()
      pin.reference = nil
    }
  }

  /// Whether it was resolved, or could not refer to its object.
  public var isInvalidated: Bool { pin.withLock { $0.snapshot == nil } }

  /// Returns the row's key and the pinned version, once.
  fileprivate func take(for other: RealmCoordinator) -> (RowKey, Snapshot)? {
    guard coordinator === other else {
      Misuse.report(
        .invalidValue, "The reference is to an object of another realm.", file: other.url)
      return nil
    }
    let snapshot = pin.withLock { pin in
      defer { pin = (nil, nil) }
      return pin.snapshot
    }
    guard let snapshot else {
      Misuse.report(
        .invalidValue, "Can only resolve a thread safe reference once.", file: other.url)
      return nil
    }
    return (key, snapshot)
  }
}

extension OpenRealm {
  /// Returns the object of the reference in this instance, which moves to a version no older than the reference's; nil if
  /// the object was deleted.
  func resolve<T: ObjectBase>(_ reference: ThreadSafeReference<T>) -> T? {
    guard check(), let (key, snapshot) = reference.take(for: coordinator) else { return nil }
    defer { snapshot.end() }
    do throws(StorageError) {
      if writing == nil {
        if try self.snapshot().version < snapshot.version { _ = try refresh() }
      }
      guard let info = classInfo(for: T.self), try get(info.table, key, { _ in }) else {
        return nil
      }
      return object(T.self, info, key)
    } catch {
      Misuse.report(RealmError(error, file: url))
      return nil
    }
  }
}
