// File systems in memory, mounted for a test: small ones to fill up, and read-only ones, which bind root too.
package import SystemIO

package enum SmallFileSystem {
  /// Mounts a file system of `size`, in the words of tmpfs ("400k"), at `folder` while `body` runs.
  package static func with(
    size: String, at folder: FilePath, _ body: () async throws -> Void
  ) async throws {
    guard
      try await run("mount", ["-t", "tmpfs", "-o", "size=\(size)", "tmpfs", folder.string])
    else { throw Failure.mount }
    var failure: (any Error)?
    do { try await body() } catch { failure = error }
    try await unmount(folder)
    if let failure { throw failure }
  }

  /// Makes the file system that is mounted at `folder` read-only.
  package static func makeReadOnly(_ folder: FilePath) async throws {
    guard try await run("mount", ["-o", "remount,ro", folder.string]) else {
      throw Failure.remount
    }
  }

  /// Whether the system lets this process mount one: on Linux, root's processes outside a sandbox.
  package static let isAvailable: @Sendable () async throws -> Bool = {
    do {
      try await withTemporaryFolder { try await with(size: "64k", at: $0) {} }
      return true
    } catch is Failure {
      return false
    }
  }

  /// Unmounts it, if need be after ten seconds: a process that another test starts has this process's open files until it runs
  /// its own program, and keeps the file system busy with them.
  private static func unmount(_ folder: FilePath) async throws {
    for _ in 0..<100 {
      if try await run("umount", [folder.string]) { return }
      try await Task.sleep(for: .milliseconds(100))
    }
    throw Failure.unmount
  }

  /// Returns whether the program exists and succeeds.
  private static func run(_ program: String, _ arguments: [String]) async throws -> Bool {
    guard let path = ChildProcess.findExecutable(program) else { return false }
    return try await ChildProcess(path, arguments: arguments).run().ending.isSuccess
  }

  private enum Failure: Error { case mount, remount, unmount }
}
