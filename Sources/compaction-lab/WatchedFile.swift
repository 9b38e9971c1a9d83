// A database file that is read again and again: its state at a moment, whichever engine wrote it, and what happened to
// the file since the moment before.
import FileFormats
import MetricModel
import RecordModel
import StorageEngine
import SystemIO

/// The state of a watched file at one moment.
struct WatchedState {
  /// What programs call the format: `realm`, `native`.
  var format: String
  var observation: Observation
  var newestVersion: UInt64?
  /// The oldest version that a reader holds; nil without readers, and where no file names them.
  var oldestVersion: UInt64?
  /// The readers of held versions; nil where no file names them.
  var readers: Int?
  /// Whether the figures may be of several states of the file.
  var hasChanged = false
}

struct WatchedFile {
  let path: FilePath
  /// The samples so far, without those that are too old for a display.
  private(set) var samples: [Sample] = []
  private(set) var state: WatchedState?
  /// Why there is no state; nil where there is one.
  private(set) var absence: String?
  private(set) var format = "unknown"
  private var identity: FileIdentity?
  /// The oldest held version, and when it was first seen.
  private var oldest: (version: UInt64, since: VirtualTime)?
  private var isFirst = true

  private static let maxSamples = 4096

  init(_ path: FilePath) { self.path = path }

  /// Reads the file's state at this time, and adds it as a sample. A file that is missing, replaced or damaged is a sample,
  /// too, with the reason among its events.
  mutating func read(at time: VirtualTime) {
    let before = (identity: identity, isAbsent: absence != nil)
    identity = try? FileIdentity(of: path)
    var events: [String] = []
    do throws(WatchError) {
      guard identity != nil else {
        throw WatchError(isFirst || before.identity == nil ? "missing" : "removed")
      }
      let state = try Self.state(of: path)
      self.state = state
      (format, absence) = (state.format, nil)
      if !isFirst, before.identity != identity {
        events.append(before.identity == nil ? "appeared" : "replaced")
      } else if before.isAbsent {
        events.append("readable again")
      }
      if state.hasChanged { events.append("changed while it was read") }
    } catch {
      (state, absence) = (nil, error.reason)
      events.append(error.reason)
    }
    isFirst = false
    let sample = sample(at: time, events.joined(separator: "; "))
    if samples.count == Self.maxSamples { samples.removeFirst(Self.maxSamples / 2) }
    samples.append(sample)
  }

  private mutating func sample(at time: VirtualTime, _ events: String) -> Sample {
    var observation = state?.observation ?? Observation(space: SpaceUsage(file: .zero))
    observation.time = time
    observation.commits = state?.newestVersion.map { Int(clamping: $0) } ?? 0
    if let version = state?.oldestVersion {
      if oldest?.version != version { oldest = (version, time) }
      observation.oldestPinLag = observation.commits - Int(clamping: version)
      observation.oldestPinAge = time - (oldest?.since ?? time)
    } else {
      oldest = nil
    }
    return Sample(
      phase: "watch", observation: observation, written: nil, compactions: 0, rewritten: nil,
      events: events)
  }

  private static func state(of path: FilePath) throws(WatchError) -> WatchedState {
    guard !FileSystem.isFolder(path) else {
      throw WatchError(ForeignDatabase(folder: path)?.notRead ?? "a folder")
    }
    let prefix: [UInt8]
    do { prefix = try FileSystem.read(path, atMost: DatabaseFileReader.prefixBytes) } catch {
      throw WatchError("\(error)")
    }
    guard DatabaseFileReader.format(of: prefix) == nil else {
      do throws(FileFormatError) {
        return WatchedState(try DatabaseFileReader.report(of: path))
      } catch { throw WatchError("unreadable: \(error)") }
    }
    if let foreign = ForeignDatabase(prefix: prefix) { throw WatchError(foreign.notRead) }
    do throws(StorageError) { return try nativeState(of: path) } catch {
      throw WatchError("unreadable: \(error.message)")
    }
  }

  /// Reads the records of a native file, which no program that has it open notices.
  private static func nativeState(of path: FilePath) throws(StorageError) -> WatchedState {
    let database =
      if let image = try DatabaseFile.image(of: path, recordsOnly: true) {
        image.database
      } else {
        try DatabaseFile.openBesideWriters(path, nil)
      }
    defer { try? database.close() }
    let pins = database.oldestPins()
    let observation = Observation(
      space: SpaceUsage(database.usage()), liveVersions: database.versions, pins: pins.count)
    return WatchedState(
      format: "native", observation: observation, newestVersion: database.version,
      oldestVersion: pins.first?.version, readers: pins.count)
  }
}

/// Why a file has no state.
struct WatchError: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}

extension WatchedState {
  init(_ report: FileReport) {
    format = report.format.rawValue
    observation = report.observation
    newestVersion = report.versions.newest
    oldestVersion = report.versions.oldestHeld
    readers = report.versions.readers
    hasChanged = report.consistency != .consistent
  }
}
