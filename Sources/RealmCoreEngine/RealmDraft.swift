// Where Realm Core writes a copy. It makes the file itself, so that everyone may read it: so in a folder of its own, into
// which only the owner may look.
import SystemIO

/// A copy that is being written, in a folder of its own.
struct RealmDraft {
  private let folder: FilePath
  let path: FilePath

  init(_ folder: FilePath) {
    self.folder = folder
    path = folder.appending("copy.realm")
  }

  /// Makes the folder anew; what a process left there that died is removed.
  func prepare() throws(SystemError) {
    try remove()
    try FileSystem.makePrivateFolder(folder)
  }

  func remove() throws(SystemError) { try FileSystem.removeTree(folder) }
}
