// All classes of a file by name, and the columns whose links lead to each: a deletion has to find them, also those of
// classes that the program does not have.
import Foundation
import StorageEngine

/// The classes of a file.
final class LinkCatalog {
  /// A column of a class.
  struct Origin {
    let origin: FileClass
    let column: Int
  }

  /// The value of the file's counter of class changes when the catalog was read.
  let generation: UInt64
  let classes: [String: FileClass]
  private let origins: [String: [Origin]]

  /// Reads the classes.
  init(_ generation: UInt64, _ transaction: WriteTransaction) throws(StorageError) {
    var classes: [String: FileClass] = [:]
    var origins: [String: [Origin]] = [:]
    let meta = try transaction.table(SchemaTable.name, .bytes)
    for row in try transaction.rows(meta, prefix: SchemaTable.classPrefix) {
      guard let stored = try? JSONDecoder().decode(StoredClass.self, from: Data(row.value)) else {
        throw StorageError(.corrupt, "The file has a class whose description cannot be read.")
      }
      let fileClass = try FileClass(stored) { (name, kind) throws(StorageError) in
        try transaction.table(name, kind)
      }
      classes[stored.name] = fileClass
      for (index, column) in fileClass.columns.enumerated() {
        guard let target = column.target else { continue }
        origins[target.name, default: []].append(Origin(origin: fileClass, column: index))
      }
    }
    self.generation = generation
    self.classes = classes
    self.origins = origins
  }

  /// The columns whose links lead to objects of a class.
  func origins(of name: String) -> [Origin] { origins[name] ?? [] }

  /// Returns the file's counter of class changes; nil if no class has had links.
  static func generation(_ transaction: WriteTransaction) throws(StorageError) -> UInt64? {
    let meta = try transaction.table(SchemaTable.name, .bytes)
    guard let bytes = try transaction.value(meta, .bytes(SchemaTable.linkGeneration)),
      bytes.count == 8
    else { return nil }
    return bytes.withUnsafeBytes { $0.littleEndian() }
  }

  /// Counts a change of a class, if one has links, so that other instances read their catalogs again.
  static func recordClassChange(
    _ stored: StoredClass, _ transaction: WriteTransaction
  ) throws(StorageError) {
    let before = try generation(transaction)
    guard before != nil || stored.hasLinks else { return }
    var bytes: [UInt8] = []
    bytes.append(littleEndian: (before ?? 0) + 1)
    let meta = try transaction.table(SchemaTable.name, .bytes)
    try transaction.put(meta, .bytes(SchemaTable.linkGeneration), bytes)
  }
}
