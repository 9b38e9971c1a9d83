// Links, lists, embedded objects and indexed columns of rows.
import CRealm
import EngineInterface

extension RealmInstance {
  // MARK: Writing

  /// Replaces what an object has besides its bytes.
  func replace(
    _ parts: RowParts, of object: OpaquePointer, _ table: RealmTable
  ) throws(EngineError) {
    switch (parts, table.parts) {
    case (.links(let targets), .links(let property)?):
      let list = try self.list(object, property)
      defer { realm.call.release(list) }
      try realm.check(realm.call.listClear(list), "replacing links")
      for (index, target) in targets.enumerated() { try link(list, index, to: target, table) }
    case (.columns(let values), .columns(let properties)?):
      for (property, value) in zip(properties, values) {
        try realm.check(
          realm.call.setValue(object, property, crealm_value(value), false), "writing a column")
      }
    case (.tree(let nodes), .tree?): try replaceTree(of: object, nodes, table)
    default: throw wrongShape
    }
  }

  private func link(
    _ list: OpaquePointer, _ index: Int, to key: Int64, _ table: RealmTable
  ) throws(EngineError) {
    guard let target = try find(table, key) else {
      throw EngineError(
        engine: realmCoreID, code: .failed, message: "there is no row \(key) to link to")
    }
    defer { realm.call.release(target) }
    var value = crealm_value()
    value.link = realm.call.objectAsLink(target)
    value.type = UInt32(CREALM_VALUE_LINK)
    try realm.check(realm.call.listInsert(list, index, value), "linking a row")
  }

  private func replaceTree(
    of object: OpaquePointer, _ nodes: [[UInt8]], _ table: RealmTable
  ) throws(EngineError) {
    guard case .tree(let children, let childBytes, let leaves, let leafBytes)? = table.parts else {
      throw wrongShape
    }
    let list = try self.list(object, children)
    defer { realm.call.release(list) }
    try realm.check(realm.call.listClear(list), "replacing embedded objects")
    // n children of n leaves each are n + n² nodes.
    let width = (0...nodes.count).first { $0 + $0 * $0 >= nodes.count } ?? 0
    for child in 0..<width {
      let first = child * (width + 1)
      let made = try insert(list, child, nodes[first], childBytes)
      defer { realm.call.release(made) }
      let leafList = try self.list(made, leaves)
      defer { realm.call.release(leafList) }
      for leaf in 0..<width {
        realm.call.release(try insert(leafList, leaf, nodes[first + 1 + leaf], leafBytes))
      }
    }
  }

  /// Inserts an embedded object, which the caller releases.
  private func insert(
    _ list: OpaquePointer, _ index: Int, _ bytes: [UInt8], _ property: Int64
  ) throws(EngineError) -> OpaquePointer {
    let object = try realm.check(
      realm.call.listInsertEmbedded(list, index), "inserting an embedded object")
    let isSet = bytes.withUnsafeBytes {
      realm.call.setValue(object, property, crealm_value($0), false)
    }
    do throws(EngineError) { try realm.check(isSet, "writing an embedded object") } catch {
      realm.call.release(object)
      throw error
    }
    return object
  }

  /// Calls `body` with the list of a row, and its size.
  func changeList(
    _ table: RealmTable, _ key: Int64,
    _ body: (OpaquePointer, _ size: Int) throws(EngineError) -> Void
  ) throws(EngineError) {
    guard case .list(let property)? = table.parts, let object = try find(table, key) else {
      throw wrongShape
    }
    defer { realm.call.release(object) }
    let list = try self.list(object, property)
    defer { realm.call.release(list) }
    try body(list, try size(list))
  }

  // MARK: Reading

  /// Returns what a row has besides its bytes; nil if there is no such row.
  func parts(_ table: RealmTable, _ key: Int64) throws(EngineError) -> RowParts? {
    guard let object = try find(table, key) else { return nil }
    defer { realm.call.release(object) }
    switch table.parts {
    case nil: throw wrongShape
    case .links(let property)?:
      var targets: [Int64] = []
      try visit(object, property) { value throws(EngineError) in
        let target = try realm.check(
          realm.call.getObject(handle, table.key, value.link.object_key), "reading a link")
        defer { realm.call.release(target) }
        targets.append(try integer(target, table.id))
      }
      return .links(targets.sorted())
    case .list(let property)?:
      var elements: [Int64] = []
      try visit(object, property) { value throws(EngineError) in elements.append(value.integer) }
      return .list(elements)
    case .columns(let properties)?:
      var values: [Int64] = []
      for property in properties { values.append(try integer(object, property)) }
      return .columns(values)
    case .tree(let children, let childBytes, let leaves, let leafBytes)?:
      var nodes: [[UInt8]] = []
      try visitObjects(object, children) { child throws(EngineError) in
        nodes.append(try bytes(child, childBytes))
        try visitObjects(child, leaves) { leaf throws(EngineError) in
          nodes.append(try bytes(leaf, leafBytes))
        }
      }
      return .tree(nodes)
    }
  }

  /// Returns the keys of the rows that have the value in an indexed column, ascending.
  func keys(
    _ table: RealmTable, column: Int, equalTo value: Int64
  ) throws(EngineError) -> [Int64] {
    var keys: [Int64] = []
    try visitResults(
      table, "\(RealmSchema.column(column)) == $0", crealm_value(value), "searching an index"
    ) { object throws(EngineError) in keys.append(try integer(object, table.id)) }
    return keys.sorted()
  }

  private func visit(
    _ object: OpaquePointer, _ property: Int64,
    _ body: (crealm_value) throws(EngineError) -> Void
  ) throws(EngineError) {
    let list = try self.list(object, property)
    defer { realm.call.release(list) }
    for index in 0..<(try size(list)) {
      var value = crealm_value()
      try realm.check(realm.call.listGet(list, index, &value), "reading a list")
      try body(value)
    }
  }

  private func visitObjects(
    _ object: OpaquePointer, _ property: Int64,
    _ body: (OpaquePointer) throws(EngineError) -> Void
  ) throws(EngineError) {
    let list = try self.list(object, property)
    defer { realm.call.release(list) }
    for index in 0..<(try size(list)) {
      let element = try realm.check(
        realm.call.listGetLinkedObject(list, index), "reading an embedded object")
      defer { realm.call.release(element) }
      try body(element)
    }
  }

  private func list(
    _ object: OpaquePointer, _ property: Int64
  ) throws(EngineError) -> OpaquePointer {
    try realm.check(realm.call.getList(object, property), "opening a list")
  }

  private func size(_ list: OpaquePointer) throws(EngineError) -> Int {
    var size = 0
    try realm.check(realm.call.listSize(list, &size), "measuring a list")
    return size
  }

  private func integer(
    _ object: OpaquePointer, _ property: Int64
  ) throws(EngineError) -> Int64 {
    var value = crealm_value()
    try realm.check(realm.call.getValue(object, property, &value), "reading a property")
    return value.integer
  }

  private func bytes(_ object: OpaquePointer, _ property: Int64) throws(EngineError) -> [UInt8] {
    var value = crealm_value()
    try realm.check(realm.call.getValue(object, property, &value), "reading a property")
    return Array(UnsafeRawBufferPointer(start: value.bytes.data, count: value.bytes.size))
  }

  private var wrongShape: EngineError {
    EngineError(
      engine: realmCoreID, code: .unsupported,
      message: "the table was not opened with that shape, or does not have the row")
  }
}
