// The order of phases that fits all launches: each phase stands behind those that it followed in any launch.

struct PhaseOrder: Sendable {
  /// The phases that followed each phase directly.
  private var followers: [Set<Int>] = []

  /// The number of phases.
  var count: Int { followers.count }

  /// Adds a phase and returns its number.
  mutating func append() -> Int {
    followers.append([])
    return followers.count - 1
  }

  /// Takes note that `next` followed `previous`, and returns true; returns false if it has stood before it, or is the same.
  mutating func follow(_ previous: Int?, by next: Int) -> Bool {
    guard let previous else { return true }
    if followers[previous].contains(next) { return true }
    guard !reaches(previous, from: next) else { return false }
    followers[previous].insert(next)
    return true
  }

  private func reaches(_ phase: Int, from start: Int) -> Bool {
    var open = [start]
    var seen: Set<Int> = [start]
    while let next = open.popLast() {
      if next == phase { return true }
      for follower in followers[next] where seen.insert(follower).inserted { open.append(follower) }
    }
    return false
  }

  /// All phases in order; of two that no launch compares, the one that was added first comes first.
  var sorted: [Int] {
    var waiting = [Int](repeating: 0, count: count)
    for follower in followers.flatMap(\.self) { waiting[follower] += 1 }
    var ready = Set(waiting.indices.filter { waiting[$0] == 0 })
    var found: [Int] = []
    while let next = ready.min() {
      ready.remove(next)
      found.append(next)
      for follower in followers[next] {
        waiting[follower] -= 1
        if waiting[follower] == 0 { ready.insert(follower) }
      }
    }
    return found
  }
}
