// Realms whose file or folder may not be written, as on a read-only file system or in an app's bundle.
import Foundation
import StorageEngine
import SystemIO
import TestSupport
import Testing

@testable import ObjectStore

@Suite("Files that cannot be written")
struct UnwritableFileTests {
  private func makeRealm(_ folder: RealmFolder) throws -> Data {
    do {
      let realm = try folder.open([Note.self])
      try realm.write { realm.create(Note.self, value: ["text": "a"]) }
    }
    return try Data(contentsOf: folder.url())
  }

  /// Expects that the file opens with `readOnly` and not without it, and stays as it is.
  private func expectReadOnlyRequired(_ folder: RealmFolder, _ before: Data) throws {
    let error = #expect(throws: Realm.Error.self) { try folder.open([Note.self]) }
    #expect(error?.failure == .filePermissionDenied)
    #expect("\(String(describing: error))".contains(folder.url().path))
    let realm = try folder.open([Note.self]) { $0.readOnly = true }
    #expect(realm.objects(Note.self).map(\.text) == ["a"])
    #expect(try Data(contentsOf: folder.url()) == before)
  }

  @Test(
    "a file without write permission in a folder without it needs readOnly",
    .enabled(if: geteuid() != 0, "permissions do not bind root; the read-only file system does"))
  func permission() throws {
    let folder = try RealmFolder()
    let before = try makeRealm(folder)
    let manager = FileManager.default
    try manager.setAttributes([.posixPermissions: 0o444], ofItemAtPath: folder.url().path)
    try manager.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.root.path)
    defer {
      try? manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.root.path)
    }
    try expectReadOnlyRequired(folder, before)
  }

  @Test(
    "a file on a read-only file system needs readOnly",
    .enabled("a small file system can be mounted", SmallFileSystem.isAvailable))
  func readOnlyFileSystem() async throws {
    let folder = try RealmFolder()
    let root = FilePath(folder.root.path)
    try await SmallFileSystem.with(size: "8m", at: root) {
      let before = try makeRealm(folder)
      try await SmallFileSystem.makeReadOnly(root)
      try expectReadOnlyRequired(folder, before)
    }
  }
}
