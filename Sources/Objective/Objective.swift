// The objective: what a policy costs, and what it must not exceed.
package import MetricModel

/// The rule by which policies are ranked: prices, and limits that come before them.
package struct Objective: Hashable, Sendable, Codable {
  package var prices = Prices()
  package var limits = ObjectiveLimits()

  package init() {}

  package init(_ prices: Prices, _ limits: ObjectiveLimits = .none) {
    (self.prices, self.limits) = (prices, limits)
  }

  /// The factors of the prices of work at which results are shown beside those at the prices themselves.
  package static let otherFactors = [0.1, 10.0]

  /// Returns the objective with the prices of rewriting and waiting multiplied, which is another exchange rate between work
  /// and space.
  package func scalingWork(by factor: Double) -> Objective {
    Objective(prices.scalingWork(by: factor), limits)
  }

  package func cost(of figures: PricedFigures) -> Cost {
    Cost(
      units: prices.spaceWeight * figures.excess.byteMicroseconds
        + prices.rewrittenWeight * Int128(figures.rewritten.bytes)
        + prices.blockedWeight * Int128(figures.blocked))
  }

  /// Whether a price or a limit is one of time.
  package var countsTime: Bool { prices.blocked > 0 || limits.maxLaunch != nil }

  /// Returns what holding so many bytes above a freshly compacted file costs over a time.
  package func cost(ofHolding bytes: ByteCount, for time: VirtualTime) -> Cost {
    var figures = PricedFigures()
    figures.excess = ByteTime(bytes, for: time)
    return cost(of: figures)
  }

  /// Returns what compactions that hold up launches for so many nanoseconds cost.
  package func cost(ofBlocking nanoseconds: Int) -> Cost {
    var figures = PricedFigures()
    figures.blocked = nanoseconds
    return cost(of: figures)
  }

  /// Returns the limits that the figures exceed, in words; empty if none.
  package func exceeded(by figures: PricedFigures) -> [String] {
    var found: [String] = []
    if let limit = limits.maxSize, figures.highWater > limit {
      found.append("size \(figures.highWater), at most \(limit)")
    }
    if let limit = limits.maxDisk, figures.peakDisk > limit {
      found.append("disk \(figures.peakDisk), at most \(limit)")
    }
    if let limit = limits.maxLaunch, figures.longestLaunch > limit {
      found.append(
        "launch \(Self.milliseconds(figures.longestLaunch)), at most \(Self.milliseconds(limit))")
    }
    if let limit = limits.maxRewritten, let bytes = limits.maxRewritten(in: figures.time),
      figures.rewritten > bytes
    {
      found.append("rewritten \(figures.rewritten) in the run, at most \(limit) a day")
    }
    return found
  }

  /// Rounded up, so that a time above a limit is not shown as the limit.
  private static func milliseconds(_ nanoseconds: Int) -> String {
    "\((nanoseconds + 999_999) / 1_000_000) ms"
  }
}

/// What a run came to, in the terms of an objective.
package struct PricedFigures: Hashable, Sendable, Codable {
  /// Bytes above a freshly compacted file, over time.
  package var excess = ByteTime.zero
  /// Bytes that compactions wrote again.
  package var rewritten = ByteCount.zero
  /// Nanoseconds for which compactions held up launches.
  package var blocked = 0
  /// Nanoseconds for which the longest launch was held up.
  package var longestLaunch = 0
  package var highWater = ByteCount.zero
  /// What all files needed at once, the copies of compactions among them.
  package var peakDisk = ByteCount.zero
  /// How long the run was, on the virtual clock.
  package var time = VirtualTime.zero

  package init() {}

  /// Adds what came after.
  package static func += (a: inout Self, b: Self) {
    a.excess = a.excess + b.excess
    a.rewritten = a.rewritten + b.rewritten
    a.blocked += b.blocked
    a.longestLaunch = Swift.max(a.longestLaunch, b.longestLaunch)
    a.highWater = Swift.max(a.highWater, b.highWater)
    a.peakDisk = Swift.max(a.peakDisk, b.peakDisk)
    a.time = a.time + b.time
  }
}

/// Why an objective cannot rank anything.
package struct ObjectiveError: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

extension Objective: CustomStringConvertible {
  /// `3 per GB·day above a freshly compacted file, 1 per GB rewritten; size at most 20.0 MB`.
  package var description: String {
    let priced = [
      (prices.space, "per GB·day above a freshly compacted file"),
      (prices.rewritten, "per GB rewritten"), (prices.blocked, "per second blocked at launch"),
    ].filter { $0.0 > 0 }.map { "\(Self.text($0.0)) \($0.1)" }
    let limited = [
      limits.maxSize.map { "size at most \($0)" },
      limits.maxDisk.map { "disk at most \($0)" },
      limits.maxLaunch.map { "launches of at most \($0 / 1_000_000) ms" },
      limits.maxRewritten.map { "at most \($0) rewritten a day" },
    ].compactMap { $0 }
    return ([priced.joined(separator: ", ")] + limited).joined(separator: "; ")
  }

  private static func text(_ price: Double) -> String {
    price == price.rounded() ? String(Int(price)) : "\(price)"
  }
}
