// The invariants of the deferred free extents, each with its number. They hold between any two calls.

extension DeferredFreeExtents {
  /// Returns the violated invariants.
  ///
  /// - DEFERRED-1: Versions are registered in ascending order, each with at least one holder.
  /// - DEFERRED-2: An extent is in the list of the greatest registered version below its death.
  /// - DEFERRED-3: Under exact reclamation that version is not below the extent's birth: the version pins it.
  /// - DEFERRED-4: `bytes` is the sum of the extents.
  /// - DEFERRED-5: The exclusive and shared bytes of a version are what the rule gives extent by extent.
  func violations() -> [String] {
    var found: [String] = []
    var sum = 0
    let numbers = registered
    if numbers != Array(Set(numbers)).sorted() { found.append("DEFERRED-1: \(numbers)") }
    enumerateByVersion { version, address in
      let extent = address.pointee
      if numbers.last(where: { $0 < extent.death }) != version {
        found.append("DEFERRED-2 at offset \(extent.offset)")
      }
      if reclamation == .exact, extent.birth > version {
        found.append("DEFERRED-3 at offset \(extent.offset)")
      }
      sum += extent.size
    }
    if retainedBytes() != recountedBytes() {
      found.append("DEFERRED-5: \(retainedBytes()), \(recountedBytes()) found")
    }
    if sum != bytes { found.append("DEFERRED-4: \(bytes) counted, \(sum) found") }
    return found
  }

  /// Computes `retainedBytes` from every extent.
  private func recountedBytes() -> [RetainedBytes] {
    var all = retainedBytes()
    for index in all.indices { (all[index].exclusive, all[index].shared) = (0, 0) }
    enumerate { extent in
      let holders = all.indices.filter {
        all[$0].version < extent.death
          && (reclamation == .oldestReader || extent.birth <= all[$0].version)
      }
      for index in holders {
        if holders.count == 1 {
          all[index].exclusive += extent.size
        } else {
          all[index].shared += extent.size
        }
      }
    }
    return all
  }
}
