// A list that is written once and then read: the free list of a checkpoint. It can be long, and the memory of a long array
// would stay with the C library (RawBuffer.swift).

struct LongList<Element: BitwiseCopyable>: RandomAccessCollection, ExpressibleByArrayLiteral {
  private final class Storage {
    let list: UniqueList<Element>

    init(_ list: consuming UniqueList<Element>) { self.list = list }
  }

  /// nil for an empty list: nearly all commits have no free list.
  private let storage: Storage?

  init() { storage = nil }

  init(_ list: consuming UniqueList<Element>) {
    storage = list.isEmpty ? nil : Storage(list)
  }

  init(arrayLiteral elements: Element...) {
    var list = UniqueList<Element>(capacity: elements.count)
    for element in elements { list.append(element) }
    self.init(list)
  }

  var startIndex: Int { 0 }
  var endIndex: Int { storage?.list.count ?? 0 }

  subscript(index: Int) -> Element {
    guard let storage else { preconditionFailure("An empty list has no element \(index).") }
    precondition(
      index >= 0 && index < storage.list.count, "An element that is read is in the list.")
    return storage.list.buffer[index]
  }

  /// Calls `body` with the bytes of these elements.
  func withBytes<Result>(
    _ location: Range<Int>, _ body: (UnsafeRawBufferPointer) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    guard let storage else { return try body(UnsafeRawBufferPointer(start: nil, count: 0)) }
    defer { withExtendedLifetime(storage) {} }
    let elements = UnsafeBufferPointer(rebasing: storage.list.buffer[location])
    return try body(UnsafeRawBufferPointer(elements))
  }
}
