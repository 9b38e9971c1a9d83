// One row of timings.csv.
package import MetricModel

/// Times, memory and disk of the machine at one moment of a run.
package struct TimingSample: Hashable, Sendable, Codable {
  /// The time since the repetition began.
  package var elapsedNanoseconds: Int
  package var launch: Int
  package var phase: String
  package var commits: Int
  /// `st_size` and 512 × `st_blocks` of all files of the database.
  package var statSize: ByteCount
  package var statAllocated: ByteCount
  package var residentMemory: ByteCount
  /// The part of it in pages of mapped files, and all that the process has mapped; nil if the system does not report them.
  package var residentFileMemory: ByteCount?
  package var mappedMemory: ByteCount?
  /// The bytes passed to `write`, and those sent to storage, since the process started; nil if the system does not report
  /// them.
  package var processWritten: ByteCount?
  package var storageWritten: ByteCount?
  /// The free space on the file system of the database; nil if the system does not report it.
  package var freeDisk: ByteCount?
  /// The time that the newest launch took to open the database, in nanoseconds; nil before the first.
  package var openNanoseconds: Int?
  /// The latencies of write transactions and of reads that finished since the row before.
  package var commitLatency: LatencySummary
  package var readLatency: LatencySummary
  /// The latencies of single rows written, and of transactions of open loops from their intended times, likewise.
  package var writeLatency: LatencySummary
  package var intendedLatency: LatencySummary
  /// Of transactions of lookups, and of those of open loops from their intended times, likewise.
  package var lookupLatency = LatencySummary.none
  package var lookupIntendedLatency = LatencySummary.none
  /// Of the waits for the write lock, where several writers need it, likewise.
  package var lockWait = LatencySummary.none
  /// The time that sampling took since the repetition began.
  package var samplingNanoseconds: Int

  package init(
    elapsedNanoseconds: Int, launch: Int, phase: String, commits: Int, statSize: ByteCount,
    statAllocated: ByteCount, residentMemory: ByteCount, residentFileMemory: ByteCount? = nil,
    mappedMemory: ByteCount? = nil, processWritten: ByteCount? = nil,
    storageWritten: ByteCount? = nil, freeDisk: ByteCount? = nil, openNanoseconds: Int? = nil,
    commitLatency: LatencySummary = .none, readLatency: LatencySummary = .none,
    writeLatency: LatencySummary = .none, intendedLatency: LatencySummary = .none,
    samplingNanoseconds: Int = 0
  ) {
    self.elapsedNanoseconds = elapsedNanoseconds
    self.launch = launch
    self.phase = phase
    self.commits = commits
    self.statSize = statSize
    self.statAllocated = statAllocated
    self.residentMemory = residentMemory
    self.residentFileMemory = residentFileMemory
    self.mappedMemory = mappedMemory
    self.processWritten = processWritten
    self.storageWritten = storageWritten
    self.freeDisk = freeDisk
    self.openNanoseconds = openNanoseconds
    self.commitLatency = commitLatency
    self.readLatency = readLatency
    self.writeLatency = writeLatency
    self.intendedLatency = intendedLatency
    self.samplingNanoseconds = samplingNanoseconds
  }
}
