// Violates the invariants of an open database and recomputes every checksum above the change, so that only the check of
// the invariant can detect it.
import SystemIO
import TestSupport

@testable import StorageEngine

/// The newest version of an open database, to be forged. It has one table, keyed by Int64.
struct Forgery {
  let file = FaultyStorageFile()
  let database: Database

  /// 640 rows, so that the root has leaves below it; then one more commit, whose record lists freed blocks.
  init(_ options: DatabaseOptions = Workbench.fast) throws {
    database = try Database.open(file: file, options: options)
    try database.write { transaction, table in
      for key in Int64(0)..<640 { try transaction.put(table, key, row(key, 0, count: 24)) }
    }
    try database.write { transaction, table in try transaction.put(table, 5, [1]) }
  }

  var base: UnsafeRawPointer { file.base }

  var slot: CommitSlot {
    let newest = database.version
    guard let slot = CommitSlot(base, at: Layout.slotOffset(of: newest)) else {
      preconditionFailure("A forged slot stays a slot.")
    }
    return slot
  }

  func root() throws -> BlockRef {
    try RecordChain(slot, base: FileView(plain: base)).newest.tables[0].root.root
  }

  func child(_ index: Int) throws -> BlockRef {
    try Node(base + root().offset).reference(index, .int64)
  }

  private func write(_ bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws {
    try file.write(UnsafeRawBufferPointer(bytes), at: offset)
  }

  /// Changes a block and returns the reference that its parent must have now.
  func edit(
    _ ref: BlockRef, _ change: (UnsafeMutableRawPointer) throws -> Void
  ) throws -> BlockRef {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: ref.space, alignment: 16)
    defer { memory.deallocate() }
    memory.copyMemory(from: UnsafeRawBufferPointer(start: base + ref.offset, count: ref.space))
    guard let start = memory.baseAddress else { return ref }
    try change(start)
    try write(memory, at: ref.offset)
    return BlockRef(
      offset: ref.offset, size: ref.size, birth: ref.birth,
      checksum: Checksum.of(start, count: ref.space, seed: ref.birth))
  }

  /// Changes the root, and its reference in the record.
  func editRoot(_ change: (UnsafeMutableRawPointer, Node) throws -> Void) throws {
    let root = try edit(try root()) { try change($0, Node($0)) }
    try editRecord { $0.tables[0].root.root = root }
  }

  /// Changes a leaf, and the references to it and to the root.
  func editLeaf(_ index: Int, _ change: (UnsafeMutableRawPointer, Node) throws -> Void) throws {
    let leaf = try edit(try child(index)) { try change($0, Node($0)) }
    try editRoot { leaf.store($0, at: Int($1.slot(index, .int64) & 0xFFFF)) }
  }

  /// Changes the newest record, which must not grow, and its reference in the slot.
  func editRecord(_ change: (inout CommitRecord) throws -> Void) throws {
    var slot = slot
    let chain = try RecordChain(slot, base: FileView(plain: base))
    var record = chain.newest
    try change(&record)
    var payload = RecordWriter()
    _ = record.encode(into: &payload)
    let pieces = Array(chain.pieces(ofRecord: chain.count - 1))
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: pieces.reduce(0) { $0 + $1.size }, alignment: 16)
    defer { memory.deallocate() }
    guard let start = memory.baseAddress else { return }
    precondition(payload.count <= memory.count - RecordPiece.headerSize, "The record has grown.")
    slot.record = RecordPiece.fill(start, pieces, with: payload.buffer, version: slot.version)
    var byteOffset = 0
    for piece in pieces {
      try write(
        UnsafeMutableRawBufferPointer(start: start + byteOffset, count: piece.size),
        at: piece.offset)
      byteOffset += piece.size
    }
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: CommitSlot.size, alignment: 16)
    defer { bytes.deallocate() }
    if let start = bytes.baseAddress { slot.encode(into: start) }
    try write(bytes, at: Layout.slotOffset(of: slot.version))
  }

  /// Returns the audit's violations of this rule at this offset.
  func violations(_ rule: String, at offset: Int? = nil) throws -> [String] {
    try database.audit().violations.filter { complaint in
      guard complaint.hasPrefix("\(rule):"), let offset else {
        return complaint.hasPrefix("\(rule):")
      }
      return complaint.contains("offset \(offset)")
    }
  }
}
