// The folder in which a run leaves the database files of its cells, for those who want to look into them.
package import RecordModel
package import SystemIO

package struct KeptFiles: Sendable {
  /// Absolute: cells are processes with a folder of their own.
  package let path: FilePath

  /// Beside the files of an encrypted cell: the key that they are read with.
  package static let keyFile = "encryption.key"

  /// A folder that is absent or empty: what somebody keeps is never overwritten.
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
        \(path): holds other content (\(first)), and kept files never replace anything; choose another folder with \
        --keep-files, or remove what it holds
        """)
  }

  /// Makes the folder and tries whether files can be made in it, so that a run of hours does not end without them.
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

  /// The folder of each cell: `engine/policy/arm` below `folder`, in letters that every file system takes and no two alike,
  /// even where letters' case makes no difference.
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

  /// A name for each text; texts that would have the same get a number.
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

  /// The text's ASCII letters and digits, and a hyphen in place of everything between them.
  private static func name(_ text: String) -> String {
    let words = text.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    let name = words.joined(separator: "-")
    return name.isEmpty ? "unnamed" : String(name.prefix(100))
  }

  /// Of the files that processes lock: there is nothing in them once all have gone.
  private static let lockSuffixes = ["-lock", "-lck", ".lock"]

  /// Copies what a cell left in its folder, in the cell's process: its disk may be seen by that alone. With the key of an
  /// encrypted database, for its owner alone.
  package static func keep(
    _ database: FilePath, key: [UInt8]?, in folder: FilePath
  ) throws(SystemError) {
    try FileSystem.makeFolders(folder)
    for name in try FileSystem.list(database)
    where !lockSuffixes.contains(where: { name.hasSuffix($0) }) {
      let file = database.appending(name)
      // Realm Core leaves pipes, of which there is nothing to keep.
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
