// What holds for the retired extents between any two calls, each rule with its number.

extension RetiredExtents {
  /// The rules that are broken, in words.
  ///
  /// - RETIRED-1: Versions are registered in ascending order, each with at least one holder.
  /// - RETIRED-2: An extent hangs on the greatest registered version below its death.
  /// - RETIRED-3: Under exact reclamation that version is not below the extent's birth: someone sees it.
  /// - RETIRED-4: `bytes` is the sum of the extents.
  /// - RETIRED-5: What is kept for a version, alone and together with others, is what its rule says extent by extent.
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
    if retained() != countedAnew() {
      found.append("RETIRED-5: \(retained()), \(countedAnew()) found")
    }
    if sum != bytes { found.append("RETIRED-4: \(bytes) counted, \(sum) found") }
    return found
  }

  /// The same as `retained`, from every extent.
  private func countedAnew() -> [RetainedBytes] {
    var all = retained()
    for index in all.indices { (all[index].alone, all[index].together) = (0, 0) }
    visit { extent in
      let keepers = all.indices.filter {
        all[$0].version < extent.death
          && (reclamation == .oldestReader || extent.birth <= all[$0].version)
      }
      for index in keepers {
        if keepers.count == 1 {
          all[index].alone += extent.size
        } else {
          all[index].together += extent.size
        }
      }
    }
    return all
  }
}
