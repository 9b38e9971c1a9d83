// Compacts a database file, estimates the result, or writes a compacted copy.
import ArgumentParser
import InspectionRendering
import MetricModel
import StorageEngine
import SystemIO

struct CompactCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compact",
    abstract: "Replaces a native database file by a compacted copy of itself.",
    discussion: """
      The copy is written beside the file, synced, and renamed over it: after an interruption at any point the old file \
      or the new one is there, complete. Ctrl-C leaves the file unchanged. A file that would not get shorter is left \
      unchanged too, unless --force is given.

      Exit codes: 0 done, 2 could not be done, 64 usage, 130 interrupted.
      """)

  @Argument(help: "A database file of the native engine.")
  var file: String

  @Flag(
    help: """
      Estimates the result and leaves the file unchanged. To estimate the time, a part of the copy is written beside \
      the file and removed again.
      """)
  var dryRun = false

  @Option(help: "Writes the compacted copy to this new file, and leaves the old one unchanged.")
  var copy: String?

  @Flag(help: "Compacts the file even if it would not get shorter.")
  var force = false

  @OptionGroup var encryption: KeyOption

  @OptionGroup var quiet: QuietOption

  func validate() throws {
    guard !force || copy == nil else {
      throw ValidationError("--force applies to replacing the file, not to --copy; leave one out")
    }
    guard !dryRun || copy == nil else {
      throw ValidationError("--dry-run and --copy exclude each other; leave one out")
    }
  }

  func run() throws {
    let path = FilePath(file)
    do {
      if dryRun {
        try estimate(path)
      } else if let copy {
        try write(path, to: FilePath(copy))
      } else {
        try compact(path)
      }
    } catch let error as StorageError {
      if error.code == .cancelled { throw ExitCode.interrupted }
      throw couldNotRun(DatabaseFile.message(error, path))
    }
  }

  /// Prints what `compact` would do, and ends with the exit code that it would have.
  private func estimate(_ path: FilePath) throws {
    let database = try DatabaseFile.openToRead(path, try encryption.key(), automatic: nil)
    // No time is measured for a file that would be left unchanged.
    let size = try database.estimateCompaction(measuringTime: false)
    let isUnchanged = size.gainsNothing && !force
    let estimate = isUnchanged ? size : try database.estimateCompaction()
    var lines = [
      "\(path): estimate of compacting; the file was not changed",
      "  file now              \(bytes(estimate.before.file))",
      "  file afterwards       \(bytes(estimate.resultBytes))",
    ]
    if isUnchanged {
      lines.append(
        "  nothing to gain: compact would leave the file unchanged, \(Self.unless)")
      return Console.print(lines.joined(separator: "\n"))
    }
    lines += [
      "  bytes to write        \(bytes(estimate.bytesToWrite))",
      "  disk space needed     \(bytes(estimate.diskNeeded))",
      "  disk space available  \(estimate.diskAvailable.map(bytes) ?? "unknown")",
    ]
    let seconds = estimate.nanoseconds.map { "about \((Double($0) / 1e9).threeDigits) s" }
    lines.append("  time                  \(seconds ?? "unknown: no sample could be written")")
    Console.print(lines.joined(separator: "\n"))
    guard FileSystem.isWritable(path) else {
      throw couldNotRun("\(path) would not be compacted: this user may not write it")
    }
    if let skip = estimate.skip { throw couldNotRun("\(path) would not be compacted: \(skip)") }
  }

  private static let unless = "unless --force is given"

  /// Returns whether the file is left unchanged because it would not get shorter, and prints that.
  private func leavesUnchanged(_ path: FilePath) throws -> Bool {
    guard !force else { return false }
    let size: CompactionEstimate
    do {
      // Read-only: nothing may change in or appear beside a file that is to stay unchanged.
      size = try DatabaseFile.openToRead(path, try encryption.key(), automatic: nil)
        .estimateCompaction(measuringTime: false)
    } catch let error as StorageError where error.code == .busy {
      return false
    }
    guard size.gainsNothing else { return false }
    Console.print(
      "\(path): nothing to gain: it has \(bytes(size.before.file)) and would have "
        + "\(bytes(size.resultBytes)); it was left unchanged, \(Self.unless)")
    return true
  }

  private func compact(_ path: FilePath) throws {
    if try leavesUnchanged(path) { return }
    let database = try DatabaseFile.openToWrite(path, try encryption.key())
    // On failure too: the last opening that closes removes the lock file.
    defer { try? database.close() }
    let progress = try CompactionDisplay(isQuiet: quiet.isQuiet)
    let start = Clock.monotonicNanoseconds()
    let outcome: CompactionOutcome
    do {
      outcome = try database.compact { progress.show($0) }
      progress.finish()
    } catch {
      progress.finish()
      throw error
    }
    switch outcome {
    case .compacted(let before, let after, let rewritten):
      try database.close()
      let seconds = (Double(Clock.monotonicNanoseconds() - start) / 1e9).threeDigits
      Console.print(
        "\(path): \(bytes(before.file)) → \(bytes(after.file)), \(bytes(rewritten)) written in "
          + "\(seconds) s")
    case .skipped(.cancelled):
      Console.error("compaction-lab: interrupted; \(path) is unchanged")
      throw ExitCode.interrupted
    case .skipped(let skip):
      throw couldNotRun("\(path) was not compacted: \(skip)")
    }
  }

  private func write(_ path: FilePath, to target: FilePath) throws {
    let key = try encryption.key()
    let database = try DatabaseFile.openToCopy(path, key)
    defer { try? database.close() }
    let progress = try CompactionDisplay(isQuiet: quiet.isQuiet)
    do {
      try database.writeCopy(to: target, encryptionKey: key) { progress.show($0) }
    } catch {
      progress.finish()
      if error.code == .cancelled {
        Console.error("compaction-lab: interrupted; \(target) was not written")
      }
      throw error
    }
    progress.finish()
    let size = try FileSystem.size(of: target).bytes
    Console.print("\(path): \(bytes(database.usage().file)) → \(target): \(bytes(size))")
  }

  private func bytes(_ count: Int) -> String { "\(grouped(count)) B (\(ByteCount(count)))" }
}

extension CompactionEstimate {
  /// Whether the copy would not be shorter than the file. A reason to skip the compaction is reported first.
  fileprivate var gainsNothing: Bool { skip == nil && resultBytes >= before.file }
}

/// The progress of a compaction on one line of a terminal, and its cancellation by the user.
private final class CompactionDisplay: @unchecked Sendable {
  private let cancellation: Cancellation
  private let isDrawn: Bool
  private var shown = -1

  init(isQuiet: Bool) throws {
    isDrawn = !isQuiet && Terminal.isTerminal(.error)
    cancellation = try Cancellation.onSignals()
  }

  func show(_ progress: CompactionProgress) -> CompactionDirective {
    let percent = 100 * progress.bytesDone / max(1, progress.bytesTotal)
    if isDrawn, percent != shown {
      shown = percent
      let bar = String(repeating: "█", count: percent / 5)
      let rest = String(repeating: "░", count: 20 - min(20, percent / 5))
      Console.draw("\r\u{1B}[K\(bar)\(rest) \(percent) % of \(ByteCount(progress.bytesTotal))")
    }
    return cancellation.isRequested ? .cancel : .continue
  }

  func finish() {
    if isDrawn { Console.draw("\r\u{1B}[K") }
  }
}
