// Children of tasks: the waiting is done by a thread of its own, since a thread of the tasks' pool must not wait.

extension ChildProcess {
  /// Runs the program as the synchronous `run` does. Canceling the task kills the child.
  package func run(
    input: [UInt8] = [], limit: Limit? = nil,
    onStart: (@Sendable (Int32) -> Void)? = nil,
    onOutput: (@Sendable ([UInt8]) -> Void)? = nil
  ) async throws(SystemError) -> Outcome {
    let cancellation = try Cancellation()
    let result: Result<Outcome, SystemError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        do throws(SystemError) {
          _ = try SystemThread.start(name: "child") {
            let run = { () throws(SystemError) in
              try self.run(
                input: input, cancellation: cancellation, limit: limit, onStart: onStart,
                onOutput: onOutput)
            }
            continuation.resume(returning: Result(catching: run))
          }
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    } onCancel: {
      cancellation.request()
    }
    return try result.get()
  }
}
