// Devices that grow by more than the stated writes of their commits: what the fit makes of them, and of devices beside them.
import Testing

@testable import FleetModel

@Suite("Groups that grow by more than they write") struct GrowingGroupTests {
  /// Launches every half day for 30 days. In half of the devices a commit adds 16 rows of 256 bytes, in the others none.
  private static func log() throws -> LaunchLog {
    var reader = LogReader()
    try reader.read(Array("device,time,totalBytes,usedBytes,commits,compacted".utf8))
    for device in 0..<80 {
      let adds = device % 2 == 0
      let commits = 20 + device / 4
      for launch in 0..<60 {
        let time = 1_767_225_600 + launch * 43_200
        let used = (adds ? 40_000_000 : 1_000_000) + (adds ? commits * launch * 4096 : 0)
        let row = "d\(device),\(time),\(used * 5 / 4),\(used),\(commits * launch),false"
        try reader.read(Array(row.utf8))
      }
    }
    return try reader.finish()
  }

  @Test("a group that grows by more than it writes has larger commits, and no other group has")
  func writes() throws {
    var options = FitOptions(template: SyntheticFleet.group, name: "fitted", source: "a log")
    options.maxGroups = 2
    let fitted = try FleetFit.fit(try Self.log(), options)
    try #require(fitted.population.groups.count == 2)
    let writes = Dictionary(
      uniqueKeysWithValues: fitted.population.groups.map { ($0.name, $0.writes) })
    #expect(writes["light"] == SyntheticFleet.group.writes)
    #expect((16...32).contains(writes["heavy"] ?? 0))
    #expect(fitted.population.flaw == nil)
  }

  @Test("commits that sizes show are raised to those that the growth needs, counted ones are not")
  func raised() throws {
    let history = try #require(try Self.log().devices.first { $0.rows[1].usedBytes > 30_000_000 })
    let space = SaturatingSpace(bytesPerCommit: 5000, plateau: 4)
    var counted = try #require(DeviceRates(history, model: space))
    let before = counted.commitsPerDay
    counted.raiseCommits(writing: 256, space)
    #expect(counted.countsCommits && counted.commitsPerDay == before)
    counted.countsCommits = false
    counted.raiseCommits(writing: 1e9, space)
    #expect(counted.commitsPerDay == before && !counted.isCommitsLowerBound)
    counted.raiseCommits(writing: 256, space)
    let raised = try #require(counted.commitsPerDay)
    #expect(abs(raised * 256 / counted.growth - 1) < 1e-9 && counted.isCommitsLowerBound)
  }

  @Test("commits that the log leaves open on more than a tenth of the devices are no coordinate")
  func open() throws {
    let space = SaturatingSpace(bytesPerCommit: 5000, plateau: 4)
    let rates = try Self.log().devices.compactMap { DeviceRates($0, model: space) }
    try #require(rates.count == 80)
    func coordinates(open count: Int) -> Int? {
      var rates = rates
      for index in 0..<count { rates[index].isCommitsLowerBound = true }
      return DeviceFeatures(rates, missing: 0).points.first?.count
    }
    #expect(coordinates(open: 0) == 3)
    #expect(coordinates(open: 8) == 3)
    #expect(coordinates(open: 9) == 2)
  }
}
