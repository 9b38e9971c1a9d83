// How the database of an engine is recognized that is a folder of files.
package import SystemIO

/// Files that each folder of an engine has, with the bytes at their front.
package struct FolderMark: Sendable {
  /// The kind of database with its article: `a RocksDB database`.
  package let title: String
  package let files: [(name: String, front: [UInt8])]

  package init(_ title: String, _ files: [(name: String, front: [UInt8])]) {
    self.title = title
    self.files = files
  }

  /// Whether the folder has all of these files. No file is opened that does not have one of their names.
  package func matches(_ folder: FilePath) -> Bool {
    files.allSatisfy { name, front in
      let file = folder.appending(name)
      guard FileSystem.isFile(file) else { return false }
      return (try? FileReader(file).bytes(at: 0, count: front.count)) == front
    }
  }
}
