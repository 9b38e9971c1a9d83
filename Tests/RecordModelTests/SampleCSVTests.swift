// The sample files: quoting, absent values, reading back, refusals, and that equal rows give equal bytes.
import MetricModel
import RecordModel
import Testing

@Suite("Sample files")
struct SampleCSVTests {
  static let key = CellKey(
    engine: "native", policy: "on-launch: let a = 1, \"b\"\nreturn totalBytes > a", arm: "blocked")

  static func sample(_ commit: Int, live: Int? = 700) -> Sample {
    Sample(
      phase: "pinned, first",
      observation: Observation(
        time: VirtualTime(microseconds: commit * 10_000), launch: 1, commits: commit,
        space: SpaceUsage(
          file: ByteCount(1000 + commit), live: live.map { ByteCount($0) }, free: ByteCount(300),
          pinned: nil, pending: .zero, overhead: ByteCount(commit), sidecar: ByteCount(8),
          tail: ByteCount(4)),
        liveVersions: live == nil ? nil : 3, pins: 1, oldestPinLag: commit,
        oldestPinAge: VirtualTime(microseconds: 5), refusals: 4),
      written: live == nil ? nil : ByteCount(77), compactions: 2,
      rewritten: live == nil ? nil : ByteCount(9),
      automatic: commit == 5 ? .waiting : nil,
      events: commit == 5 ? "automatic started: 9 free, 4 used" : "")
  }

  @Test("a row shows its units in the header, quotes the policy and leaves absent values empty")
  func layout() {
    let rows = CellRows(key: Self.key, repetition: 1, rows: [Self.sample(5, live: nil)])
    let text = String(decoding: SampleCSV.text([rows]), as: UTF8.self)
    let lines = [
      """
      engine,policy,arm,repetition,launch,phase,commit,time_us,file_bytes,live_bytes,free_bytes,\
      pinned_bytes,pending_bytes,overhead_bytes,sidecar_bytes,tail_bytes,live_versions,pins,\
      oldest_pin_lag_commits,oldest_pin_age_us,refusals,written_bytes,compactions,rewritten_bytes,\
      automatic_state,events
      """,
      """
      native,"on-launch: let a = 1, ""b""
      return totalBytes > a",blocked,1,1,"pinned, first",5,50000,1005,,300,,0,5,8,4,,1,5,5,4,,2,,\
      waiting,"automatic started: 9 free, 4 used"
      """,
    ]
    #expect(text == lines.map { $0 + "\r\n" }.joined())
  }

  @Test("samples read back are the samples written, cell by cell")
  func roundTrip() throws {
    let other = CellKey(engine: "lmdb", policy: "never", arm: "blocked")
    let cells = [
      CellRows(key: Self.key, repetition: 1, rows: (0..<30).map { Self.sample($0) }),
      CellRows(key: Self.key, repetition: 2, rows: [Self.sample(1, live: nil)]),
      CellRows(key: other, repetition: 1, rows: [Self.sample(Int.max / 20_000)]),
    ]
    let text = String(decoding: SampleCSV.text(cells), as: UTF8.self)
    #expect(try SampleCSV.read(text) == cells)
    // As an editor saves it that knows bare line feeds alone; the quoted line break is one already.
    let edited = text.replacing("\r\n", with: "\n")
    #expect(edited != text && !edited.contains("\r"))
    #expect(try SampleCSV.read(edited) == cells)
  }

  @Test("timings read back are the timings written")
  func timings() throws {
    let rows = [
      TimingSample(
        elapsedNanoseconds: 12, launch: 2, phase: "trim", commits: 3, statSize: ByteCount(4096),
        statAllocated: ByteCount(8192), residentMemory: ByteCount(1 << 40)),
      TimingSample(
        elapsedNanoseconds: 13, launch: 2, phase: "trim", commits: 4, statSize: ByteCount(4096),
        statAllocated: ByteCount(8192), residentMemory: .zero, residentFileMemory: ByteCount(1),
        mappedMemory: ByteCount(2),
        processWritten: ByteCount(3), storageWritten: ByteCount(4), freeDisk: ByteCount(5),
        openNanoseconds: 7,
        commitLatency: LatencySummary(count: 1, p50: 2, p99: 3, max: 4),
        readLatency: LatencySummary(count: 5, p50: 6, p99: 7, max: 8),
        writeLatency: LatencySummary(count: 9, p50: 10, p99: 11, max: 12),
        intendedLatency: LatencySummary(count: 13, p50: 14, p99: 15, max: 16),
        samplingNanoseconds: 17),
    ]
    let cells = [CellRows(key: Self.key, repetition: 6, rows: rows)]
    #expect(try TimingCSV.read(String(decoding: TimingCSV.text(cells), as: UTF8.self)) == cells)
  }

  @Test("timings of an earlier version, without lookups, are read as timings with none")
  func earlierTimings() throws {
    var row = TimingSample(
      elapsedNanoseconds: 12, launch: 2, phase: "trim", commits: 3, statSize: ByteCount(4096),
      statAllocated: ByteCount(8192), residentMemory: ByteCount(1 << 40), samplingNanoseconds: 8)
    row.lookupLatency = LatencySummary(count: 1, p50: 2, p99: 3, max: 4)
    row.lockWait = LatencySummary(count: 5, p50: 6, p99: 7, max: 8)
    let text = String(
      decoding: TimingCSV.text([CellRows(key: Self.key, repetition: 6, rows: [row])]), as: UTF8.self
    )
    #expect(try TimingCSV.read(text).first?.rows == [row])
    // The key has a line break of its own, so that the row's end is cut and not its line.
    let earlier = text.replacing(#/,lookups_timed.*max\r\n/#, with: "\r\n")
      .replacing(",1,2,3,4,0,0,0,0,5,6,7,8\r\n", with: "\r\n")
    row.lookupLatency = .none
    row.lockWait = .none
    #expect(try TimingCSV.read(earlier).first?.rows == [row])
    #expect(throws: RecordError.self) {
      try TimingCSV.read(earlier.replacing(",sampling_ns", with: ""))
    }
  }

  @Test(
    "a damaged file is refused with the line and what belongs there",
    arguments: [
      ("", "empty"), ("a,b\n", "not the columns"),
      (SampleCSV.header + "native,never,blocked,1,1\n", "samples.csv:2: 5 fields"),
      (SampleCSV.header + "native,\"never", "samples.csv:2: a quoted field"),
      (
        SampleCSV.header + "native,never,a,1,1,p,5,50000,x,,300,,0,5,8,4,,1,5,5,0,,2,9,,\n",
        "field 9 is \"x\""
      ),
      (
        SampleCSV.header + "native,never,a,1,1,p,5,50000,9,,300,,0,5,8,4,,1,5,5,0,,2,9,busy,\n",
        "field 25 is \"busy\"; expected one of idle, evacuating, waiting, blocked"
      ),
    ])
  func refusals(text: String, part: String) {
    #expect {
      try SampleCSV.read(text)
    } throws: { error in
      let error = error as? RecordError
      return error?.code == .malformed && error?.message.contains(part) == true
    }
  }

  @Test("the digest is FNV-1a 128 and depends on every byte of every row")
  func digest() {
    var digest = SampleDigest()
    #expect(digest.hex == "6c62272e07bb014262b821756295c58d")
    // The published test vectors for "a" and "foobar".
    digest.feed(Array("a".utf8))
    #expect(digest.hex == "d228cb696f1a8caf78912b704e4a8964")
    digest = SampleDigest()
    digest.feed(Array("foobar".utf8))
    #expect(digest.hex == "343e1662793c64bf6f0d3597ba446f18")

    let rows = (0..<100).map { Self.sample($0) }
    #expect(SampleDigest.of(rows) == SampleDigest.of(rows))
    var changed = rows
    changed[50].rewritten = ByteCount(10)
    #expect(SampleDigest.of(rows) != SampleDigest.of(changed))
    #expect(SampleDigest.of(rows) != SampleDigest.of(Array(rows.dropLast())))
  }

  @Test("a hundred thousand rows are written and read back alike")
  func manyRows() throws {
    let rows = (0..<100_000).map { Self.sample($0) }
    let cells = [CellRows(key: Self.key, repetition: 1, rows: rows)]
    let bytes = SampleCSV.text(cells)
    #expect(try SampleCSV.read(String(decoding: bytes, as: UTF8.self)) == cells)
  }
}
