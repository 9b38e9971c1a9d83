// The record as JSON, and the exact figures made from samples.
import Foundation
import MetricModel
import Policies
import RecordModel
import ScenarioModel
import Testing

@Suite("Run record")
struct RunRecordTests {
  static let record = {
    var record = made
    record.files = RecordedFile.names.map { RecordedFile($0, Array("of \($0)".utf8)) }
    return record
  }()

  private static let made = RunRecord(
    scenario: Scenario(
      name: "mini", question: "How?", seed: .max,
      tables: [TableSpec(name: "Item", rows: 10, valueSize: .uniform(low: 1, high: 9))],
      arms: [
        ArmSpec(
          name: "blocked",
          clients: [
            ClientSpec(name: "writer", kind: .writer(WriterSpec(table: "Item", rate: 0.1)))
          ])
      ],
      phases: [PhaseSpec(name: "trim", deleteShare: 0.85, clients: ["writer"])],
      policies: [Policy(name: "never", automatic: false, onLaunch: .never)]),
    provenance: Provenance(
      toolVersion: "0.1", command: "compaction-lab run a/b.yml", schedule: .stepped, seed: .max,
      repetitions: 2, startedAt: "2026-01-01T00:00:00Z", operatingSystem: "Linux",
      processor: "x", cores: 2, memory: ByteCount(1), fileSystem: "ext4",
      engineVersions: ["native": "0.1"]),
    cells: [
      CellRecord(
        key: CellKey(engine: "lmdb", policy: "automatic", arm: "blocked"),
        status: .notApplicable(reason: "LMDB has none"))
    ])

  @Test("a record read back is the record written, and writing it again gives the same bytes")
  func roundTrip() throws {
    let data = try Self.record.json()
    let again = try RunRecord(json: data)
    #expect(again == Self.record)
    #expect(try again.json() == data)
    #expect(data.last == UInt8(ascii: "\n"))
    #expect(RunRecord.isRecord(data))
  }

  @Test(
    "a record in which any character is another, or one is missing, is refused; or accepted and marked"
  )
  func sealed() throws {
    let text = String(decoding: try Self.record.json(), as: UTF8.self)
    let changes: [(String, String)] = [
      ("\"cores\" : 2", "\"cores\" : 3"), ("\"memory\" : 1", "\"memory\" :  1"),
      ("How?", "Why?"),
    ]
    for (old, new) in changes {
      #expect(text.contains(old), "\(old)")
      let data = Data(text.replacingOccurrences(of: old, with: new).utf8)
      do {
        _ = try RunRecord(json: data, name: "here/record.json")
        Issue.record("\(new) was accepted")
      } catch {
        #expect(error.code == .changed)
        #expect(error.message.hasPrefix("here/record.json: was changed after the run"))
      }
      let accepted = try RunRecord(json: data, acceptsChanged: true)
      #expect(accepted.integrity == .changed(["record.json"]))
    }
    let digest = try #require(text.firstRange(of: /"digest" : "[0-9a-f]{32}"/))
    var other = text
    other.replaceSubrange(digest, with: "\"digest\" : \"\(String(repeating: "0", count: 32))\"")
    #expect(throws: RecordError.self) { try RunRecord(json: Data(other.utf8)) }
    let without = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(throws: RecordError.self) {
      try RunRecord(json: Data((without[...0] + without[2...]).joined(separator: "\n").utf8))
    }
    #expect(try RunRecord(json: Data(text.utf8)).integrity == .verified)
  }

  @Test(
    "a record of the format before digests is read, and is marked as one of which that is not known"
  )
  func unsealed() throws {
    var old = Self.record
    old.format = RunRecord.unsealedFormat
    old.files = nil
    let lines = String(decoding: try old.json(), as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    let data = Data((lines[...0] + lines[2...]).joined(separator: "\n").utf8)
    #expect(try RunRecord(json: data).integrity == .unknown)
  }

  @Test("a record that does not list the files beside it, or lists others, is refused")
  func otherFiles() throws {
    for files in [nil, [], [RecordedFile("../../secret", [])]] as [[RecordedFile]?] {
      var record = Self.record
      record.files = files
      let data = try record.json()
      #expect(throws: RecordError.self) { try RunRecord(json: data, acceptsChanged: true) }
    }
  }

  @Test("another format, another file and a cut-off record are refused, each with its sentence")
  func refusals() throws {
    var newer = Self.record
    newer.format = 99
    let newerData = try newer.json()
    #expect(throws: RecordError.self) { try RunRecord(json: newerData) }
    do {
      _ = try RunRecord(json: newerData)
    } catch {
      #expect(error.code == .otherFormat)
      #expect(error.message.contains("format 99; this program reads formats 5 to 7"))
    }
    for text in ["", "{}", "[1]", "{\"format\":1}", "\u{0}"] {
      #expect(!RunRecord.isRecord(Data(text.utf8)))
      #expect(throws: RecordError.self) { try RunRecord(json: Data(text.utf8)) }
    }
    let data = try Self.record.json()
    #expect(!RunRecord.isRecord(data.prefix(data.count / 2)))
    let text = String(decoding: data, as: UTF8.self)
      .replacingOccurrences(of: "\"cores\" : 2", with: "\"cores\" : \"two\"")
    do {
      _ = try RunRecord(json: Data(text.utf8))
      Issue.record("a text where a number belongs was accepted")
    } catch {
      #expect(error.message.contains(".provenance.cores"))
    }
  }

  @Test("exact figures: greatest, last and the mean over virtual time, rounded half up")
  func exactFigures() {
    func sample(_ launch: Int, _ time: Int, _ file: Int, _ sidecar: Int = 0) -> Sample {
      Sample(
        phase: "p",
        observation: Observation(
          time: VirtualTime(microseconds: time), launch: launch, commits: time,
          space: SpaceUsage(
            file: ByteCount(file), live: ByteCount(4), sidecar: ByteCount(sidecar))),
        written: ByteCount(90), compactions: 0, rewritten: ByteCount(6))
    }
    // Open: 10 for 1 µs, 15 for 2 µs, 20 for 1 µs; closed: 15 for 96 µs.
    let samples = [
      sample(1, 0, 10), sample(1, 1, 10, 5), sample(1, 3, 15), sample(2, 99, 20),
      sample(2, 100, 8),
    ]
    let summary = ExactSummary(samples: samples, requested: ByteCount(3), operations: 12)
    #expect(summary.highWater == ByteCount(20))
    #expect(summary.final == ByteCount(8))
    #expect(summary.finalLive == ByteCount(4))
    #expect(summary.timeWeighted == ByteCount(15))  // 10 + 30 + 15 × 96 + 20 = 1500 over 100
    #expect(summary.timeWeightedOpen == ByteCount(15))  // 60 over 4
    #expect(summary.rewritten == ByteCount(6))
    #expect(summary.written == ByteCount(90))
    #expect(summary.commits == 100)
    #expect(summary.samplesDigest == SampleDigest.of(samples))
    let halves = [sample(1, 0, 1), sample(1, 1, 2), sample(1, 2, 9)]
    #expect(ExactSummary.timeWeighted(halves, whileOpen: true) == ByteCount(2))
    #expect(ExactSummary.timeWeighted([sample(1, 7, 3)], whileOpen: true) == ByteCount(3))
    // Sizes and spans whose product exceeds 64 bits.
    let huge = [sample(1, 0, 1 << 50), sample(1, 1 << 40, 0)]
    #expect(ExactSummary.timeWeighted(huge, whileOpen: false) == ByteCount(1 << 50))
  }
}
