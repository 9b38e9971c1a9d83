// Compacted copies to another path, of the newest version or of an open transaction.
public import SystemIO

extension Database {
  /// Writes a compacted copy of the newest version to `path`. The file and its name are durable when this returns.
  /// Errors: `alreadyExists` if `path` exists; `cancelled` if the observer cancels, and nothing of the copy is left
  /// then. Writers are not blocked: the copy is made from a snapshot. It has no savepoints.
  ///
  /// The copy has the access rights of the database's file. If the process may not give it the file's owner, it belongs
  /// to the process's user, and no other user has more rights than for the file. A copy of a database that has no file,
  /// or none any more, is accessible to its owner only.
  ///
  /// The header is written and synced last, so that after a crash the path has a complete database or none. The copy is
  /// encrypted with `encryptionKey`, whatever the database is; plain if that is nil.
  public func writeCopy(
    to path: FilePath, encryptionKey: EncryptionKey? = nil, _ observer: CompactionObserver? = nil
  ) throws(StorageError) {
    let (store, pin) = try withStore { (store) throws(StorageError) in
      (store, try store.readers.pinNewest(label: "compacted copy to \(path)"))
    }
    defer { store.readers.unpin(pin) }
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
        : StorageError(system: error, "The copy cannot be created")
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
      throw addingPath(error, path)
    }
  }
}

extension Database {
  /// If the database's file was removed while it was open, there are no access rights to copy.
  private static func inheritAccess(
    _ copy: any StorageFile, of original: FilePath
  ) throws(SystemError) {
    do throws(SystemError) { try copy.inheritAccess(of: original, as: .copy) } catch {
      guard error.isNotFound else { throw error }
    }
  }
}

extension WriteTransaction {
  /// Writes a compacted copy of what this transaction sees, including its own changes, and continues the transaction.
  /// The copy is durable when this returns, whether or not the transaction is committed. Errors as for
  /// `Database.writeCopy`.
  public func writeCopy(
    to path: FilePath, encryptionKey: EncryptionKey? = nil, _ observer: CompactionObserver? = nil
  ) throws(StorageError) {
    let (writer, database) = try context
    // The copy enters epochs of its own.
    let epoch = writer.pointee.epoch
    epoch.leave()
    defer { epoch.enter() }
    try Database.write(
      CopyContents(writing: writer.pointee), of: database.path, to: path, encryptionKey,
      on: database.volume, observer)
  }
}

extension CopyContents {
  /// The contents that the open write transaction sees.
  init(writing writer: borrowing Writer) {
    version = writer.changes.version
    names = writer.changes.names
    roots = writer.changes.tables.buffer
    source = CopySource(space: writer.changes.tree.space, file: writer.context.file)
    longCopyThreshold = writer.context.options.longCopyThreshold
    liveBytes = writer.liveBytes - writer.changes.freedBytes
    for table in roots where table.root.isDirty {
      liveBytes += Self.bytesInMemory(table.root, table.kind)
    }
  }

  /// Returns the bytes of a dirty node and of the dirty blocks below it.
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
