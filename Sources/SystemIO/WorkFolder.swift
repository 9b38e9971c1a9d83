// Folders for what a process makes and needs no longer when it has ended. A process that is killed removes nothing, so the
// next one does: a folder is abandoned once nothing holds its lock, which the system releases however the process ended.
// Neither its age nor the number of a process would tell that. What is removed has been made by a process like this one:
// it has the mark that each makes in its folder, or nothing in it yet.

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A temporary folder of this process, locked for as long as the object lives.
package final class WorkFolder: Sendable {
  private static let prefix = "compaction-lab"
  private static let mark = ".compaction-lab"
  /// So often another process takes a folder that is being made for an abandoned one, before something else is wrong.
  private static let maxAttempts = 100

  package let path: FilePath
  private let lock: WholeFileLock

  /// Makes the folder in `parent`, or in the system's for temporary files.
  package init(in parent: FilePath? = nil) throws(SystemError) {
    for _ in 0..<Self.maxAttempts {
      let folder = try FileSystem.makeTemporaryFolder(prefix: Self.prefix, in: parent)
      // Until it is locked it counts as abandoned; one that was removed for that reason is made again.
      if let lock = try? WholeFileLock(folder), FileSystem.isOwnFolder(folder) {
        // A folder, since that is there in one step.
        try FileSystem.makeFolders(folder.appending(Self.mark))
        (path, self.lock) = (folder, lock)
        return
      }
    }
    throw SystemError(
      code: EWOULDBLOCK, call: "flock", path: (parent ?? FileSystem.temporaryFolder).string,
      explanation: "a folder for temporary files could not be locked here")
  }

  /// Removes the folder with all it holds.
  package func remove() { try? FileSystem.removeTree(path) }

  /// A folder left by a process that could not remove it.
  package struct Abandoned: Sendable {
    package let path: FilePath
    package let bytes: Int
  }

  /// Removes the folders of this user's that processes which have ended left in `parent`; returns what was removed.
  package static func removeAbandoned(in parent: FilePath? = nil) -> [Abandoned] {
    let parent = parent ?? FileSystem.temporaryFolder
    let names = ((try? FileSystem.list(parent)) ?? []).filter(isTemporaryName)
    return names.compactMap { name in
      let folder = parent.appending(name)
      guard FileSystem.isOwnFolder(folder), let lock = try? WholeFileLock(folder),
        let content = try? FileSystem.list(folder), content.isEmpty || content.contains(mark)
      else { return nil }
      return withExtendedLifetime(lock) {
        let found = Abandoned(path: folder, bytes: FileSystem.allocatedBytes(below: folder))
        do { try FileSystem.removeTree(folder) } catch { return nil }
        return found
      }
    }
  }

  /// Whether a name is one that `init` gives: the prefix and six characters.
  private static func isTemporaryName(_ name: String) -> Bool {
    let suffix = name.dropFirst(prefix.count + 1)
    return name.hasPrefix("\(prefix)-") && suffix.count == 6
      && suffix.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
  }
}
