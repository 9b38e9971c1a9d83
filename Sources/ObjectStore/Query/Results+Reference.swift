// Passing results between threads.
import StorageEngine

extension ThreadSafeReference {
  /// Reports misuse if the realm of the results was invalidated, or is in a write transaction: the reference cannot be
  /// resolved then.
  public convenience init<Element>(to results: Confined) where Confined == Results<Element> {
    let instance = results.isInvalidated ? nil : results.instance
    self.init(results.query, in: instance, name: "results of \(ObjectClass.name(of: Element.self))")
  }
}

extension OpenRealm {
  /// Returns the collection of the reference in this instance.
  func resolve<T: Object>(_ reference: ThreadSafeReference<Results<T>>) -> Results<T>? {
    resolve(reference) { (query: ObjectQuery) throws(StorageError) -> Results<T>? in
      Results(self, query)
    }
  }
}
