// The limits of an objective.
package import MetricModel

/// What a run must not exceed, whatever it costs; nil for no limit.
package struct ObjectiveLimits: Hashable, Sendable, Codable {
  /// Of the high-water mark.
  package var maxSize: ByteCount?
  /// Of the space that all files need at once, while a compaction copies too.
  package var maxDisk: ByteCount?
  /// Of the time for which a launch is held up, in nanoseconds.
  package var maxLaunch: Int?
  /// Of the bytes that compactions write again in a day, over the whole run.
  package var maxRewritten: ByteCount?

  package init() {}

  package static let none = ObjectiveLimits()

  /// Multiplies the limits of bytes, for a run with so many times the data.
  package mutating func multiply(by times: Int) {
    maxSize = maxSize.map { times * $0 }
    maxDisk = maxDisk.map { times * $0 }
    maxRewritten = maxRewritten.map { times * $0 }
  }

  /// Returns the bytes that compactions may write again in a run of this length; nil for no limit.
  package func maxRewritten(in time: VirtualTime) -> ByteCount? {
    maxRewritten.map { limit in
      let bytes =
        Int128(limit.bytes) * Int128(time.microseconds) / Int128(ByteTime.microsecondsPerDay)
      return ByteCount(Int(bytes))
    }
  }
}
