// The example of the library's documentation, compiled and run.
import StorageEngine
import SystemIO
import TestSupport
import Testing

@Suite("The example of the documentation")
struct EngineExampleTests {
  @Test("the example writes two rows and reads one of them from a snapshot")
  func runs() throws {
    let folder = try FileSystem.makeTemporaryFolder(prefix: "engine-example")
    defer { try? FileSystem.removeTree(folder) }
    let path = folder.appending("notes.db")
    // Example
    let database = try Database.open(path: path)
    let transaction = try database.beginWrite()
    let notes = try transaction.table("notes")
    for (key, text) in [(1, "first"), (2, "second")] as [(Int64, String)] {
      try Array(text.utf8).withUnsafeBytes { try transaction.put(notes, key, $0) }
    }
    try transaction.commit()

    let snapshot = try database.beginSnapshot(label: "example")
    var text: String?
    _ = try snapshot.get(notes, 2) { text = String(decoding: $0, as: UTF8.self) }
    print(text ?? "none", database.oldestPins().map(\.label))
    snapshot.end()
    try database.close()
    // End of the example
    #expect(text == "second")
    #expect(!database.isOpen)
  }

  @Test("the documentation has the code of the test above")
  func documented() throws {
    let tested = try DocumentedExample.tested(
      in: "Tests/StorageEngineTests/EngineExampleTests.swift")
    let path = "Sources/StorageEngine/StorageEngine.docc/StorageEngine.md"
    #expect(try DocumentedExample.documented(in: path) == tested)
    #expect(!tested.isEmpty)
  }
}
