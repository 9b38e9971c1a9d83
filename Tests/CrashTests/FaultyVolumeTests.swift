import SystemIO
import TestSupport
import Testing

@Suite("The faulty volume itself")
struct FaultyVolumeTests {
  private func write(
    _ file: any StorageFile, _ byte: UInt8, count: Int, at offset: Int = 0
  ) throws {
    try [UInt8](repeating: byte, count: count).withUnsafeBytes { try file.write($0, at: offset) }
  }

  private func all(_ states: VolumeCrashStates) -> [FaultyVolume] {
    (0..<1 << states.changeCount).map { subset in
      states.volume(unitSize: 512) { subset >> $0 & 1 == 1 }
    }
  }

  @Test("a file that is opened exclusively refuses a second opening until the first is closed")
  func locking() throws {
    let volume = FaultyVolume()
    var first: (any StorageFile)? = try volume.open("a", .new)
    #expect(first != nil)
    let busy = try #require(throws: SystemError.self) { try volume.open("/a", .existing) }
    #expect(busy.isLocked)
    first = nil
    _ = try volume.open("a", .existing)
    let there = try #require(throws: SystemError.self) { try volume.open("a", .new) }
    #expect(there.isAlreadyThere)
    let absent = try #require(throws: SystemError.self) { try volume.open("b", .existing) }
    #expect(absent.isNotFound)
  }

  @Test("until the folder is synced a new name may be missing, even if the bytes were synced")
  func newName() throws {
    let volume = FaultyVolume()
    let file = try volume.open("a", .new)
    try write(file, 1, count: 4)
    try file.sync()
    #expect(Set(all(volume.crashStates()).map(\.fileNames)) == [[], ["/a"]])
    try volume.syncFolder("/")
    let states = volume.crashStates()
    #expect(states.changeCount == 0)
    #expect(all(states)[0].file("a")?.liveBytes == [1, 1, 1, 1])
  }

  @Test("a rename is atomic, and independent of whether the bytes under the name are durable")
  func renaming() throws {
    let volume = FaultyVolume(files: ["old": [7]])
    let file = try volume.open("new", .new)
    try volume.syncFolder("/")
    try write(file, 8, count: 1)
    try volume.rename("new", to: "old")
    var seen: Set<[UInt8]> = []
    for state in all(volume.crashStates()) {
      let isRenamed = state.file("new") == nil
      let bytes = try #require(state.file("old")?.liveBytes)
      #expect(isRenamed == (bytes != [7]))
      seen.insert(bytes)
    }
    #expect(seen == [[7], [], [8]])
  }

  @Test(
    "a removed file may come back if the folder was not synced, and stays usable by those who have it open"
  )
  func removing() throws {
    let volume = FaultyVolume(files: ["a": [5, 5]])
    let file = try volume.open("a", .existing)
    try volume.removeFile("a")
    #expect(!volume.exists("a"))
    #expect(try file.base.load(as: UInt8.self) == 5)
    #expect(Set(all(volume.crashStates()).map(\.fileNames)) == [[], ["/a"]])
  }

  @Test("each operation fails as configured, and no name is durable after a failed folder sync")
  func failing() throws {
    let volume = FaultyVolume()
    volume.fail(.create, code: 5)
    #expect(throws: SystemError.self) { try volume.open("a", .new) }
    let file = try volume.open("a", .new)
    for operation in [
      FaultyVolume.Operation.write, .resize, .sync, .inheritAccess, .rename, .remove, .syncFolder,
    ] {
      volume.fail(operation, code: 5)
      let error = try #require(throws: SystemError.self) {
        switch operation {
        case .write: try write(file, 1, count: 2)
        case .resize: try file.resize(to: 9)
        case .sync: try file.sync()
        case .rename: try volume.rename("a", to: "b")
        case .remove: try volume.removeFile("a")
        case .inheritAccess: try file.inheritAccess(of: "/a", as: .replacement)
        case .syncFolder, .create: try volume.syncFolder("/")
        }
      }
      #expect(error.code == 5)
    }
    #expect(volume.fileNames == ["/a"])
    try volume.syncFolder("/")
    #expect(all(volume.crashStates())[0].fileNames == [])
  }

  @Test("the space of a full disk is shared by all files")
  func room() throws {
    let volume = FaultyVolume()
    volume.room = 10
    let first = try volume.open("a", .new)
    let second = try volume.open("b", .new)
    try write(first, 1, count: 6)
    #expect(try volume.freeBytes(at: "a") == 4)
    let error = try #require(throws: SystemError.self) { try second.resize(to: 5) }
    #expect(error.isOutOfSpace)
    try write(second, 1, count: 4)
  }

  @Test("a killed process leaves all names and bytes visible, and no more of them durable")
  func killing() throws {
    let volume = FaultyVolume(files: ["a": [1]])
    let file = try volume.open("a", .existing)
    try write(file, 2, count: 1)
    try volume.rename("a", to: "b")
    let left = volume.afterKill()
    #expect(left.fileNames == ["/b"])
    #expect(left.file("b")?.liveBytes == [2])
    let states = left.crashStates()
    #expect(states.changeCount == 2)
    #expect(states.volume(unitSize: 512) { _ in false }.file("a")?.liveBytes == [1])
    _ = try left.open("b", .existing)
  }

  @Test("a write that is kept brings along the rest of its sectors, and nothing else")
  func sectors() throws {
    let volume = FaultyVolume(files: ["a": [UInt8](repeating: 0, count: 1024)])
    let file = try volume.open("a", .existing)
    try write(file, 1, count: 8, at: 0)
    try write(file, 2, count: 8, at: 600)
    try write(file, 3, count: 8, at: 8)
    let states = volume.crashStates()
    let last = try #require(states.volume(unitSize: 512) { $0 == 2 }.file("a")?.liveBytes)
    #expect(last[0] == 1 && last[8] == 3 && last[600] == 0)
    let first = try #require(states.volume(unitSize: 512) { $0 == 0 }.file("a")?.liveBytes)
    #expect(first[0] == 1 && first[8] == 0 && first[600] == 0)
  }
}
