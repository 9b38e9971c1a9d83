// Records that are one file, and what is rendered of them.
import Experiments
import RecordModel
import SystemIO

/// A record and the files that are made of it.
protocol RecordFiles {
  associatedtype Record: SealedRecord
  /// The page, which is named where the files were written.
  static var page: String { get }
  /// The tables, and the beginnings of the pictures' names, which depend on what was recorded.
  static var tables: [String] { get }
  static var pictures: [String] { get }

  var record: Record { get }
  func writeRendered(to folder: OutputFolder) throws
}

extension RecordFiles {
  static var pictureFolder: String { "plots" }

  /// Writes all files. The record gets its name last, so that a folder with a record is complete; until then it has another
  /// one, so that the folder of a process that was killed in between is not taken for other content.
  func write(to folder: OutputFolder) throws {
    let json = try record.json()
    try folder.write(json, to: OutputFolder.unfinishedName(Record.fileName))
    try folder.prepare(removing: [Record.fileName] + Self.rendered(in: folder))
    try writeRendered(to: folder)
    try folder.finish(Record.fileName)
  }

  /// Writes the files that are made of the record.
  func render(to folder: OutputFolder) throws {
    try folder.prepare(removing: Self.rendered(in: folder))
    try writeRendered(to: folder)
  }

  func writePicture(_ svg: String, _ name: String, to folder: OutputFolder) throws {
    try folder.write(Array(svg.utf8), to: "\(Self.pictureFolder)/\(name)")
  }

  private static func rendered(in folder: OutputFolder) -> [String] {
    let names = (try? FileSystem.list(folder.path.appending(pictureFolder))) ?? []
    let earlier = names.filter { name in
      name.hasSuffix(".svg") && pictures.contains { name.hasPrefix($0) }
    }
    return tables + [page] + earlier.map { "\(pictureFolder)/\($0)" }
  }

  /// Writes the page, the tables and the pictures of a folder's record again.
  static func render(
    _ folder: FilePath, acceptsChanged: Bool, _ files: (Record) throws -> Self
  ) throws {
    let record: Record = try RecordedFolders.load(folder, acceptsChanged: acceptsChanged)
    do {
      let output = try OutputFolder(checking: folder)
      let files = try files(record)
      try output.whileLocked { try files.render(to: output) }
    } catch { throw couldNotRun("\(error)") }
  }
}

enum RecordedFolders {
  /// Returns the folders of all records of this name in or below the path; a file stands for its folder.
  static func find(_ path: FilePath, named name: String) throws -> [FilePath] {
    guard FileSystem.exists(path) else { return [] }
    guard FileSystem.isFolder(path) else {
      return path.lastComponent?.string == name ? [path.removingLastComponent()] : []
    }
    do {
      return try FileSystem.files(named: name, below: path).map { $0.removingLastComponent() }
    } catch { throw couldNotRun("\(error)") }
  }

  /// Reads a folder's record, and prints a note if it was changed and that is accepted.
  static func load<Record: SealedRecord>(
    _ folder: FilePath, acceptsChanged: Bool = false
  ) throws -> Record {
    do {
      let file = folder.appending(Record.fileName)
      let record = try Record(
        json: try FileSystem.read(file), name: file.string, acceptsChanged: acceptsChanged)
      RecordFolder.note(record.integrity, folder)
      return record
    } catch { throw couldNotRun("\(error)") }
  }
}
