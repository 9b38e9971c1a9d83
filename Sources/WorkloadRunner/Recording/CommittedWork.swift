// The work of one write transaction, as its client reports it to the recorder.
struct CommittedWork {
  var pace: CommitPace
  var operations = 0
  var requestedBytes = 0
  /// The time from the request for the write lock until the commit returned.
  var nanoseconds: UInt64 = 0
  /// When the commit returned, on the machine's clock; nil for a transaction that the timeline leaves out.
  var end: UInt64?
  /// The time from the scheduled beginning until the commit returned, on the machine's clock; nil in a closed loop and on
  /// the virtual clock.
  var sinceIntended: UInt64?
  /// How long it waited for the write lock; nil where it is the only writer of its phase, or on the virtual clock.
  var lockWait: UInt64?
  /// A sum over all bytes that were read, which keeps the compiler from removing the reads.
  var touched: UInt64 = 0

  /// When the transaction began, on the machine's clock; nil where its end is.
  var begin: UInt64? { end.map { $0 - nanoseconds } }

  init(pace: CommitPace) { self.pace = pace }
}
