// A flag that many threads look at in their innermost loop, and one sets.
import Synchronization

final class SharedFlag: Sendable {
  private let value = Atomic<Bool>(false)

  var isSet: Bool { value.load(ordering: .acquiring) }
  func set() { value.store(true, ordering: .releasing) }
}
