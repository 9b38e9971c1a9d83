// The rules of vendors: each is a policy, and an engine has those that it can have.
import LaunchSchedules
import MetricModel
import Policies
import Testing

@Suite("Vendors' rules")
struct VendorDefaultTests {
  @Test("each is a policy under its label", arguments: VendorDefault.all.map(\.text))
  func policies(text: String) throws {
    let policy = try Policy(parsing: text)
    #expect(VendorDefault.all.contains { $0.label == policy.name })
  }

  @Test("automatic compaction is a rule of the engines that have it")
  func engines() {
    func automatic(_ engine: String) -> [String] {
      VendorDefault.all(of: engine).map(\.label).filter {
        ["realm-automatic", "sqlite-auto-vacuum"].contains($0)
      }
    }
    #expect(automatic("native") == ["realm-automatic"])
    #expect(automatic("realm-core") == ["realm-automatic"])
    #expect(automatic("sqlite") == ["sqlite-auto-vacuum"])
    #expect(automatic("lmdb").isEmpty)
    #expect(VendorDefault.all(of: "lmdb").count == VendorDefault.all.count - 2)
  }

  @Test(
    "CouchDB's default compacts files from which half or 512 MiB can be freed",
    arguments: [
      (1_000_000, 10, false), (3_000_000, 1_400_000, true), (3_000_000, 1_600_000, false),
      (1_500_000_000, 900_000_000, true), (1_500_000_000, 1_000_000_000, false),
    ])
  func couchDB(total: Int, used: Int, compacts: Bool) throws {
    let vendor = try #require(VendorDefault.all.first { $0.label == "couchdb-smoosh" })
    let (total, used) = (ByteCount(total), ByteCount(used))
    let observation = Observation(
      time: .zero, launch: 2, commits: 0,
      space: SpaceUsage(file: total, live: used, free: total - used))
    #expect(
      try Policy(parsing: vendor.text).decideAtLaunch(observation).compact == compacts)
  }
}
