// The compacted copy into another file, of the newest version or of a transaction that has not ended.
public import SystemIO

extension Database {
  /// Writes a compacted copy of the newest version; durable when this returns, file and name. Error `alreadyExists`
  /// where `path` exists, `cancelled` where the observer wants no more; then nothing of the copy is left. Writers go on
  /// meanwhile: the copy is of a snapshot. It has no savepoints.
  ///
  /// The copy has the access rights of the database's file; where the process may not give it the file's owner, it is the
  /// process's, and no one else may do more with it than with the file. A copy of what has no file, or none any more, is its
  /// owner's alone.
  ///
  /// The header is written and synced last, so what a crash leaves under the name is whole or no database. The copy is
  /// encrypted with `encryptionKey`, whatever the database is; plain where that is nil.
  public func writeCopy(
    to path: FilePath, encryptionKey: EncryptionKey? = nil, _ observer: CompactionObserver? = nil
  ) throws(StorageError) {
    let (store, pin) = try withStore { (store) throws(StorageError) in
      (store, try store.pinNewest(label: "compacted copy to \(path)"))
    }
    defer { store.unpin(pin) }
    try Self.write(
      CopyContents(pin.version, store), of: self.path, to: path, encryptionKey, on: volume, observer
    )
  }

  static func write(
    _ contents: CopyContents, of original: FilePath?, to path: FilePath, _ key: EncryptionKey?,
    on volume: any StorageVolume, _ observer: CompactionObserver?
  ) throws(StorageError) {
    let file: any StorageFile
    do { file = try volume.open(path, .new) } catch {
      throw error.isAlreadyThere
        ? StorageError(.alreadyExists, "\(path) exists; a copy never replaces a file.")
        : StorageError(system: error, "The copy cannot be made")
    }
    do {
      var options = DatabaseOptions()
      options.encryptionKey = key
      let file = try unlocked(file, &options)
      _ = try CopyWriter.write(contents, to: file, observer)
      try file.sync()
      try CopyWriter.writeHeader(to: file)
      if let original { try inheritAccess(file, of: original) }
      try file.sync()
      try volume.syncFolder(path.removingLastComponent())
    } catch {
      try? volume.removeFile(path)
      throw located(error, path)
    }
  }
}

extension Database {
  /// A database whose file was removed while it was open has no access rights to give.
  private static func inheritAccess(
    _ copy: any StorageFile, of original: FilePath
  ) throws(SystemError) {
    do throws(SystemError) { try copy.inheritAccess(of: original, as: .copy) } catch {
      guard error.isNotFound else { throw error }
    }
  }
}

extension WriteTransaction {
  /// Writes a compacted copy of what this transaction sees, its own changes included, and goes on afterwards. The copy
  /// is durable when this returns; whether the transaction is committed has no bearing on it. Errors as
  /// `Database.writeCopy`.
  public func writeCopy(
    to path: FilePath, encryptionKey: EncryptionKey? = nil, _ observer: CompactionObserver? = nil
  ) throws(StorageError) {
    let (store, database) = try place
    try store.withoutWritersVisit { () throws(StorageError) in
      try Database.write(
        CopyContents(writing: store, version), of: database.path, to: path, encryptionKey,
        on: database.volume, observer)
    }
  }
}

extension CopyContents {
  /// What the write transaction that is open sees.
  init(writing store: Store, _ version: UInt64) {
    let state = store.writer
    self.version = version
    names = state.pointee.names
    roots = state.pointee.tables.buffer
    source = CopySource(space: state.pointee.tree.space, file: store.file)
    longCopyThreshold = store.options.longCopyThreshold
    let freed = state.pointee.tree.freed.buffer.reduce(0) { $0 + $1.space }
    liveBytes = state.pointee.liveBytes - freed
    for table in roots where table.root.isDirty {
      liveBytes += Self.bytesInMemory(table.root, table.kind)
    }
  }

  /// The bytes of a node in memory and of what it leads to there.
  private static func bytesInMemory(_ ref: BlockRef, _ kind: KeyKind) -> Int {
    let node = Node(ref.address)
    var bytes = roundedUp(node.size)
    for index in 0..<node.count where node.slot(index, kind) & Node.referenceBit != 0 {
      guard let child = try? node.reference(index, kind), child.isDirty else { continue }
      bytes += node.level > 0 ? bytesInMemory(child, kind) : child.space
    }
    return bytes
  }
}
