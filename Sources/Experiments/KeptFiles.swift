// The folder that receives the database files of a run's cells, for later inspection.
package import RecordModel
package import SystemIO

package struct KeptFiles: Sendable {
  /// An absolute path, since cells are processes with other working folders.
  package let path: FilePath

  /// The name of the file with the key, beside the files of an encrypted cell.
  package static let keyFile = "encryption.key"

  /// Checks that the folder is missing or empty: retained files are never overwritten.
  package init(checking path: FilePath) throws(OutputError) {
    do throws(SystemError) { self.path = try FileSystem.absolute(path) } catch {
      throw OutputError(description: "\(error)")
    }
    guard FileSystem.exists(path) else { return }
    let found: [String]
    do { found = try FileSystem.list(path) } catch {
      throw OutputError(
        description: "\(path): cannot be used as a folder for database files: \(error)")
    }
    guard let first = found.first else { return }
    throw OutputError(
      description: """
        \(path): holds other content (\(first)), and existing files are never replaced; choose another folder with \
        --keep-files, or remove what it holds
        """)
  }

  /// Creates the folder and a file in it, so that a run of hours cannot fail to leave its files in the end.
  package func make() throws(OutputError) {
    let probe = path.appending(".writable")
    do throws(SystemError) {
      try FileSystem.makeFolders(path)
      try FileSystem.write([], to: probe)
      try FileSystem.removeFile(probe)
    } catch {
      throw OutputError(
        description:
          "\(error): nothing can be written there; choose another folder with --keep-files")
    }
  }

  /// Returns the folder of each cell: `engine/policy/arm` below `folder`, in characters that every file system has. No two are
  /// alike, even on file systems that ignore case.
  package static func folders(
    of cells: [CellKey], below folder: FilePath
  ) -> [CellKey: FilePath] {
    let policies = names(cells.map(\.policy))
    let arms = names(cells.map(\.arm))
    var folders: [CellKey: FilePath] = [:]
    for cell in cells {
      folders[cell] = folder.appending(cell.engine).appending(policies[cell.policy]!)
        .appending(arms[cell.arm]!)
    }
    return folders
  }

  /// Returns a name for each text; texts with equal names get a number.
  private static func names(_ texts: [String]) -> [String: String] {
    var names: [String: String] = [:]
    var taken: Set<String> = []
    for text in texts where names[text] == nil {
      let name = name(text)
      var next = name
      var number = 2
      while !taken.insert(next.lowercased()).inserted {
        next = "\(name)-\(number)"
        number += 1
      }
      names[text] = next
    }
    return names
  }

  /// Returns the text's ASCII letters and digits, with a hyphen for everything between them.
  private static func name(_ text: String) -> String {
    let words = text.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    let name = words.joined(separator: "-")
    return name.isEmpty ? "unnamed" : String(name.prefix(100))
  }

  /// The suffixes of lock files, which are of no use after their processes have ended.
  private static let lockSuffixes = ["-lock", "-lck", ".lock"]

  /// Copies the files of a cell's folder, in place of what a killed process of the same run left. Runs in the cell's
  /// process, since a limited disk is mounted for that one only. The key of an encrypted database is
  /// written to a file that only its owner may read.
  package static func keep(
    _ database: FilePath, key: [UInt8]?, in folder: FilePath
  ) throws(SystemError) {
    try FileSystem.removeTree(folder)
    try FileSystem.makeFolders(folder)
    for name in try FileSystem.list(database)
    where !lockSuffixes.contains(where: { name.hasSuffix($0) }) {
      let file = database.appending(name)
      // Realm Core leaves pipes, which have no contents to copy.
      guard FileSystem.isFolder(file) || FileSystem.isFile(file) else { continue }
      try FileSystem.copyTree(file, to: folder.appending(name))
    }
    guard let key else { return }
    let file = try FileWriter(new: folder.appending(keyFile), isDraft: true)
    var failure: SystemError?
    key.withUnsafeBytes { bytes in
      do throws(SystemError) { try file.write(bytes) } catch { failure = error }
    }
    if let failure { throw failure }
  }
}
