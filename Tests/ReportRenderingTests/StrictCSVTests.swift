// Every CSV file that a run leaves, read by a parser that forgives nothing: RFC 4180 to the letter, line
// ends too.
import Analysis
import MetricModel
import RecordFixtures
import RecordModel
import ReportRendering
import Testing

/// Rows of fields by the grammar of RFC 4180, section 2; nil where the text departs from it in anything.
private func strictRows(_ bytes: [UInt8]) -> [[String]]? {
  let (comma, quote) = (UInt8(ascii: ","), UInt8(ascii: "\""))
  let (back, feed) = (UInt8(ascii: "\r"), UInt8(ascii: "\n"))
  func ends(_ offset: Int) -> Bool {
    offset + 1 < bytes.count && bytes[offset] == back && bytes[offset + 1] == feed
  }
  var rows: [[String]] = []
  var row: [String] = []
  var offset = 0
  while offset < bytes.count {
    var field: [UInt8] = []
    if bytes[offset] == quote {
      offset += 1
      while true {
        guard offset < bytes.count else { return nil }
        if bytes[offset] == quote {
          guard offset + 1 < bytes.count, bytes[offset + 1] == quote else { break }
          offset += 1
        }
        field.append(bytes[offset])
        offset += 1
      }
      offset += 1
    } else {
      while offset < bytes.count, bytes[offset] != comma, !ends(offset) {
        guard bytes[offset] != quote, bytes[offset] >= 32 else { return nil }
        field.append(bytes[offset])
        offset += 1
      }
    }
    guard let text = String(validating: field, as: UTF8.self) else { return nil }
    row.append(text)
    guard offset < bytes.count else { return nil }
    if ends(offset) {
      guard rows.isEmpty || rows[0].count == row.count else { return nil }
      rows.append(row)
      row = []
      offset += 1
    } else if bytes[offset] != comma {
      return nil
    } else if offset + 1 == bytes.count {
      return nil
    }
    offset += 1
    // A field may be empty where a row ends.
    if !row.isEmpty, ends(offset) {
      row.append("")
      guard rows.isEmpty || rows[0].count == row.count else { return nil }
      rows.append(row)
      row = []
      offset += 2
    }
  }
  return row.isEmpty ? rows : nil
}

@Suite("Strict CSV")
struct StrictCSVTests {
  private static let odd = "a,b \"c\"\nd ü"

  private func files() throws -> [(name: String, bytes: [UInt8])] {
    var (record, samples) = try SyntheticRecord.make(repetitions: 3)
    SyntheticLookups.add(to: &record)
    SyntheticRecord.rename(policy: "never", Self.odd, &record, &samples)
    let analysis = ScenarioAnalysis(record: record, samples: samples)
    return [
      (SampleCSV.fileName, SampleCSV.text(samples)), (EventCSV.fileName, EventCSV.text(record)),
      (SummaryCSV.fileName, SummaryCSV.text(analysis)),
      (RepetitionCSV.fileName, RepetitionCSV.text(record)),
      (CurveCSV.fileName, CurveCSV.text(analysis)),
      (LookupCSV.fileName, LookupCSV.text(record)),
      ("gallery", Array(try #require(GalleryEntry(record: record, samples: samples)).csv.utf8)),
    ]
  }

  @Test(
    "every file has one header, rows as long as that, and fields quoted only where they must be")
  func strict() throws {
    for (name, bytes) in try files() {
      let rows = try #require(strictRows(bytes), "\(name)")
      #expect(rows.count > 10 && Set(rows[0]).count == rows[0].count, "\(name)")
      let column = try #require(rows[0].firstIndex(of: "policy"))
      // Events have none of a policy that never compacts.
      let hasOdd = rows.contains { $0[column] == Self.odd }
      #expect(hasOdd == (name != EventCSV.fileName), "\(name)")
    }
  }

  @Test(
    "numbers are plain: a sign, digits, a point, an exponent, and nothing else; what is absent is empty"
  )
  func numbers() throws {
    for (name, bytes) in try files() {
      let rows = try #require(strictRows(bytes), "\(name)")
      for (index, column) in rows[0].enumerated() {
        let endings = ["_bytes", "_us", "_ns", "_commits", "_commit", "_ratio", "_coverage"]
        guard endings.contains(where: column.hasSuffix) else { continue }
        let fields = rows.dropFirst().map { $0[index] }
        #expect(fields.allSatisfy { $0.isEmpty || Double($0) != nil }, "\(name), \(column)")
      }
    }
  }

  @Test("repetitions.csv has every repetition of every cell that was measured, each once")
  func everyRepetition() throws {
    let (record, _) = try SyntheticRecord.make(repetitions: 3)
    let rows = try #require(strictRows(RepetitionCSV.text(record)))
    let keys = rows.dropFirst().map { Array($0[0..<5]) }
    #expect(Set(keys).count == keys.count)
    #expect(keys.count == 3 * record.cells.count { $0.status == .measured })
  }

  @Test("the parser of these tests is strict")
  func parser() {
    let bad = [
      "a,b\r\n1\r\n", "a\r\n\"x\"y\r\n", "a\r\nx\"y\r\n", "a\r\n\"x\r\n", "a",
      "a,b\r\n1,2\n", "a,b\n1,2\n", "a,b\r\n1,2\r", "a,b\r\n1,2\r\r\n", "a\r\n1,2\r\n",
    ]
    for text in bad { #expect(strictRows(Array(text.utf8)) == nil, "\(text.debugDescription)") }
    let good = "a,b\r\n,\r\n\"\"\"\",\r\n"
    #expect(strictRows(Array(good.utf8)) == [["a", "b"], ["", ""], ["\"", ""]])
  }
}
