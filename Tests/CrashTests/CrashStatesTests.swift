import SystemIO
import TestSupport
import Testing

@Suite("The faulty disk itself")
struct CrashStatesTests {
  private func write(_ file: FaultyStorageFile, _ byte: UInt8, count: Int, at offset: Int) throws {
    try [UInt8](repeating: byte, count: count).withUnsafeBytes { try file.write($0, at: offset) }
  }

  @Test("a sector reaches the disk with its neighbors as they were at that moment")
  func neighbors() throws {
    let file = FaultyStorageFile(image: [UInt8](repeating: 9, count: 1024))
    try write(file, 1, count: 8, at: 0)
    try write(file, 2, count: 8, at: 100)
    try write(file, 3, count: 16, at: 504)
    let states = file.crashStates()
    #expect(states.touchedUnits(of: 512) == [0, 1])
    let torn = states.image(unitSize: 512, lengthMoment: 3) { $0 == 0 ? 2 : 3 }
    #expect(torn[0] == 1 && torn[100] == 2 && torn[504] == 9 && torn[512] == 3)
    let whole = states.image(unitSize: 4096, lengthMoment: 3) { _ in 1 }
    #expect(whole[0] == 1 && whole[100] == 9 && whole[512] == 9)
  }

  @Test("losing all unsynced writes gives the last synced state, keeping all gives the current one")
  func extremes() throws {
    var random = SeededRandom(seed: testSeed())
    let file = FaultyStorageFile()
    try write(file, 5, count: 3000, at: 0)
    try file.sync()
    let durable = file.liveBytes
    try file.resize(to: 5000)
    for _ in 0..<20 { try write(file, 7, count: 1 + random.below(700), at: random.below(6000)) }
    let states = file.crashStates()
    #expect(states.image(unitSize: 512, lengthMoment: 0) { _ in 0 } == durable)
    let last = states.changeCount
    #expect(states.image(unitSize: 512, lengthMoment: last) { _ in last } == file.liveBytes)
    #expect(file.pendingChanges == 21)
    try file.sync()
    #expect(file.pendingChanges == 0)
    #expect(file.syncCount == 2)
  }

  @Test("a lost truncation keeps the tail, and a kept one removes it")
  func cutting() throws {
    let file = FaultyStorageFile(image: [UInt8](repeating: 4, count: 2048))
    try file.resize(to: 512)
    try file.resize(to: 1024)
    let states = file.crashStates()
    #expect(states.lengths == [2048, 512, 1024])
    let old = states.image(unitSize: 512, lengthMoment: 0) { _ in 2 }
    #expect(old == [UInt8](repeating: 4, count: 2048))
    let grown = states.image(unitSize: 512, lengthMoment: 2) { _ in 2 }
    #expect(grown == [UInt8](repeating: 4, count: 512) + [UInt8](repeating: 0, count: 512))
  }

  @Test("a killed process leaves its first changes visible and none durable")
  func killing() throws {
    let file = FaultyStorageFile(image: [0, 0])
    try write(file, 1, count: 1, at: 0)
    try write(file, 1, count: 1, at: 1)
    let left = file.afterKill(keepingChanges: 1)
    #expect(left.liveBytes == [1, 0])
    #expect(left.crashStates().image(unitSize: 512, lengthMoment: 0) { _ in 0 } == [0, 0])
  }

  @Test(
    "calls fail as configured, nothing is durable after a failed sync, and a full disk stops growth"
  )
  func failing() throws {
    let file = FaultyStorageFile(image: [0, 0, 0, 0])
    file.fail(.write, occurrence: 2, code: 5)
    try write(file, 1, count: 4, at: 0)
    let error = try #require(throws: SystemError.self) { try write(file, 2, count: 4, at: 0) }
    #expect(error.code == 5 && file.liveBytes == [2, 2, 1, 1])
    file.sizeLimit = 6
    try write(file, 3, count: 2, at: 4)
    let full = try #require(throws: SystemError.self) { try file.resize(to: 7) }
    #expect(full.isOutOfSpace)
    file.fail(.sync, code: 5)
    #expect(throws: SystemError.self) { try file.sync() }
    try file.sync()
    #expect(file.crashStates().image(unitSize: 512, lengthMoment: 0) { _ in 0 } == [0, 0, 0, 0])
  }
}
