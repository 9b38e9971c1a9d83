// A growable list that owns its elements: the list and its elements are destroyed with the value that has it. An Array
// cannot hold noncopyable elements, and stored in a class it costs an exclusivity check and a uniqueness check at each
// access.

struct UniqueList<Element: ~Copyable>: ~Copyable {
  private var start: UnsafeMutablePointer<Element>
  private(set) var count = 0
  private var capacity: Int

  init(capacity: Int = 16) {
    precondition(capacity > 0, "A list has space for one element at least.")
    self.capacity = capacity
    start = .allocate(capacity: capacity)
  }

  deinit {
    start.deinitialize(count: count)
    start.deallocate()
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
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity * 2)
    larger.moveInitialize(from: start, count: count)
    start.deallocate()
    start = larger
    capacity *= 2
  }

  /// Removes an element and returns it; those after it move up.
  mutating func remove(at index: Int) -> Element {
    precondition(index >= 0 && index < count, "An element that is removed is in the list.")
    let element = (start + index).move()
    (start + index).moveInitialize(from: start + index + 1, count: count - index - 1)
    count -= 1
    return element
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
  var buffer: UnsafeMutableBufferPointer<Element> {
    UnsafeMutableBufferPointer(start: start, count: count)
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
