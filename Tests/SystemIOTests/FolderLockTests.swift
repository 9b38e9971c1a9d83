// Locks on folders: one at a time, and nothing to do with the files within.
import Synchronization
import SystemIO
import TestSupport
import Testing

@Suite("Locks on folders")
struct FolderLockTests {
  @Test("who comes second has it only once the first gave it up; another folder is free")
  func order() throws {
    try withTemporaryFolder { folder in
      let isGivenUp = Atomic(false)
      let first = try FolderLock(folder)
      let second = try SystemThread.start(name: "second") {
        guard let lock = try? FolderLock(folder) else { return }
        let wasGivenUp = isGivenUp.load(ordering: .acquiring)
        #expect(wasGivenUp)
        lock.release()
      }
      let other = folder.appending("other")
      try FileSystem.makeFolders(other)
      try FolderLock(other).release()
      isGivenUp.store(true, ordering: .releasing)
      first.release()
      second.join()
      // A second release does nothing, and the next caller gets the lock.
      first.release()
      try FolderLock(folder).release()
    }
  }

  @Test("a folder that is not there is an error, and files within can be locked beside it")
  func files() throws {
    try withTemporaryFolder { folder in
      #expect(throws: SystemError.self) { try FolderLock(folder.appending("absent")) }
      let lock = try FolderLock(folder)
      let file = try RecordLock(folder.appending("file"))
      file.release()
      lock.release()
    }
  }
}
