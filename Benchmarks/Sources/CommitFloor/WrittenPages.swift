// The pages that commits write, and the groups of adjacent ones: what the disk's time for a commit depends on. Counted from the
// calls, so they repeat exactly.

/// The mean numbers between two syncs.
package struct WrittenPages {
  package let pages: Double
  package let groups: Double
}

extension CommitFloor {
  /// Returns the pages of the calls that commits made, and the groups that these are in.
  package static func pages(of calls: [Call], commits: Int) -> WrittenPages {
    var (pages, groups) = (0, 0)
    var written: Set<Int> = []
    for call in calls {
      if let range = call.pages { written.formUnion(range) }
      guard call.syncs else { continue }
      pages += written.count
      groups += written.count { !written.contains($0 - 1) }
      written.removeAll()
    }
    return WrittenPages(
      pages: Double(pages) / Double(commits), groups: Double(groups) / Double(commits))
  }
}
