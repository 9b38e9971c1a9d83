// A growable list that owns its memory. An Array cannot hold noncopyable elements, and stored in a class it costs an
// exclusivity check and a uniqueness check at each access; the writer's lists are accessed many times in each commit.

struct UniqueList<Element: ~Copyable>: ~Copyable {
  private var memory: RawBuffer
  private var start: UnsafeMutablePointer<Element>
  private(set) var count = 0
  private var capacity: Int

  init(capacity: Int = 16) {
    precondition(capacity >= 0, "The capacity of a list is a number of elements.")
    self.capacity = capacity
    memory = Self.allocate(capacity)
    start = memory.start.assumingMemoryBound(to: Element.self)
  }

  deinit { start.deinitialize(count: count) }

  private static func allocate(_ capacity: Int) -> RawBuffer {
    RawBuffer(
      count: max(1, capacity * MemoryLayout<Element>.stride),
      alignment: max(16, MemoryLayout<Element>.alignment))
  }

  var isEmpty: Bool { count == 0 }

  @inline(__always)
  mutating func append(_ element: consuming Element) {
    if count == capacity { grow() }
    (start + count).initialize(to: element)
    count &+= 1
  }

  @inline(never)
  private mutating func grow() {
    reallocate(max(4, capacity * 2))
  }

  private mutating func reallocate(_ newCapacity: Int) {
    let other = Self.allocate(newCapacity)
    let newStart = other.start.assumingMemoryBound(to: Element.self)
    newStart.moveInitialize(from: start, count: count)
    memory = other
    start = newStart
    capacity = newCapacity
  }

  /// Makes room for so many elements in all.
  mutating func reserveCapacity(_ newCapacity: Int) {
    if newCapacity > capacity { reallocate(newCapacity) }
  }

  /// Removes an element and returns it; those after it move up.
  mutating func remove(at index: Int) -> Element {
    precondition(index >= 0 && index < count, "An element that is removed is in the list.")
    let element = (start + index).move()
    (start + index).moveInitialize(from: start + index + 1, count: count - index - 1)
    count -= 1
    return element
  }

  /// Removes all elements. The memory is retained.
  mutating func removeAll() {
    start.deinitialize(count: count)
    count = 0
  }

  /// Removes all elements. Of the memory, that for `limit` elements is retained at most.
  mutating func removeAll(retaining limit: Int) {
    removeAll()
    if capacity > limit { reallocate(limit) }
  }

  /// Returns the number of elements for which `isBefore` is true. They must come before all others, which a binary search
  /// relies on.
  @inline(__always)
  func prefixCount(where isBefore: (borrowing Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if isBefore(start[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  subscript(index: Int) -> Element {
    @inline(__always)
    _read {
      assert(index >= 0 && index < count, "An element that is read is in the list.")
      yield start[index]
    }
    @inline(__always)
    _modify {
      assert(index >= 0 && index < count, "An element that is changed is in the list.")
      yield &start[index]
    }
  }
}

extension UniqueList where Element: BitwiseCopyable {
  /// The elements; valid until the next call that changes the list.
  @inline(__always)
  var buffer: UnsafeMutableBufferPointer<Element> {
    UnsafeMutableBufferPointer(start: start, count: count)
  }

  /// A copy of the elements.
  var array: [Element] { Array(buffer) }

  /// Returns the address of an element; valid until an element is appended.
  @inline(__always)
  func address(of index: Int) -> UnsafeMutablePointer<Element> {
    precondition(index >= 0 && index < count, "An element whose address is used is in the list.")
    return start + index
  }

  /// Appends at most `room` elements: `fill` stores them from the address that it is given, and returns how many.
  @inline(__always)
  mutating func append(atMost room: Int, _ fill: (UnsafeMutablePointer<Element>) -> Int) {
    while capacity &- count < room { grow() }
    let added = fill(start + count)
    assert(added >= 0 && added <= room, "No more is appended than there is room for.")
    count &+= added
  }

  var last: Element? { count > 0 ? start[count - 1] : nil }

  /// Removes the last element and returns it; nil if the list is empty.
  mutating func popLast() -> Element? {
    guard count > 0 else { return nil }
    count -= 1
    return start[count]
  }

  /// Inserts an element before the one at `index`.
  mutating func insert(_ element: Element, at index: Int) {
    precondition(index >= 0 && index <= count, "An element is inserted within the list.")
    append(element)
    guard index < count - 1 else { return }
    (start + index + 1).update(from: start + index, count: count - 1 - index)
    start[index] = element
  }
}
