// Frozen instances, each a pin of its own with its own label, and their live counterparts.
import Foundation
import StorageEngine

extension OpenRealm {
  /// Returns a frozen instance of the version that is read; itself if it is frozen, or after misuse. `label` replaces the
  /// label of its pin.
  func freeze(label: String? = nil) -> OpenRealm {
    guard check(), !isFrozen else { return self }
    guard writing == nil else {
      Misuse.report(
        .wrongTransactionState, "Cannot freeze a realm within a write transaction.", file: url)
      return self
    }
    do throws(StorageError) {
      let own = try snapshot()
      let pin = try own.duplicate(label: label ?? "frozen realm \(configuration.realmName)")
      return OpenRealm(freezing: self, pin, copyFileReference())
    } catch {
      Misuse.report(RealmError(error, file: url))
      return self
    }
  }

  /// Returns the live instance of the calling thread; nil, after misuse, if none can be opened.
  func thaw() -> OpenRealm? {
    guard isFrozen else { return self }
    do {
      let live = try configuration.open(.currentThread, copyFileReference())
      _ = try live.refresh()
      return live
    } catch {
      Misuse.report((error as? RealmError) ?? RealmError(.fail, "\(error)", file: url))
      return nil
    }
  }
}

/// An object that can be frozen; an extension of a protocol, unlike one of a class, can return the object's own type.
public protocol ThreadConfined: AnyObject {}
extension ObjectBase: ThreadConfined {}

extension ThreadConfined where Self: ObjectBase {
  /// Returns the same object in the version that is read now. It does not change, may be read on all threads, and pins its
  /// version until it is released. For an unmanaged object reports misuse and returns the object.
  public func freeze() -> Self {
    guard let row else {
      Misuse.report(.invalidValue, "Unmanaged objects cannot be frozen.")
      return self
    }
    guard !row.instance.isFrozen else { return self }
    guard row.isUsable else {
      Misuse.report(
        .invalidated, "The object was invalidated with its realm.", file: row.instance.url)
      return self
    }
    let frozen = row.instance.freeze()
    return frozen.isFrozen ? frozen.object(Self.self, row.info, row.key) : self
  }

  /// Returns the live object on the calling thread; nil if it was deleted.
  public func thaw() -> Self? {
    guard let row, row.instance.isFrozen else { return self }
    guard let live = row.instance.thaw(), let info = live.classInfo(for: Self.self) else {
      return nil
    }
    let exists = (try? live.get(info.table, row.key) { _ in }) ?? false
    return exists ? live.object(Self.self, info, row.key) : nil
  }
}
