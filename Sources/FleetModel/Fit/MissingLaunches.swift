// How many launches a log lacks. Three sources, the surest first: the app's own count of launches; what the caller states; and
// falls of totalBytes for which no logged launch is marked as a compaction.

package struct MissingLaunches: Sendable, Hashable {
  package enum Evidence: Sendable, Hashable { case counted, stated, compactions, none }

  package var share: Double
  package var standardError: Double
  package var evidence: Evidence
  /// Launches, or falls of totalBytes, that were counted.
  package var count: Int

  /// With fewer falls the share is not estimated.
  private static let minFalls = 30
  private static let maxShare = 0.95

  init(_ rates: [DeviceRates], given: Double?) {
    let counting = rates.filter { $0.countedLaunches != nil }
    let counted = counting.reduce(0) { $0 + ($1.countedLaunches ?? 0) }
    let flagged = rates.filter(\.flagsCompactions)
    let logged = flagged.reduce(0) { $0 + $1.loggedFalls }
    let falls = logged + flagged.reduce(0) { $0 + $1.unloggedFalls }
    if counted > 0, counting.count * 2 > rates.count {
      let seen = counting.reduce(0) { $0 + $1.launches - 1 }
      self.init(1 - Double(seen) / Double(counted), of: counted, .counted)
    } else if let given {
      self.init(given, of: 0, .stated)
    } else if logged > 0, falls >= Self.minFalls {
      self.init(1 - Double(logged) / Double(falls), of: falls, .compactions)
    } else {
      self.init(0, of: 0, .none)
    }
  }

  private init(_ share: Double, of count: Int, _ evidence: Evidence) {
    self.share = max(0, min(Self.maxShare, share))
    self.count = count
    self.evidence = evidence
    standardError =
      count > 0 ? (self.share * (1 - self.share) / Double(count)).squareRoot() : 0
  }
}
