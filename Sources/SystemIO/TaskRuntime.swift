// The runtime of Swift's tasks, started before bytes are counted: on Linux its first task has libdispatch write 8 bytes to
// an event descriptor of its own, which the process's count of written bytes includes.
import Dispatch

package enum TaskRuntime {
  /// Runs a first task and returns when it has run; after ten seconds in any case, since a process that may have no more
  /// threads or addresses would wait forever.
  package static func start() {
    let hasRun = DispatchSemaphore(value: 0)
    Task.detached { hasRun.signal() }
    _ = hasRun.wait(timeout: .now() + .seconds(10))
  }
}
