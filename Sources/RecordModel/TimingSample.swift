// One row of timings.csv.
package import MetricModel

/// What the machine showed at one moment of a run.
package struct TimingSample: Hashable, Sendable, Codable {
  /// Since the repetition began.
  package var elapsedNanoseconds: Int
  package var launch: Int
  package var phase: String
  package var commits: Int
  /// `st_size` and 512 × `st_blocks` of all files of the database.
  package var statSize: ByteCount
  package var statAllocated: ByteCount
  package var residentMemory: ByteCount
  /// What of it are pages of mapped files, and what the process has mapped of files and memory in all; nil where the
  /// system does not tell.
  package var residentFileMemory: ByteCount?
  package var mappedMemory: ByteCount?
  /// Since the process began: handed to `write` and its kin, and sent to storage; nil where the system does not tell.
  package var processWritten: ByteCount?
  package var storageWritten: ByteCount?
  /// What is left on the file system of the database; nil where the system does not tell.
  package var freeDisk: ByteCount?
  /// How long the newest launch took to open the database, in nanoseconds; nil before the first had it.
  package var openNanoseconds: Int?
  /// Of write transactions and of reads that ended since the row before.
  package var commitLatency: LatencySummary
  package var readLatency: LatencySummary
  /// Of single rows written, and of transactions of open loops from their intended times, likewise.
  package var writeLatency: LatencySummary
  package var intendedLatency: LatencySummary
  /// What sampling took since the repetition began.
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
