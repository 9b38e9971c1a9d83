// Where the database files of cells are kept.
import Experiments
import Glibc
import RecordModel
import SystemIO
import TestSupport
import Testing

@Suite("Kept database files")
struct KeptFilesTests {
  @Test("each cell has a folder of its own, in letters that every file system takes")
  func folders() {
    let policies = [
      "never", "on-launch: a > 1 MB", "on-launch: a < 1 MB", "Never", "größer", "../..", "€",
      String(repeating: "x", count: 300),
    ]
    let cells = policies.flatMap { policy in
      ["lmdb", "native"].map { CellKey(engine: $0, policy: policy, arm: "an arm") }
    }
    let folders = KeptFiles.folders(of: cells, below: "/kept")
    let names = cells.filter { $0.engine == "native" }.compactMap { folders[$0]?.string }
    #expect(
      names
        == [
          "never", "on-launch-a-1-MB", "on-launch-a-1-MB-2", "Never-2", "gr-er", "unnamed",
          "unnamed-2", String(repeating: "x", count: 100),
        ].map { "/kept/native/\($0)/an-arm" })
    #expect(Set(folders.values.map { $0.string.lowercased() }).count == cells.count)
  }

  @Test("a folder that holds anything, or is a file, is refused; an absent or empty one is made")
  func checked() throws {
    try withTemporaryFolder { folder in
      let new = folder.appending("a").appending("b")
      try KeptFiles(checking: new).make()
      #expect(FileSystem.isFolder(new))
      try KeptFiles(checking: new).make()
      try FileSystem.write([1], to: new.appending("mine"))
      let held = #expect(throws: OutputError.self) { try KeptFiles(checking: new) }
      #expect(held?.description.contains("holds other content (mine)") == true)
      #expect(throws: OutputError.self) { try KeptFiles(checking: new.appending("mine")) }
    }
  }

  @Test("all that a cell left is kept but locks and pipes; the key is for its owner alone")
  func kept() throws {
    try withTemporaryFolder { folder in
      let (database, kept) = (folder.appending("database"), folder.appending("kept"))
      try FileSystem.makeFolders(database.appending("more"))
      for name in ["data", "data-wal", "data-lock", "data.lock", "data-lck", "more/data"] {
        try FileSystem.write(Array(name.utf8), to: database.pushing(FilePath(name)))
      }
      try #require(mkfifo(database.appending("data.note").string, 0o600) == 0)
      try KeptFiles.keep(database, key: [1, 2, 3], in: kept)
      try #expect(
        FileSystem.list(kept) == ["data", "data-wal", KeptFiles.keyFile, "more"].sorted())
      try #expect(FileSystem.readText(kept.pushing("more/data")) == "more/data")
      try #expect(FileSystem.read(kept.appending(KeptFiles.keyFile)) == [1, 2, 3])
      try #expect(FileAccessRights(of: kept.appending(KeptFiles.keyFile)).mode == 0o600)
    }
  }
}
