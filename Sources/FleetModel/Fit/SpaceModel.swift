// How a file's free space grows with commits after a compaction: what turns the sizes of a log into commits.
import Generators

/// Free space as a function of what a compaction left and of the commits since.
package protocol SpaceModel: Sendable {
  /// Returns free bytes ÷ used bytes after `commits` since a compaction of so many bytes of values.
  func freeShare(data: Double, commits: Double) -> Double
  /// Returns bytes of values ÷ used bytes.
  func dataShare(used: Double) -> Double
  /// Returns the model for a device that grows by so many used bytes in a day of so many commits.
  func adapted(growth: Double, commitsPerDay: Double) -> any SpaceModel
  /// What the model is, for the comments of a fitted population.
  var summary: String { get }
}

extension SpaceModel {
  package func dataShare(used: Double) -> Double { 1 }
  package func adapted(growth: Double, commitsPerDay: Double) -> any SpaceModel { self }

  static var maxCommits: Double { 1e12 }

  /// Returns the commits after which the share of free bytes is so large; `maxCommits` for more than it ever is.
  func commits(data: Double, freeShare share: Double) -> Double {
    guard share > freeShare(data: data, commits: 0) else { return 0 }
    guard share < freeShare(data: data, commits: Self.maxCommits) else { return Self.maxCommits }
    var high = 1.0
    while high < Self.maxCommits, freeShare(data: data, commits: high) < share { high *= 8 }
    var low = 0.0
    for _ in 0..<40 {
      let middle = (low + high) / 2
      if freeShare(data: data, commits: middle) < share { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }
}

/// Each commit leaves free bytes, of which the more is used again, the more there is, up to a multiple of the used bytes.
package struct SaturatingSpace: SpaceModel, Hashable {
  /// Free bytes that the first commits after a compaction leave each.
  package var bytesPerCommit: Double
  /// Free bytes at the plateau, as a multiple of the used bytes.
  package var plateau: Double

  package init(bytesPerCommit: Double, plateau: Double) {
    precondition(bytesPerCommit > 0 && plateau > 0, "a commit frees space")
    self.bytesPerCommit = bytesPerCommit
    self.plateau = plateau
  }

  package func freeShare(data: Double, commits: Double) -> Double {
    plateau * (1 - PortablePower.ofE(-commits * bytesPerCommit / (plateau * max(data, 1))))
  }

  package var summary: String {
    "each commit leaves \(Int(bytesPerCommit.rounded())) B free at first, and free bytes stay below "
      + "\(plateau.shortText) × used bytes"
  }

  private static let plateaus = [0.25, 0.5, 1, 2, 4, 8, 16, 64]
  private static let usualPlateau = 2.0
  private static let fittedDevices = 200
  private static let minCompacted = 20

  /// Returns the model with the plateau that fits the logged sizes best, those after compactions where there are enough.
  static func fitted(_ devices: [DeviceHistory], bytesPerCommit: Double) -> SaturatingSpace {
    let all = devices.lazy.map { Generations(of: $0.rows) }
    let compacted = Array(all.filter(\.hasKnownStart).prefix(fittedDevices))
    let chosen = compacted.count >= minCompacted ? compacted : Array(all.prefix(fittedDevices))
    func error(_ plateau: Double) -> Double {
      let model = SaturatingSpace(bytesPerCommit: bytesPerCommit, plateau: plateau)
      return chosen.reduce(0) { $0 + (CommitRate($1, model)?.squares ?? 0) }
    }
    var best = (plateau: usualPlateau, error: error(usualPlateau))
    for plateau in plateaus where plateau != usualPlateau {
      let found = error(plateau)
      if found < best.error { best = (plateau, found) }
    }
    return SaturatingSpace(bytesPerCommit: bytesPerCommit, plateau: best.plateau)
  }
}

extension Double {
  /// Three significant digits: `0.25`, `16`, `1.5`.
  var shortText: String {
    guard isFinite, self != 0 else { return "\(self)" }
    var scale = 1.0
    while abs(self) * scale < 100 { scale *= 10 }
    let rounded = (self * scale).rounded() / scale
    return rounded == rounded.rounded() && abs(rounded) < 1e15
      ? String(Int(rounded)) : "\(rounded)"
  }
}
