// The dry run of a compaction.
import SystemIO

extension Database {
  /// The minimum number of live bytes in a sample of the copy.
  private static let sampleBytes = 48 << 20

  /// Estimates the result of `compact()`. The size is exact: the walk that writes the copy runs without a file. The
  /// duration is measured on a sample, unless `measuringTime` is false or a compaction would be skipped: the first part
  /// of the copy is written beside the file, synced and removed. The database is not changed. One that was opened
  /// read-only is estimated as if it were not, so that a dry run needs no other access.
  public func estimateCompaction(
    measuringTime: Bool = true
  ) throws(StorageError) -> CompactionEstimate {
    let (store, pin) = try withStore { (store) throws(StorageError) in
      (store, try store.readers.pinNewest(label: "estimate of a compaction"))
    }
    let before = store.fileAccount
    let size: CopySize
    do throws(StorageError) {
      size = try CopyWriter.measure(CopyContents(pin.version, store))
    } catch {
      store.readers.unpin(pin)
      throw error
    }
    store.readers.unpin(pin)
    let sealing = store.file.encryptionOverhead(ofCopy: size.fileBytes)
    let result = size.fileBytes + sealing
    var estimate = CompactionEstimate(
      before: before, resultBytes: result, bytesToWrite: size.bytesWritten + sealing,
      diskNeeded: result,
      diskAvailable: path.flatMap { try? volume.freeBytes(at: $0) })
    // The sample is written under the write lock and with the temporary name of a compaction: the next opening removes
    // what a crash leaves.
    guard let access = try store.tryAcquireWriteLock() else {
      estimate.skip = .writeTransactionOpen
      return estimate
    }
    estimate.skip = skipReason(store, needed: result)
    guard measuringTime, estimate.skip == nil, let path else { return estimate }
    let newest = access.store.readers.newest
    do {
      estimate.nanoseconds = try sample(
        CopyContents(newest, store), size.bytesWritten, path, store.options.encryptionKey)
    } catch let error as CompactionRefusal {
      estimate.skip = error.skip
    } catch let error as StorageError where error.code == .corrupt {
      // The compaction would meet the same damage.
      throw error
    } catch {
      // Without a sample the time is unknown.
    }
    return estimate
  }

  /// Returns the time for `bytes` in nanoseconds, scaled from that of the first part of the copy.
  private func sample(
    _ contents: CopyContents, _ bytes: Int, _ path: FilePath, _ key: EncryptionKey?
  ) throws -> UInt64 {
    let temporary = Self.temporaryPath(path)
    try volume.removeFile(temporary)
    let start = Clock.monotonicNanoseconds()
    let locked: any StorageFile
    do throws(SystemError) { locked = try volume.open(temporary, .new) } catch {
      guard error.isPermissionDenied else { throw error }
      throw CompactionRefusal(skip: .folderNotWritable(error))
    }
    defer { try? volume.removeFile(temporary) }
    try Self.inheritAccess(locked, of: path, as: .draft)
    // The contents of an encrypted file must not get to the disk as plain bytes.
    var keyed = options
    keyed.encryptionKey = key
    let file = try Self.unlocked(locked, &keyed)
    try Self.writeSample(contents, to: file)
    if options.durability == .full { try file.sync() }
    let elapsed = Double(Clock.monotonicNanoseconds() - start)
    return UInt64(elapsed * max(1, Double(bytes) / Double(max(1, file.bytesWritten))))
  }

  /// Writes the first part of the copy.
  private static func writeSample(
    _ contents: CopyContents, to file: any StorageFile
  ) throws(StorageError) {
    do throws(StorageError) {
      _ = try CopyWriter.write(contents, to: file) {
        $0.bytesDone < sampleBytes ? .continue : .cancel
      }
    } catch {
      guard error.code == .cancelled else { throw error }
    }
  }
}
