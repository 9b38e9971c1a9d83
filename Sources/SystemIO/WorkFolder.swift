// Folders for what a process makes and needs no longer when it has ended. A process that is killed removes nothing, so the
// next one does: a folder is abandoned once nothing holds the lock of the file in it, which the system lets go of however
// the process ended. Neither its age nor the number of a process would tell that.

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A temporary folder of this process, locked for as long as the object lives.
package final class WorkFolder: Sendable {
  private static let prefix = "compaction-lab"
  private static let lockName = ".in-use"

  package let path: FilePath
  private let lock: WholeFileLock

  /// Makes the folder in `parent`, or in the system's for temporary files.
  package init(in parent: FilePath? = nil) throws(SystemError) {
    path = try FileSystem.makeTemporaryFolder(prefix: Self.prefix, in: parent)
    do throws(SystemError) {
      // Under its name the file is locked from the beginning: without the lock the folder would count as abandoned.
      let draft = path.appending("\(Self.lockName).new")
      try FileSystem.write([], to: draft)
      guard let lock = try WholeFileLock(draft) else {
        throw SystemError(code: EWOULDBLOCK, call: "flock", path: draft.string)
      }
      try FileSystem.rename(draft, to: path.appending(Self.lockName))
      self.lock = lock
    } catch {
      try? FileSystem.removeTree(path)
      throw error
    }
  }

  /// Removes the folder with all it holds.
  package func remove() { try? FileSystem.removeTree(path) }

  /// What a process left that could not remove it.
  package struct Abandoned: Sendable {
    package let path: FilePath
    package let bytes: Int
  }

  /// Removes the folders of this user's that processes which have ended left in `parent`; returns what was removed.
  package static func removeAbandoned(in parent: FilePath? = nil) -> [Abandoned] {
    let parent = parent ?? FileSystem.temporaryFolder
    let names = ((try? FileSystem.list(parent)) ?? []).filter { $0.hasPrefix("\(prefix)-") }
    return names.compactMap { name in
      let folder = parent.appending(name)
      // One without the file is being made.
      guard FileSystem.isOwnFolder(folder),
        let lock = try? WholeFileLock(folder.appending(lockName))
      else { return nil }
      return withExtendedLifetime(lock) {
        let found = Abandoned(path: folder, bytes: FileSystem.allocatedBytes(below: folder))
        do { try FileSystem.removeTree(folder) } catch { return nil }
        return found
      }
    }
  }
}
