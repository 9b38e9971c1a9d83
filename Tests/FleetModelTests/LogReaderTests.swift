// Launch logs as apps have them, and what is wrong with them.
import FleetModel
import Testing

@Suite("Launch logs") struct LogReaderTests {
  private func read(
    _ text: String, _ options: LogReader.Options = LogReader.Options()
  ) throws -> LaunchLog {
    var reader = LogReader(options: options)
    for line in text.utf8.split(separator: 10, omittingEmptySubsequences: false) {
      try reader.read(Array(line))
    }
    return try reader.finish()
  }

  private func mistake(
    _ text: String, _ options: LogReader.Options = LogReader.Options()
  ) -> String {
    do {
      _ = try read(text, options)
      return "none"
    } catch { return "\(error)" }
  }

  private static let header = "device,time,totalBytes,usedBytes\n"

  @Test(
    "names, separators, quotes, times and line ends that apps use are read alike",
    arguments: [
      "device,time,totalBytes,usedBytes\na,2026-03-01T10:20:30Z,900,500\na,2026-03-02T10:20:30Z,1000,600",
      "\u{FEFF}Device ID;timestamp;total_bytes;used bytes\r\na;1772360430;900;500\r\na;1772446830;1000;600\r\n",
      "ts\tid\tused\ttotal\n1772360430000\ta\t500\t900\n\n1772446830000\ta\t600\t1000\n",
      """
      "device","time","totalBytes","usedBytes","note"
      "a","2026-03-01 11:20:30.000+01:00",900.0,500,"x, y"
      "a","2026-03-02T05:20:30-0500",1000,600,
      """,
      // RFC 4180: line ends and doubled quotes within a text.
      "device,\"time\",totalBytes,usedBytes,\"a\r\nnote\"\r\na,1772360430,900,500,\"x\ny \"\"z\"\", \n\"\r\n"
        + "a,1772446830,1000,600,\"\"\r\n",
    ])
  func forms(_ text: String) throws {
    let log = try read(text)
    #expect(log.devices.count == 1)
    let rows = log.devices[0].rows
    #expect(rows.map(\.time) == [1_772_360_430_000, 1_772_446_830_000])
    #expect(rows.map(\.totalBytes) == [900, 1000])
    #expect(rows.map(\.usedBytes) == [500, 600])
  }

  @Test("optional columns are read, and unknown ones are named")
  func optional() throws {
    let log = try read(
      """
      device,time,totalBytes,usedBytes,open ms,didCompact,diskFree,appVersion,commits,launch,color
      a,1772360430,900,500,12.5,yes,4000000000,2.1,70,3,red
      a,1772446830,900,500,,,,2.2,,,
      """)
    let rows = log.devices[0].rows
    #expect(rows[0].stall == 12.5 && rows[0].compacted == .yes && rows[0].commits == 70)
    #expect(rows[0].available == 4_000_000_000 && rows[0].launch == 3)
    #expect(rows[1].stall == -1 && rows[1].compacted == .unknown && rows[1].commits == -1)
    #expect(log.counts.versions.map(\.name) == ["2.1", "2.2"])
    #expect(log.layout.ignoredNames == ["color"])
  }

  private static let wrong: [(text: String, message: String)] = [
    ("", "1: the file is empty; the first line is the names"),
    ("hello world", "1: this is no table with a header; the first line is"),
    ("{\"device\": 1, \"time\": 2}", "1: this is no table with a header"),
    ("device,time,totalBytes\n", "1: no column for usedBytes; usedBytes is the second argument"),
    ("device,time,total,totalBytes,used\n", "1: two columns are the totalBytes; rename"),
    ("\(header)", "2: there is no device in it; add a row"),
    ("\(header)a,1772360430,5,4\n\nb,1772360430,5,4", "2: each of 2 devices has one launch; log"),
    ("\(header)\na,1772360430,500,900", "3: usedBytes 900 > totalBytes 500; are the columns"),
    ("\(header)a,1772360430,-5,4", "2: totalBytes is -5; nothing that is counted is below 0"),
    ("\(header)a,1772360430,5e3,4", "2: totalBytes is \"5e3\"; write a whole number"),
    ("\(header)a,yesterday,5,4", "2: \"yesterday\" is no time; write 2026-03-01T10:20:30Z"),
    ("\(header)a,2026-13-01,5,4", "2: \"2026-13-01\" is no time"),
    ("\(header),1772360430,5,4", "2: no device is named; each row has"),
    (
      "\(header)a,1772360430,5,4\na\"b,1772360430,5,4\na,1,2,3",
      "3: a quote is opened and not closed"
    ),
    (
      "device,time,totalBytes,usedBytes,note\na,1772360430,5,4,\"x\ny\"\n\na,1,5,9,\"\"",
      "5: usedBytes 9"
    ),
    ("\(header)a,1772360430,5", "2: 3 fields in place of 4; put texts"),
  ]

  @Test("a mistake is reported with its line, and what to do", arguments: wrong)
  func mistakes(_ text: String, _ message: String) {
    #expect(mistake(text).hasPrefix(message), "\(mistake(text))")
  }

  @Test("wrong rows are passed over and counted where the caller allows it")
  func skipped() throws {
    var options = LogReader.Options()
    options.skipsInvalid = true
    let log = try read(
      Self.header + "a,1772360430,5,4\na,1772360431,4,5\na,1772360432,x,1\na,1772360433,6,4",
      options)
    #expect(log.counts.rows == 4 && log.counts.invalid == 2)
    #expect(log.devices[0].rows.map(\.totalBytes) == [5, 6])
    #expect(mistake(Self.header + "a,1772360430,4,5", options).contains("1 rows were left out"))
  }

  @Test("a quote that nothing closes costs its own row where wrong rows are passed over")
  func stray() throws {
    var options = LogReader.Options()
    options.skipsInvalid = true
    let rows = (0..<5000).map { "a,\(1_772_360_430 + $0),9,\(1 + $0 % 8)" }
    var lines = rows
    lines[1000] = "a\"" + lines[1000].dropFirst()
    let log = try read(Self.header + lines.joined(separator: "\n"), options)
    #expect(log.counts.rows == 5000 && log.counts.invalid == 1)
    #expect(log.devices[0].rows.count == 4999)
  }

  @Test("rows twice, out of order and from wrong clocks are put in order, left out and counted")
  func cleaned() throws {
    let day = { (day: Int) in "a,\(1_772_360_430 + day * 86_400)" }
    let rows = (0..<20).map { day($0) + ",1000,\(500 + $0)" }
    let wrong = [
      rows[3], day(4) + ",1000,999", "a,5,1000,1", "a,4102444801,1000,1", day(2000) + ",1000,1",
    ]
    let log = try read(Self.header + (rows.reversed() + wrong).joined(separator: "\n"))
    #expect(log.counts.duplicates == 1)
    #expect(log.counts.conflicting == 1)
    #expect(log.counts.unsetClocks == 2)
    #expect(log.counts.clockJumps == 1)
    // All but the first of the reversed rows.
    #expect(log.counts.outOfOrder == 19)
    var expected: [Int64] = Array(500..<520)
    expected[4] = 999
    #expect(log.devices[0].rows.map(\.usedBytes) == expected)
    let exclusions =
      "1 twice in the log, 1 of one time with different sizes, of which the last counts, "
      + "19 out of order, sorted, 2 from a clock that was not set, 1 from a clock that jumped"
    #expect(log.counts.exclusions == exclusions)
  }

  @Test("an app that was not used for long is no clock that jumped")
  func unused() throws {
    let rows = (0..<10).map { "a,\(1_772_360_430 + ($0 / 5) * 86_400 * 200 + $0),9,5" }
    let log = try read(Self.header + rows.joined(separator: "\n"))
    #expect(log.counts.clockJumps == 0 && log.devices[0].rows.count == 10)
  }

  @Test(
    "where rows are more than memory holds, whole devices are sampled, whatever the order of the rows"
  )
  func sampled() throws {
    let rows = (0..<4000).map { "d\($0 % 400),\(1_772_360_430 + $0),9,5" }
    var options = LogReader.Options()
    options.maxRows = 1000
    let log = try read(Self.header + rows.joined(separator: "\n"), options)
    #expect(log.deviceShare == 0.25 || log.deviceShare == 0.125)
    #expect(log.devices.allSatisfy { $0.rows.count == 10 })
    #expect((1...100).contains(log.devices.count))
    let sorted = rows.sorted()
    let again = try read(Self.header + sorted.joined(separator: "\n"), options)
    #expect(again.devices == log.devices)
    let all = try read(Self.header + rows.joined(separator: "\n"))
    #expect(all.devices.count == 400 && all.deviceShare == 1)
  }

  @Test("one version of several can be chosen")
  func version() throws {
    var options = LogReader.Options()
    options.version = "2"
    let log = try read(
      "device,time,totalBytes,usedBytes,version\na,1772360430,9,5,1\na,1772360431,9,6,2\na,1772360432,9,7,2",
      options)
    #expect(log.devices[0].rows.map(\.usedBytes) == [6, 7])
  }
}
