// Versions that are held on purpose: frozen instances, and references that wait to be resolved elsewhere. Each is a pin of
// its own, with its own label, and ends when nobody holds it any more.
import Foundation
import StorageEngine

extension OpenRealm {
  /// A frozen instance of the version that is seen; itself where it is frozen, or where there is misuse. `label` is what
  /// its pin is called, nil for what those of this file are called.
  func freeze(label: String? = nil) -> OpenRealm {
    guard check(), !isFrozen else { return self }
    guard writing == nil else {
      Misuse.report(
        .wrongTransactionState, "Cannot freeze a realm within a write transaction.", file: file.url)
      return self
    }
    do throws(StorageError) {
      let own = try snapshot()
      let name = file.url?.lastPathComponent ?? configuration.inMemoryIdentifier ?? ""
      let held = try own.duplicate(label: label ?? "frozen realm \(name)")
      return OpenRealm(freezing: self, held, retainFile())
    } catch {
      Misuse.report(Realm.Error(error, file: file.url))
      return self
    }
  }

  /// The live instance of the calling thread; nil, after misuse, where none can be opened.
  func thaw() -> OpenRealm? {
    guard isFrozen else { return self }
    do {
      let live = try Realm(configuration, Confinement.here).instance
      _ = try live.refresh()
      return live
    } catch {
      Misuse.report((error as? Realm.Error) ?? Realm.Error(.fail, "\(error)", file: file.url))
      return nil
    }
  }
}

extension Realm {
  /// The version that is seen now, which stays, readable on all threads, as long as somebody holds it or what it shows.
  public func freeze() -> Realm { Realm(instance.freeze()) }

  /// A live realm of the calling thread.
  public func thaw() -> Realm { instance.thaw().map { Realm($0) } ?? self }

  /// The frozen view of the object's present version; itself where it is frozen.
  public func freeze<T: Object>(_ object: T) -> T { object.freeze() }

  /// What the reference refers to, as this realm sees it; nil where it was deleted. A reference is resolved once. The
  /// realm moves to a version no older than that of the reference.
  public func resolve<T: Object>(_ reference: ThreadSafeReference<T>) -> T? {
    guard instance.check(), let (key, snapshot) = reference.take(for: instance.file) else {
      return nil
    }
    defer { snapshot.end() }
    do throws(StorageError) {
      if instance.writing == nil {
        if try instance.snapshot().version < snapshot.version { _ = try instance.refresh() }
      }
      guard let info = instance.bind(T.self), try instance.get(info.table, key, { _ in }) else {
        return nil
      }
      return instance.object(T.self, info, key)
    } catch {
      Misuse.report(Realm.Error(error, file: instance.file.url))
      return nil
    }
  }
}

/// Objects that can be frozen, as their own kind.
public protocol ThreadConfined: AnyObject {}
extension Object: ThreadConfined {}

extension ThreadConfined where Self: Object {
  /// The same object in the version that is seen now: it does not change, may be read on all threads, and keeps its
  /// version as long as it is held. An unmanaged object is misuse, and returned as it is.
  public func freeze() -> Self {
    guard let row else {
      Misuse.report(.invalidValue, "Unmanaged objects cannot be frozen.")
      return self
    }
    guard !row.instance.isFrozen else { return self }
    guard row.isUsable else {
      Misuse.report(
        .invalidated, "The object was invalidated with its realm.", file: row.instance.file.url)
      return self
    }
    let frozen = row.instance.freeze()
    return frozen.isFrozen ? frozen.object(Self.self, row.info, row.key) : self
  }

  /// The live object on the calling thread; nil where it is no longer there.
  public func thaw() -> Self? {
    guard let row, row.instance.isFrozen else { return self }
    guard let live = row.instance.thaw(), let info = live.bind(Self.self) else { return nil }
    let isThere = (try? live.get(info.table, row.key) { _ in }) ?? false
    return isThere ? live.object(Self.self, info, row.key) : nil
  }

  /// Tells what becomes of the object. Misuse, and nil, for one that is in no realm.
  public func observe(_ block: @escaping (ObjectChange<Self>) -> Void) -> NotificationToken? {
    guard let row else {
      Misuse.report(.invalidValue, "Only managed objects can be observed.")
      return nil
    }
    return row.instance.observe(ObjectObserver(self, row, block))
  }
}

/// A way for an object to another thread. It pins the version that it was made in until it is resolved or let go.
public final class ThreadSafeReference<Confined: Object>: @unchecked Sendable {
  private let key: RowKey
  private let file: RealmCoordinator?
  private let held: LockedValue<(snapshot: Snapshot?, use: FileReference?)>

  /// Misuse where the object is in no realm, or its realm is in a write transaction: the reference then leads nowhere.
  public init(to object: Confined) {
    guard let row = object.row, row.isUsable, row.instance.writing == nil, row.instance.check()
    else {
      Misuse.report(
        .invalidValue,
        "A reference is made to a managed object, outside of write transactions.")
      key = .int(0)
      file = nil
      held = LockedValue((nil, nil))
      return
    }
    key = row.key
    file = row.instance.file
    let label = "thread-safe reference to \(row.info.schema.name)"
    let pinned = try? row.instance.snapshot().duplicate(label: label)
    held = LockedValue((pinned, pinned == nil ? nil : row.instance.retainFile()))
  }

  deinit {
    held.withLock { held in
      held.snapshot?.end()
      held.use = nil
    }
  }

  /// It was resolved, or what it was made of could not be referred to.
  public var isInvalidated: Bool { held.withLock { $0.snapshot == nil } }

  fileprivate func take(for other: RealmCoordinator) -> (RowKey, Snapshot)? {
    guard file === other else {
      Misuse.report(
        .invalidValue, "The reference is to an object of another realm.", file: other.url)
      return nil
    }
    let snapshot = held.withLock { held in
      defer { held = (nil, nil) }
      return held.snapshot
    }
    guard let snapshot else {
      Misuse.report(
        .invalidValue, "Can only resolve a thread safe reference once.", file: other.url)
      return nil
    }
    return (key, snapshot)
  }
}
