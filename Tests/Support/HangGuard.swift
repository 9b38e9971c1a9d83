// How long a test waits before it counts as hung.
package import Dispatch

/// The limit of tests that could wait forever. It is no measurement: a test's clock runs while others occupy the threads of
/// the pool, so that minutes pass in a test of milliseconds.
package enum HangGuard {
  package static let minutes = 60
  /// The limit of a process that a test starts, whose own time it is.
  package static let processMinutes = 20
  /// When a thread stops to wait for what the test does next: before `.ci/run` takes the silence for a hang.
  package static var waitEnd: DispatchTime { .now() + .seconds(10 * 60) }
}
