// What clients did over the time of a run on real threads, in windows of one width, and what went on in the engine or was
// held by clients meanwhile. All times are nanoseconds of the machine's clock since the repetition began.

package struct Timeline: Sendable, Codable, Equatable {
  /// The number of windows is at most this; a run fills more than half of them.
  package static let maxWindows = 200
  /// Of each kind, the longest events are stored.
  package static let maxEvents = 64
  package static let maxPhases = 400

  /// The width of a window.
  package var windowNanoseconds: Int
  /// One for each role that made a transaction, in the order of the roles.
  package var series: [TimelineSeries]
  package var phases: [TimelinePhase]
  /// In the order in which they began.
  package var events: [TimelineEvent]
  /// Events that are not stored, since there were too many of their kind; nil for none.
  package var omittedEvents: Int?

  package init(
    windowNanoseconds: Int, series: [TimelineSeries], phases: [TimelinePhase] = [],
    events: [TimelineEvent] = [], omittedEvents: Int? = nil
  ) {
    self.windowNanoseconds = windowNanoseconds
    self.series = series
    self.phases = phases
    self.events = events
    self.omittedEvents = omittedEvents
  }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    windowNanoseconds = try values.decode(Int.self, forKey: .windowNanoseconds)
    series = try values.decode([TimelineSeries].self, forKey: .series)
    phases = try values.decode([TimelinePhase].self, forKey: .phases)
    events = try values.decode([TimelineEvent].self, forKey: .events)
    omittedEvents = try values.decodeIfPresent(Int.self, forKey: .omittedEvents)
    guard windowNanoseconds > 0, series.allSatisfy(\.isConsistent),
      phases.allSatisfy({ 0 <= $0.begin && $0.begin <= $0.end }),
      events.allSatisfy({ 0 <= $0.begin && $0.begin <= $0.end })
    else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath, debugDescription: "not a timeline that a run can have"))
    }
  }
}

/// What a transaction was made for.
package enum ClientRole: String, Sendable, Codable, CaseIterable {
  /// Write transactions.
  case writers
  /// Read transactions of lookups.
  case lookups
  /// Operations of probes.
  case probes
  /// Jobs on dispatch queues; their intended time is that of their submission.
  case jobs
}

/// The transactions of one role by the window in which they ended.
package struct TimelineSeries: Sendable, Codable, Equatable {
  package var role: ClientRole
  package var service: TimelineLatencies
  /// From the time at which a transaction was to begin; nil where none had such a time.
  package var intended: TimelineLatencies?

  package init(role: ClientRole, service: TimelineLatencies, intended: TimelineLatencies? = nil) {
    self.role = role
    self.service = service
    self.intended = intended
  }

  fileprivate var isConsistent: Bool {
    service.isConsistent && intended?.isConsistent ?? true
      && intended.map { $0.counts.count == service.counts.count } ?? true
  }
}

/// One kind of latency, a value for each window.
package struct TimelineLatencies: Sendable, Codable, Equatable {
  package var counts: [Int]
  /// The 99th percentile, at most a sixteenth too large; zero in a window without transactions.
  package var p99: [Int]
  /// The exact maximum.
  package var max: [Int]
  /// When the slowest transaction ended, since the window's beginning.
  package var maxEnd: [Int]

  package init(counts: [Int], p99: [Int], max: [Int], maxEnd: [Int]) {
    self.counts = counts
    self.p99 = p99
    self.max = max
    self.maxEnd = maxEnd
  }

  private enum CodingKeys: String, CodingKey { case counts, p99, max, maxEnd }

  /// Numbers are one text, since each number would have a line of its own in record.json.
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func numbers(_ key: CodingKeys) throws -> [Int] {
      let words = try values.decode(String.self, forKey: key).split(separator: " ")
      return try words.map { word in
        guard let number = Int(word), 0...(1 << 53) ~= number else {
          throw DecodingError.dataCorruptedError(
            forKey: key, in: values, debugDescription: "\"\(word)\" is not a number of a timeline")
        }
        return number
      }
    }
    self.init(
      counts: try numbers(.counts), p99: try numbers(.p99), max: try numbers(.max),
      maxEnd: try numbers(.maxEnd))
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    for (key, numbers) in [
      (CodingKeys.counts, counts), (.p99, p99), (.max, max), (.maxEnd, maxEnd),
    ] {
      try values.encode(numbers.map(String.init).joined(separator: " "), forKey: key)
    }
  }

  fileprivate var isConsistent: Bool {
    counts.count <= Timeline.maxWindows
      && [p99, max, maxEnd].allSatisfy { $0.count == counts.count }
  }
}

/// A phase of one launch.
package struct TimelinePhase: Sendable, Codable, Equatable {
  package var launch: Int
  package var phase: String
  package var begin: Int
  package var end: Int

  package init(launch: Int, phase: String, begin: Int, end: Int) {
    self.launch = launch
    self.phase = phase
    self.begin = begin
    self.end = end
  }
}

/// A time in which something went on that may keep clients waiting.
package struct TimelineEvent: Sendable, Codable, Equatable {
  package enum Kind: String, Sendable, Codable, CaseIterable {
    /// Automatic compaction, from the commit in which it began.
    case compaction
    /// Compaction at launch, from the policy's decision.
    case launchCompaction = "launch-compaction"
    /// A checkpoint of a client or, without a label, of a commit.
    case checkpoint
    /// A snapshot that was held for long.
    case pin
    /// The log was twice as long as at a usual checkpoint, or longer.
    case longLog = "long-log"
    /// A commit that the engine slowed or stopped, since its compaction or its flushes were behind.
    case stall
    /// Jobs were queued or at work on dispatch queues.
    case jobs
    /// An opening after the files were dropped from the page cache, and the 100 ms after it.
    case coldStart = "cold-start"
    /// Another opening of a scenario with cold starts, and the 100 ms after it.
    case warmStart = "warm-start"
  }

  package var kind: Kind
  /// The holder of a pin, or the client; empty for none.
  package var label: String
  package var begin: Int
  package var end: Int

  package init(_ kind: Kind, label: String = "", begin: Int, end: Int) {
    self.kind = kind
    self.label = label
    self.begin = begin
    self.end = end
  }

  package var length: Int { end - begin }
}
