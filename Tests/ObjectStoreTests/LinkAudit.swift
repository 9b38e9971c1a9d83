// Checks what the file has of links and collections, from its rows alone: each forward link has its record of the way back,
// and there is no other; sizes, positions and owners are right.
import Foundation
import StorageEngine

@testable import ObjectStore

/// The audit of one version of a file.
struct LinkAudit {
  private let snapshot: Snapshot
  private var classes: [String: FileClass] = [:]
  private var links: [Link: Int] = [:]
  private(set) var problems: [String] = []
  /// The number of forward links that were found.
  var linkCount: Int { links.values.reduce(0, +) }

  private struct Link: Hashable {
    let origin: String
    let column: Int
    let from: RowKey
    let to: RowKey
  }

  /// Audits the newest version of the realm's file.
  init(_ realm: Realm) throws { try self.init(realm.instance.coordinator.database) }

  init(_ database: Database) throws {
    snapshot = try database.beginSnapshot(label: "audit")
    defer { snapshot.end() }
    guard let meta = snapshot.table(SchemaTable.name) else { return }
    for row in try snapshot.rows(meta, prefix: SchemaTable.classPrefix) {
      let stored = try JSONDecoder().decode(StoredClass.self, from: Data(row.value))
      let snapshot = snapshot
      classes[stored.name] = try FileClass(stored) { name, _ in snapshot.table(name) }
    }
    for owner in classes.values { try auditRows(owner) }
    for owner in classes.values { try auditBacklinks(owner) }
    for owner in classes.values where owner.stored.isEmbedded == true { try auditOwners(owner) }
  }

  private func keys(_ table: Table) throws -> [(key: RowKey, value: [UInt8])] {
    var rows: [(RowKey, [UInt8])] = []
    if table.keyKind == .int64 {
      _ = try snapshot.scan(table) { rows.append((.int($0), Array($1))) }
    } else {
      let all = UnsafeRawBufferPointer(start: nil, count: 0)
      _ = try snapshot.scan(table, from: all) { rows.append((.bytes(Array($0)), Array($1))) }
    }
    return rows
  }

  private mutating func auditRows(_ owner: FileClass) throws {
    var elementCounts = Array(repeating: 0, count: owner.columns.count)
    for row in try keys(owner.table) {
      for (index, column) in owner.columns.enumerated() {
        let value = row.value.withUnsafeBytes {
          try? ObjectRecord($0)?.value(index, column.kind)
        }
        let context = "\(owner.stored.name)[\(row.key)].\(column.name)"
        guard let value else {
          problems.append("\(context) cannot be decoded")
          continue
        }
        if column.collection == nil {
          try addLink(owner, index, row.key, value)
        } else {
          elementCounts[index] += try auditElements(owner, index, row.key, value, context)
        }
      }
    }
    for (index, column) in owner.columns.enumerated() {
      guard let elements = column.elements else { continue }
      let count = try snapshot.count(elements)
      if count != elementCounts[index] {
        problems.append(
          "\(owner.stored.name).\(column.name) has \(count) elements, of which owners have \(elementCounts[index])"
        )
      }
    }
  }

  /// Returns the number of elements.
  private mutating func auditElements(
    _ owner: FileClass, _ index: Int, _ key: RowKey, _ header: ColumnValue, _ context: String
  ) throws -> Int {
    let column = owner.columns[index]
    guard let elements = column.elements, let collection = column.collection else { return 0 }
    let prefix = ElementKey.prefix(key)
    let rows = try snapshot.rows(elements, prefix: prefix)
    switch (header, collection.form) {
    case (.null, _): if !rows.isEmpty { problems.append("\(context) is empty and has elements") }
    case (.list(let first, let count), .list):
      let wanted = (0..<count).map { ElementKey.position(first + $0, of: key) }
      if rows.map({ prefix + $0.key }) != wanted || count == 0 {
        problems.append("\(context) has other positions than \(first) and \(count) say")
      }
    case (.members(let count), .set), (.members(let count), .map):
      if rows.count != count || count == 0 {
        problems.append("\(context) counts \(count), not \(rows.count)")
      }
    default: problems.append("\(context) has the size of another collection")
    }
    for row in rows {
      let value =
        collection.form == .set
        ? row.key.withUnsafeBytes { ElementKey.member(collection.elementKind, $0) }
        : row.value.withUnsafeBytes { column.decodeElement($0) }
      guard let value else {
        problems.append("\(context) has an element that cannot be decoded")
        continue
      }
      try addLink(owner, index, key, value)
    }
    return rows.count
  }

  private mutating func addLink(
    _ owner: FileClass, _ index: Int, _ key: RowKey, _ value: ColumnValue
  ) throws {
    guard case .link(let target) = value else { return }
    let column = owner.columns[index]
    links[Link(origin: owner.stored.name, column: index, from: key, to: target), default: 0] += 1
    guard let name = column.target?.name, let table = classes[name]?.table else {
      return problems.append(
        "\(owner.stored.name).\(column.name) links to a class that is not there")
    }
    var exists = false
    switch target {
    case .int(let key): exists = try snapshot.get(table, key) { _ in }
    case .bytes(let key):
      exists = try withBytes(key) { (key) throws(StorageError) in
        try snapshot.get(table, key) { _ in }
      }
    }
    if !exists {
      problems.append("\(owner.stored.name).\(column.name) links to a row that is not there")
    }
  }

  private mutating func auditBacklinks(_ owner: FileClass) throws {
    for (index, column) in owner.columns.enumerated() {
      guard let backlinks = column.backlinks else { continue }
      var wanted: [RowKey: Int] = [:]
      for (link, count) in links where link.origin == owner.stored.name && link.column == index {
        wanted[.bytes(ElementKey.backlink(to: link.to, from: link.from))] = count
      }
      var found: [RowKey: Int] = [:]
      for row in try keys(backlinks) { found[row.key] = Backlink.count(row.value) }
      if found != wanted {
        problems.append("the backlinks of \(owner.stored.name).\(column.name) are not its links")
      }
    }
  }

  private mutating func auditOwners(_ owned: FileClass) throws {
    var owners: [RowKey: Int] = [:]
    for (link, count) in links
    where classes[link.origin]?.columns[link.column].target?.name == owned.stored.name {
      owners[link.to, default: 0] += count
    }
    for row in try keys(owned.table) where owners[row.key] != 1 {
      problems.append("\(owned.stored.name)[\(row.key)] has \(owners[row.key] ?? 0) owners")
    }
  }
}

/// Returns what is wrong with the links of a realm's file.
func linkProblems(_ realm: Realm) throws -> [String] { try LinkAudit(realm).problems }
