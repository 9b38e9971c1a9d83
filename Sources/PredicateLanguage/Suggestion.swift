// The name that was probably meant.

/// The candidate nearest to `name` by edits (a letter more, less, other, or two swapped), where it is near enough to be
/// a slip of the finger: at most one edit for each three letters, ignoring case. The first of equals.
package func nearest(to name: String, in candidates: [String]) -> String? {
  // What is far longer than any name is no slip, and takes long to compare.
  guard name.count <= 80 else { return nil }
  let limit = max(1, name.count / 3)
  let scored = candidates.map { ($0, editDistance(name.lowercased(), $0.lowercased())) }
  guard let best = scored.min(by: { $0.1 < $1.1 }), best.1 <= limit else { return nil }
  return best.0
}

/// Optimal string alignment distance.
func editDistance(_ first: String, _ second: String) -> Int {
  let a = Array(first)
  let b = Array(second)
  var beforePrevious: [Int] = []
  var previous = Array(0...b.count)
  for i in a.indices {
    var current = [i + 1]
    for j in b.indices {
      var cost = min(
        previous[j + 1] + 1, current[j] + 1, previous[j] + (a[i] == b[j] ? 0 : 1))
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
        cost = min(cost, beforePrevious[j - 1] + 1)
      }
      current.append(cost)
    }
    beforePrevious = previous
    previous = current
  }
  return previous[b.count]
}
