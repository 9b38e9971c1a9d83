// What is done when a thread ends: work that waits for a turn of its run loop would wait for ever.
import Foundation

/// The actions of a thread's end.
final class ThreadEnd {
  private static let name = "ObjectStore.ThreadEnd"
  private var actions: [() -> Void] = []

  /// The thread's dictionary is released when the thread ends.
  deinit { for action in actions { action() } }

  /// Has `action` called when the calling thread ends.
  static func perform(_ action: @escaping () -> Void) {
    let state = Thread.current.threadDictionary
    let end = state[name] as? ThreadEnd ?? ThreadEnd()
    end.actions.append(action)
    state[name] = end
  }
}
