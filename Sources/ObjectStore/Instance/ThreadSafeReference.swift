// Passing objects and collections between threads.
import Foundation
import StorageEngine

/// A reference that passes an object, results, a list, a set or a map to another thread. It pins the version in which it was
/// created until it is resolved or released.
public final class ThreadSafeReference<Confined>: @unchecked Sendable {
  /// What identifies the object or collection in another instance; immutable.
  private let target: Any?
  private let coordinator: RealmCoordinator?
  private let pin: LockedValue<(snapshot: Snapshot?, reference: FileReference?)>

  /// A reference to what `target` identifies in the instance; to nothing, after misuse, if the instance cannot be used.
  init(_ target: Any?, in instance: OpenRealm?, name: String) {
    guard let target, let instance, instance.writing == nil, instance.check() else {
      Misuse.report(
        .invalidValue,
        "A reference is made to a managed object or collection, outside of write transactions.")
      self.target = nil
      coordinator = nil
      pin = LockedValue((nil, nil))
      return
    }
    self.target = target
    coordinator = instance.coordinator
    let snapshot = try? instance.snapshot().duplicate(label: "thread-safe reference to \(name)")
    pin = LockedValue((snapshot, snapshot == nil ? nil : instance.copyFileReference()))
  }

  /// Reports misuse if the object is unmanaged or its realm in a write transaction: the reference cannot be resolved then.
  public convenience init(to object: Confined) where Confined: ObjectBase {
    let row = object.row.flatMap { $0.isUsable ? $0 : nil }
    self.init(row?.key, in: row?.instance, name: row?.info.schema.name ?? "")
  }

  deinit {
    pin.withLock { pin in
      pin.snapshot?.end()
      pin.reference = nil
    }
  }

  /// Whether it was resolved, or could not refer to anything.
  public var isInvalidated: Bool { pin.withLock { $0.snapshot == nil } }

  /// Returns the target and the pinned version, once.
  fileprivate func take(for other: RealmCoordinator) -> (target: Any?, snapshot: Snapshot)? {
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
    return (target, snapshot)
  }
}

extension OpenRealm {
  /// Moves to a version no older than the reference's, and passes its target to `find`. nil after misuse.
  func resolve<Confined, Target, Found>(
    _ reference: ThreadSafeReference<Confined>, _ find: (Target) throws(StorageError) -> Found?
  ) -> Found? {
    guard check(), let (target, snapshot) = reference.take(for: coordinator) else { return nil }
    defer { snapshot.end() }
    do throws(StorageError) {
      if writing == nil, !isFrozen, try self.snapshot().version < snapshot.version {
        _ = try refresh()
      }
      guard let target = target as? Target else { return nil }
      return try find(target)
    } catch {
      Misuse.report(RealmError(error, file: url))
      return nil
    }
  }

  /// Returns the object of the reference in this instance; nil if the object was deleted.
  func resolve<T: ObjectBase>(_ reference: ThreadSafeReference<T>) -> T? {
    resolve(reference) { (key: RowKey) throws(StorageError) -> T? in
      guard let info = classInfo(for: T.self), try get(info.table, key, { _ in }) else {
        return nil
      }
      return object(T.self, info, key)
    }
  }
}
