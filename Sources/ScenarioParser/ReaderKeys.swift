// Clients that read: threads that block, dispatch queues, and windows of frozen objects.
import Generators
import ScenarioModel

extension ScenarioKeys {
  static let reader = Block.client("reader", ReaderSpec(table: ""), on: \.table) {
    Key.reads(\.reads)
    Key.keys(\.keys)
    Key(
      "while-blocked", \.whileBlocked,
      .phrases([
        .words("holds", .holds), .words("invalidates", .invalidates),
        .number("refreshes every n commits", 1...1_000_000) { .refreshes(everyCommits: $0) },
      ]),
      "What becomes of the read transaction while the thread is blocked.")
  }

  static let queues = Block.client(
    "queues", QueueSpec(table: "", release: .atEndOfBlock), on: \.table
  ) {
    Key("queues", \.queues, .count(1...64), "Dispatch queues; jobs go to them in turn.")
    Key("concurrent", \.isConcurrent, .flag, "Whether the queues are concurrent.")
    Key(
      "targeted", \.isTargeted, .flag,
      "Whether all target one serial queue, so that one job runs at a time.")
    Key("job-every", \.jobEveryCommits, .commits(1...1_000_000).scalable, "When a job is given.")
    Key.reads(\.reads)
    Key.keys(\.keys)
    Key(
      "release", \.release,
      .phrases([
        .words("at end of block", .atEndOfBlock),
        .number("after n commits", 1...1_000_000) { .late(afterCommits: $0) },
        .number("when idle for n commits", 1...1_000_000) { .idle(forCommits: $0) },
        .words("never", .never),
      ]), default: .required,
      "When the handle that a job opened is released.")
  }

  static let frozen = Block.client("frozen", FrozenSpec(table: "", window: 1), on: \.table) {
    Key(
      "take-every", \.takeEveryCommits, .commits(1...1_000_000).scalable,
      "When the next snapshot is taken.")
    Key(
      "window", \.window, .count(1...100_000).or("unlimited", 0), default: .required,
      "Snapshots held at once; the oldest is released when the window is full.")
    Key.reads(\.reads)
    Key.keys(\.keys)
  }
}
