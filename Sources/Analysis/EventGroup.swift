// The kinds of events as reports tell them apart: of checkpoints, those that commits make and those that clients ask for.
package import RecordModel

package struct EventGroup: Sendable, Hashable {
  package let kind: TimelineEvent.Kind
  /// Whether commits made the checkpoints; false for other kinds.
  package let isWithinCommits: Bool

  package init(_ kind: TimelineEvent.Kind, isWithinCommits: Bool = false) {
    self.kind = kind
    self.isWithinCommits = isWithinCommits
  }

  /// A checkpoint of a client has its mode as label, and one of a commit has none.
  package init(_ event: TimelineEvent) {
    self.init(
      event.kind, isWithinCommits: event.kind == .checkpoint && event.label.isEmpty)
  }

  /// All groups, in the order of reports.
  package static let all = TimelineEvent.Kind.allCases.flatMap { kind in
    kind == .checkpoint
      ? [EventGroup(kind, isWithinCommits: true), EventGroup(kind)] : [EventGroup(kind)]
  }

  /// The beginning of a sentence.
  var opening: String {
    switch kind {
    case .compaction: "While it compacted automatically"
    case .launchCompaction: "While it compacted at launch"
    case .checkpoint where isWithinCommits: "While a commit made a checkpoint"
    case .checkpoint: "While a client had the log checkpointed"
    case .pin: "While a snapshot was held"
    case .longLog: "While the log was twice its usual length or longer"
    case .stall: "While commits were slowed or stopped until compaction or a flush had caught up"
    case .jobs: "While dispatch jobs were queued or at work"
    case .coldStart: "While it was opened without its files in memory, and 100 ms after"
    case .warmStart: "While it was opened again, and 100 ms after"
    }
  }

  /// The events, for tables and pictures.
  package var title: String {
    switch kind {
    case .compaction: "automatic compaction"
    case .launchCompaction: "compaction at launch"
    case .checkpoint where isWithinCommits: "checkpoint within a commit"
    case .checkpoint: "checkpoint"
    case .pin: "snapshot held"
    case .longLog: "long log"
    case .stall: "write stall"
    case .jobs: "dispatch jobs"
    case .coldStart: "cold start"
    case .warmStart: "warm start"
    }
  }

  /// The mechanism of policies that does it, by its name in an engine's note; nil for none.
  package var mechanism: String? {
    switch kind {
    case .compaction: "automatic"
    case .launchCompaction: "on-launch"
    default: nil
    }
  }
}
