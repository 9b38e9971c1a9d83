// What an engine can do and how far its numbers can be trusted. Reports print this; the runner refuses what is absent.
package import MetricModel

package struct EngineCapabilities: Sendable, Codable, Equatable {
  /// How the engine's `SpaceUsage` is obtained.
  package enum Accounting: Sendable, Codable, Equatable {
    /// Every byte is counted once.
    case exact
    /// A part is estimated or absent; the text describes which and how.
    case partial(String)
  }

  /// Which commits wait for the disk although they need not be durable.
  package enum UndurableSyncs: Sendable, Codable, Equatable {
    case none
    /// Now and then, for space to become reusable.
    case some
    case all
  }

  /// How one kind of policy is carried out on this engine.
  package enum Support: Sendable, Codable, Equatable {
    /// Carried out by the engine's mechanism of this name.
    case supported(by: String)
    /// Not possible, with the reason: cells of the report are n/a.
    case notApplicable(reason: String)

    package var isSupported: Bool {
      if case .supported = self { true } else { false }
    }
  }

  /// A line that describes the engine.
  package var summary: String
  /// The library's own version text.
  package var version: String
  package var accounting: Accounting
  /// Running without any compaction at all.
  package var never: Support
  package var automatic: Support
  /// The ways of automatic compaction that may be chosen by name; empty where there is but one.
  package var automaticPresets: [AutomaticPreset]
  /// Setting the thresholds of automatic compaction.
  package var automaticThresholds: Support = .notApplicable(
    reason: "the thresholds of its automatic compaction are fixed")
  package var onLaunch: Support
  /// Whether other processes may have the database at the same time, and how they agree.
  package var otherProcesses: Support
  /// Opening the database twice in one process.
  package var otherOpenings: Support
  /// Versions kept by name in the file, over closing.
  package var savepoints: Support
  /// Encrypting the file.
  package var encryption: Support
  /// A limit on the versions that are readable at once.
  package var versionLimit: Support = .notApplicable(
    reason: "this engine has no limit on versions")
  /// A limit on the addresses that the file is mapped into.
  package var addressLimit: Support = .notApplicable(reason: "it maps no file")
  /// A write-ahead log beside the file, which can be moved into it on demand and kept as one chooses.
  package var log: Support = .notApplicable(reason: "it has no log beside its file")
  /// Steps and bounds in which the file grows and is cut, as one chooses them.
  package var geometry: Support = .notApplicable(reason: "how its file grows is not for choice")
  /// Shortening the file on demand, while it is open, by `shorten`.
  package var shortening: Support = .notApplicable(
    reason: "it does not shorten its file when it is asked to")
  /// Whether the time that a writer waits for the locks of others can be chosen.
  package var busyTimeout: Support = .notApplicable(
    reason: "its writers wait only for each other, without a limit")
  /// Links, lists, embedded objects and indexes of its own.
  package var shapes: Support = .notApplicable(
    reason: "it has rows of key and value, and no objects")
  /// Whether what it writes goes through calls, which the system counts for the process, and repeats exactly. What goes
  /// through the map of a file is not counted. Otherwise the engine's own count is used, where it has one.
  package var writesThroughCalls = true
  /// The file that a compaction leaves behind whose process was killed, until the next compaction; nil for an engine whose
  /// next opening removes whatever there is.
  package var unfinishedCopy: String?
  /// The default settings of the engine, a line for each `Setting`.
  package var settings: [Setting: String] = [:]
  /// Which commits wait for the disk under `Durability.none`.
  package var undurableSyncs: UndurableSyncs = .none
  /// Whether a compacted copy fills its pages anew, so that it may be smaller than the live bytes.
  package var copyRepacksPages = true
  /// Whether opening commits, for automatic compaction to go on, before the launch callback is asked.
  package var commitsBeforeLaunchCallback = false
  /// Whether what a dead process's readers pinned can be freed while the database is open.
  package var freesDeadReadersWhileOpen = true
  /// Whether commits use freed space again while no compaction runs. A log-structured merge tree only appends.
  package var reusesSpaceUncompacted = true
  /// Whether what a snapshot retains is in the file or beside it. It is not where old versions are in memory alone.
  package var retainsVersionsInFiles = true
  /// The bytes by which logs may differ between two moments of like content, as only checkpoints empty them.
  package var logInterval = ByteCount.zero
  /// Whether some free space goes although no compaction was asked for: what is at the file's end, or of deleted row groups.
  package var cutsFreeEnd = false
  /// The free bytes with which a compaction leaves a file as it is.
  package var uncompactedBytes = ByteCount.zero
  /// Whether it reserves space ahead where there is some, and lets the file be sparse where there is none.
  package var canDoWithoutReservations = false
  /// Whether it asks what kind of file system it is on, and accounts for space otherwise on one in memory.
  package var differsInMemory = false
  /// Whether rows that were put can be read again. Only an engine that measures the harness keeps none.
  package var keepsRows: Bool

  package init(
    summary: String, version: String, accounting: Accounting,
    never: Support = .supported(by: "no compaction is asked for"), automatic: Support,
    automaticPresets: [AutomaticPreset] = [], onLaunch: Support,
    otherProcesses: Support = .notApplicable(reason: "its data is in this process alone"),
    otherOpenings: Support = .notApplicable(reason: "a process opens it once"),
    savepoints: Support = .notApplicable(reason: "a version lives no longer than who reads it"),
    encryption: Support = .notApplicable(reason: "this engine does not encrypt"),
    keepsRows: Bool = true
  ) {
    self.summary = summary
    self.version = version
    self.accounting = accounting
    self.never = never
    self.automatic = automatic
    self.automaticPresets = automaticPresets
    self.onLaunch = onLaunch
    self.otherProcesses = otherProcesses
    self.otherOpenings = otherOpenings
    self.savepoints = savepoints
    self.encryption = encryption
    self.keepsRows = keepsRows
  }
}

extension EngineCapabilities {
  /// A setting on which an engine's figures depend, in the order of the page about the engines.
  package enum Setting: String, Sendable, Codable, CaseIterable {
    case durable = "durability full"
    case notDurable = "durability none"
    case pages = "page size"
    case growth = "growth of the file"
    case tables
    case keys
    case addresses = "address space"
    case readers
    case writers
    case cache
  }
}

/// An engine of the catalog: there, or not, with the reason and the cure.
package enum EngineAvailability: Sendable {
  case available(any Engine)
  case unavailable(id: String, reason: String)

  package var id: String {
    switch self {
    case .available(let engine): engine.id
    case .unavailable(let id, _): id
    }
  }
}
