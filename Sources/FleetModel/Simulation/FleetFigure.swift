// What is reported of every device: the figures whose quantiles over the fleet compare policies.

package enum FleetFigure: String, Hashable, Sendable, Codable, CaseIterable {
  case finalSize = "final size"
  case largestSize = "largest size"
  case amplification = "space amplification"
  case compactions = "compactions a year"
  case skipped = "skipped compactions a year"
  case longestStall = "longest stall"
  case totalStall = "stall a year"
  case rewritten = "rewritten a year"

  package enum Unit: Sendable { case bytes, nanoseconds, ratio, count }

  package var unit: Unit {
    switch self {
    case .finalSize, .largestSize, .rewritten: .bytes
    case .amplification: .ratio
    case .compactions, .skipped: .count
    case .longestStall, .totalStall: .nanoseconds
    }
  }

  /// Whether reports draw its distribution over the fleet.
  package var isDrawn: Bool {
    switch self {
    case .largestSize, .amplification, .longestStall, .rewritten: true
    case .finalSize, .compactions, .skipped, .totalStall: false
    }
  }

  /// By what a value is multiplied in a sketch, which does not tell values below 1 apart.
  package var scale: Double {
    switch unit {
    case .bytes, .nanoseconds: 1
    case .ratio, .count: 1000
    }
  }

  package func value(_ outcome: DeviceOutcome, years: Double) -> Double {
    switch self {
    case .finalSize: outcome.finalBytes
    case .largestSize: outcome.largestBytes
    case .amplification: outcome.amplification
    case .compactions: Double(outcome.compactions) / years
    case .skipped: Double(outcome.skipped) / years
    case .longestStall: outcome.longestStall
    case .totalStall: outcome.totalStall / years
    case .rewritten: outcome.rewrittenBytes / years
    }
  }
}
