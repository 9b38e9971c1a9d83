// The decisions of one opening, one for each file that asks for one.
import EngineInterface
import MetricModel
import Policies
import SystemIO

/// Safe to use from many threads: the database may be opened on another one.
final class LaunchDecisions: Sendable {
  private let policy: Policy
  private let recorder: Recorder
  private let freeDisk: ByteCount
  private let program: DecisionProgram?
  private let lock = ThreadMutex()
  private nonisolated(unsafe) var made: [LaunchDecision] = []
  private nonisolated(unsafe) var failure: RunnerError?

  init(
    _ policy: Policy, _ recorder: Recorder, freeDisk: ByteCount, program: DecisionProgram?
  ) {
    self.policy = policy
    self.recorder = recorder
    self.freeDisk = freeDisk
    self.program = program
  }

  /// Returns whether to compact the next file.
  func decide(_ space: SpaceUsage) -> Bool {
    lock.withLock { () -> Bool in
      guard failure == nil else { return false }
      let observation = observation(space, file: made.count)
      do throws(RunnerError) {
        let decision: LaunchDecision
        if let program {
          decision = try program.decide(observation)
        } else {
          decision = policy.decideAtLaunch(observation)
        }
        made.append(decision)
        return decision.compact
      } catch {
        failure = error
        return false
      }
    }
  }

  /// Throws where a program gave no decision.
  func check() throws(RunnerError) {
    let found = lock.withLock { failure }
    if let found { throw found }
  }

  /// Returns the decision on the file with this index among those that asked. A program is not asked again.
  func decision(_ space: SpaceUsage, file: Int) -> LaunchDecision {
    if program != nil {
      let all = lock.withLock { made }
      return all.indices.contains(file)
        ? all[file] : LaunchDecision(compact: false, reason: "the program was not asked")
    }
    return policy.decideAtLaunch(observation(space, file: file))
  }

  private func observation(_ space: SpaceUsage, file: Int) -> Observation {
    recorder.observation(atLaunch: space, freeDisk: freeDisk, file: file)
  }
}
