// The tables and the history of a Realm file: for each the bytes of all arrays that are reached from it.
import SystemIO

/// The bytes of a copy whose references are of another width than the file's.
struct RealmCopySizes {
  private(set) var lower = 0
  private(set) var upper = 0

  /// Adds an array. A copy has the same numbers, and its references are smaller or greater than here.
  mutating func add(_ header: RealmArrayHeader, logical: Int) {
    guard header.hasReferences, header.isPacked else {
      lower += header.arrayBytes
      upper += header.arrayBytes
      return
    }
    lower += RealmArrayHeader.bytes
    let needed = logical < 1 << 15 ? 16 : logical < 1 << 31 ? 32 : 64
    upper += RealmArrayHeader.bytes + (header.count * max(header.width, needed) + 63) / 64 * 8
  }
}

extension RealmWalk {
  /// Walks every table, and returns the bytes of all with the arrays of their names and references.
  mutating func walkTables(_ top: inout RealmArrayReader) throws(SystemError) -> Int {
    var bytes = 0
    guard let namesAt = try top.element(RealmTopSlot.tableNames),
      let tablesAt = try top.element(RealmTopSlot.tables),
      let names = try array(at: namesAt, "the tables' names"),
      var tables = try array(at: tablesAt, "the list of tables")
    else { return 0 }
    for array in [names, tables] {
      bytes += array.header.arrayBytes
      count(array)
    }
    guard tables.header.hasReferences else {
      if tables.count > 0 {
        problems.add("the list of tables holds no references")
        isComplete = false
      }
      return bytes
    }
    for index in 0..<tables.count {
      guard let reference = try tables.element(index) else { break }
      // Odd elements are free for new tables.
      guard reference != 0, reference & 1 == 0 else { continue }
      let stored = try names.string(index) ?? "table \(index)"
      let isClass = stored.hasPrefix("class_")
      var usage = TreeUsage(
        name: isClass ? String(stored.dropFirst(6)) : stored, kind: isClass ? .table : .other,
        root: reference)
      try walk(reference, &usage)
      if isClass { usage.entries = try rows(ofTable: reference) }
      bytes += usage.bytes
      trees.add(usage)
      if arrays >= Self.maxArrays { break }
    }
    return bytes
  }

  /// Walks the history, and returns its bytes.
  mutating func walkHistory(_ top: inout RealmArrayReader) throws(SystemError) -> Int {
    if let type = try top.element(RealmTopSlot.historyType) {
      historyType = RealmTopSlot.untagged(type)
    }
    guard let reference = try top.element(RealmTopSlot.history), reference != 0, reference & 1 == 0
    else { return 0 }
    var usage = TreeUsage(name: "history", kind: .other, root: reference)
    try walk(reference, &usage)
    return usage.bytes
  }

  private mutating func count(_ array: RealmArrayReader) {
    arrays += 1
    reachedBytes += array.header.arrayBytes
    sizes.add(array.header, logical: logical)
    grid.add(array.offset, array.header.arrayBytes, .live)
  }

  /// Adds all arrays that are reached from one. Without a map of visited arrays, which would take a bit for each 8 bytes: a
  /// cycle, or an array with two parents, is found when more is reached than the file has.
  private mutating func walk(
    _ root: Int, _ usage: inout TreeUsage
  ) throws(SystemError) {
    var levels: [(array: RealmArrayReader, next: Int)] = []
    var reference: Int? = root
    while true {
      if let next = reference {
        let visit = try visit(next, &usage)
        if visit.mustEnd { return }
        usage.depth = max(usage.depth, levels.count + 1)
        if let array = visit.array, array.header.hasReferences, array.header.isPacked,
          array.header.width > 0
        {
          levels.append((array, 0))
        }
        if levels.count > Self.maxDepth {
          problems.add("\(usage.name) is deeper than \(Self.maxDepth) arrays")
          (isComplete, usage.isComplete) = (false, false)
          return
        }
      }
      guard let last = levels.indices.last else { return }
      reference = nil
      while reference == nil, levels[last].next < levels[last].array.count {
        let element = try levels[last].array.element(levels[last].next) ?? 0
        levels[last].next += 1
        if element != 0, element & 1 == 0 { reference = element }
      }
      if reference == nil { levels.removeLast() }
    }
  }

  /// Counts an array, and returns it unless it is damaged; and whether the walk must end.
  private mutating func visit(
    _ reference: Int, _ usage: inout TreeUsage
  ) throws(SystemError) -> (array: RealmArrayReader?, mustEnd: Bool) {
    let name = usage.name
    guard let array = try array(at: reference, "an array of \(name)") else {
      usage.isComplete = false
      return (nil, false)
    }
    count(array)
    usage.pages += 1
    usage.bytes += array.header.arrayBytes
    if reachedBytes > logical {
      problems.add("more is reached than the file has: arrays form a cycle, or have two parents")
    } else if arrays >= Self.maxArrays {
      problems.add("\(name) was left after \(arrays) arrays: sizes of tables are lower bounds")
    } else {
      return (array, false)
    }
    (isComplete, usage.isComplete) = (false, false)
    return (nil, true)
  }
}
