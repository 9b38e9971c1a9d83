// A disk of a certain size, for one process and its children: a file system in memory that is mounted on a folder where
// only they see it. A mount needs a right that no process has outside, and each has inside of a namespace of its own,
// where the system allows one; `unshare` makes it, because a process that has threads cannot.
import CPlatform

package enum LimitedDisk {
  /// A size that no scenario comes to: what has no limit at first cannot be given one later.
  package static let unlimitedBytes = 64 << 30

  /// The commands that let a program mount, tried in this order.
  private static let wrappings = [["--mount"], ["--user", "--map-root-user", "--mount"]]

  /// The child as one that may mount, or why there can be none. `trial` is what the child is asked in order to find out:
  /// arguments with which the program mounts something and ends.
  package static func find(
    for executable: FilePath, trial: [String]
  ) -> Result<Wrapping, Absence> {
    #if os(Linux)
      guard let unshare = ChildProcess.findExecutable("unshare") else {
        return .failure(Absence(reason: "a disk of limited size needs the program unshare"))
      }
      var words = ""
      for flags in wrappings {
        let wrapping = Wrapping(program: unshare, flags: flags)
        do {
          let outcome = try wrapping.child(executable, trial).run()
          if outcome.ending.isSuccess { return .success(wrapping) }
          words = outcome.errorText.split(separator: "\n").first.map(String.init) ?? ""
        } catch { words = "\(error)" }
      }
      return .failure(
        Absence(reason: "this system allows no mount of a disk of limited size: \(words)"))
    #else
      return .failure(Absence(reason: "a disk of limited size is made on Linux only"))
    #endif
  }

  package struct Absence: Error, Sendable {
    package let reason: String
  }

  /// The command by which a program is started that may mount.
  package struct Wrapping: Sendable, Hashable {
    let program: FilePath
    let flags: [String]

    package func child(
      _ executable: FilePath, _ arguments: [String], environment: [String: String?] = [:]
    ) -> ChildProcess {
      ChildProcess(
        program, arguments: flags + ["--", executable.string] + arguments, environment: environment)
    }
  }

  /// Puts a disk of so many bytes on the folder, nil for as many as memory has; only in a process that was begun by a
  /// `Wrapping`. What the folder holds is hidden by it.
  package static func mount(at folder: FilePath, bytes: Int?) throws(SystemError) {
    try mount(folder, bytes, again: 0)
  }

  /// Takes the disk off the folder, with all that it holds.
  package static func unmount(at folder: FilePath) throws(SystemError) {
    let result = cplatform_unmount_memory(folder.string)
    guard result == 0 else {
      throw SystemError(code: result, call: "umount2", path: folder.string)
    }
  }

  /// Gives the disk of the folder another size. Error `EINVAL` where more is in use.
  package static func resize(at folder: FilePath, bytes: Int?) throws(SystemError) {
    try mount(folder, bytes, again: 1)
  }

  private static func mount(
    _ folder: FilePath, _ bytes: Int?, again: Int32
  ) throws(SystemError) {
    let result = cplatform_mount_memory(folder.string, Int64(bytes ?? unlimitedBytes), again)
    guard result == 0 else {
      throw SystemError(code: result, call: "mount", path: folder.string)
    }
  }
}
