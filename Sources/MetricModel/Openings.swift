// The openings of a database over a scenario: its launches, and the moments between them in which the system opens it in the
// background.

/// A moment in which the system opens a database while its app is in the background.
package enum BackgroundMoment: String, Hashable, Sendable, Codable, CaseIterable {
  case idle
  case charging

  /// The variable that is 1 in this moment, and 0 at any other opening.
  package var variable: String {
    switch self {
    case .idle: "isIdle"
    case .charging: "isCharging"
    }
  }
}

/// An opening of a database.
package struct Opening: Hashable, Sendable, Codable {
  /// From 1: launches and moments count alike.
  package var number: Int
  /// nil for a launch.
  package var moment: BackgroundMoment?

  package init(number: Int, moment: BackgroundMoment? = nil) {
    (self.number, self.moment) = (number, moment)
  }
}

/// The openings of a scenario, in their order.
package struct Openings: Hashable, Sendable {
  package let launches: Int
  /// The moments between any two launches.
  package let moments: [BackgroundMoment]

  package init(launches: Int, moments: [BackgroundMoment] = []) {
    (self.launches, self.moments) = (launches, moments)
  }

  package var count: Int { launches + (launches - 1) * moments.count }

  /// The kind of each opening; nil for a launch.
  package var kinds: [BackgroundMoment?] {
    (1...launches).flatMap { launch -> [BackgroundMoment?] in
      [nil] + (launch < launches ? moments.map(Optional.some) : [])
    }
  }

  /// Returns the number of the opening in which a sample was taken or an event happened: in a moment `launch` is that of the
  /// launch before it, and `phase` has the name of the moment.
  package func number(launch: Int, phase: String) -> Int {
    let first = (launch - 1) * (moments.count + 1) + 1
    guard launch < launches, let moment = moments.firstIndex(where: { $0.rawValue == phase }) else {
      return first
    }
    return first + 1 + moment
  }
}
