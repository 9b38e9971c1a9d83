// How many objects of a class a transaction created, updated and deleted.

/// The changes of a transaction to one class.
struct ChangeCounts: Codable, Equatable {
  var created = 0
  var updated = 0
  var deleted = 0
}
