// The values of an object by column: an unmanaged object has them in its wrappers.

extension ObjectBase {
  func value(of column: Column) -> ColumnValue {
    row?.value(column.index) ?? unmanagedValues()[column.index]
  }

  /// Returns the values of an unmanaged object by column.
  func unmanagedValues() -> [ColumnValue] {
    unmanagedValues(ObjectClass.of(type(of: self)).wrappers)
  }

  func unmanagedValues(_ wrappers: [WrapperLayout]?) -> [ColumnValue] {
    if let wrappers { return wrappers.map { $0.value(in: self) } }
    var values: [ColumnValue] = []
    ObjectClass.visitProperties(of: self) { _, property in values.append(property.unmanagedValue) }
    return values
  }

  /// Returns what the columns of an unmanaged object contain.
  func unmanagedContents(_ objectClass: ObjectClass) -> [PropertyContent] {
    if let wrappers = objectClass.wrappers { return wrappers.map { $0.content(in: self) } }
    var contents: [PropertyContent] = []
    ObjectClass.visitProperties(of: self) { _, property in
      contents.append(property.unmanagedContent)
    }
    return contents
  }

  /// Informs the wrappers that the object has become managed.
  func wrappersDidBecomeManaged(_ row: ManagedRow) {
    guard row.info.schema.hasLinks else { return }
    if let wrappers = row.info.wrappers {
      for (column, wrapper) in wrappers.enumerated() {
        wrapper.ownerDidBecomeManaged(self, ManagedProperty(row, column))
      }
      return
    }
    var column = 0
    ObjectClass.visitProperties(of: self) { _, property in
      property.ownerDidBecomeManaged(ManagedProperty(row, column))
      column += 1
    }
  }

  /// Returns what a column contains, of a managed or unmanaged object.
  func content(of column: Column, _ objectClass: ObjectClass) -> PropertyContent {
    guard let row else { return unmanagedContents(objectClass)[column.index] }
    return ManagedProperty(row, column.index).content()
  }

  func unmanagedValue(_ column: Int, _ wrappers: [WrapperLayout]?) -> ColumnValue {
    wrappers.map { $0[column].value(in: self) } ?? unmanagedValues(wrappers)[column]
  }

  /// Sets the columns for which `values` has nil to the values of an unmanaged object.
  @inline(__always)
  func fill(_ values: inout [ColumnValue?], _ wrappers: [WrapperLayout]?) {
    guard let wrappers else { return fillByReflection(&values) }
    for index in values.indices where values[index] == nil {
      values[index] = wrappers[index].value(in: self)
    }
  }

  @inline(never)
  private func fillByReflection(_ values: inout [ColumnValue?]) {
    let own = unmanagedValues(nil)
    for index in values.indices where values[index] == nil { values[index] = own[index] }
  }
}
