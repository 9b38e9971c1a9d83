// What holds for the retired extents between any two calls, each rule with its number.

extension RetiredExtents {
  /// The rules that are broken, in words.
  ///
  /// - RETIRED-1: Versions are registered in ascending order, each with at least one holder.
  /// - RETIRED-2: An extent hangs on the greatest registered version below its death.
  /// - RETIRED-3: Under exact reclamation that version is not below the extent's birth: someone sees it.
  /// - RETIRED-4: `bytes` is the sum of the extents.
  func violations() -> [String] {
    var found: [String] = []
    var sum = 0
    let numbers = registered
    if numbers != Array(Set(numbers)).sorted() { found.append("RETIRED-1: \(numbers)") }
    visitVersions { version, extents in
      for extent in extents {
        if numbers.last(where: { $0 < extent.death }) != version {
          found.append("RETIRED-2 at offset \(extent.offset)")
        }
        if reclamation == .exact, extent.birth > version {
          found.append("RETIRED-3 at offset \(extent.offset)")
        }
        sum += extent.size
      }
    }
    if sum != bytes { found.append("RETIRED-4: \(bytes) counted, \(sum) found") }
    return found
  }
}
