// An indexed range beside a scan with the same condition, on rows that are spread over the whole table.
import BenchSupport
import Foundation
import ObjectStore

/// The same number twice: with an index, and without.
final class Entry: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var indexed: Int
  @Persisted var plain: Int
  @Persisted var name: String
}

struct QueryPart {
  let rows: Int
  /// The share of the rows that is selected, as one of this many.
  let oneOf: Int
  let batch: Int
  let rounds: Int

  private enum Work: String, CaseIterable {
    case count = "count"
    case read = "read one property of each object"
    case page = "the first by that property"

    var aim: String {
      switch self {
      case .count: "100"
      case .read: "20"
      case .page: ""
      }
    }
  }

  func run(_ url: URL, _ text: String) throws {
    let realm = try Realm(configuration: .init(fileURL: url, objectTypes: [Entry.self]))
    try fill(realm, text)
    let all = realm.objects(Entry.self)
    let range = rows / 2..<(rows / 2 + max(1, rows / oneOf))
    print("\(rows) objects, \(range.count) selected; \(rounds) rounds, processor time\n")
    print("index: \(all.where { $0.indexed.contains(range) }.explain())")
    print("scan: \(all.where { $0.plain.contains(range) }.explain())\n")
    print("| | index, µs | scan, µs | scan ÷ index, median | least | greatest | aim |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    for work in Work.allCases {
      var index: [Double] = []
      var scan: [Double] = []
      for _ in 0..<rounds {
        let (found, byIndex) = measure { perform(work, realm, range, isIndexed: true) }
        let (same, byScan) = measure { perform(work, realm, range, isIndexed: false) }
        precondition(found == same, "Index and scan find different objects.")
        index.append(byIndex)
        scan.append(byScan)
      }
      let ratio = Spread(zip(index, scan).map { $1 / $0 })
      print(
        "| \(work.rawValue) | \(rounded(Spread(index).median / 1000)) "
          + "| \(rounded(Spread(scan).median / 1000)) | \(rounded(ratio.median)) "
          + "| \(rounded(ratio.low)) | \(rounded(ratio.high)) | \(work.aim) |")
    }
  }

  private func fill(_ realm: Realm, _ text: String) throws {
    // Coprime to every number of rows that is a power of ten: each number once, in no order of the keys.
    let step = 7919
    for start in stride(from: 0, to: rows, by: batch) {
      try realm.write {
        for id in start..<min(start + batch, rows) {
          let number = id * step % rows
          realm.create(
            Entry.self, value: ["id": id, "indexed": number, "plain": number, "name": text])
        }
      }
    }
  }

  /// A new collection each time: nothing is left of the round before.
  private func perform(_ work: Work, _ realm: Realm, _ range: Range<Int>, isIndexed: Bool) -> Int {
    let all = realm.objects(Entry.self)
    if work == .page {
      let sorted = isIndexed ? all.sorted(by: \.indexed) : all.sorted(by: \.plain)
      return sorted.first?.id ?? -1
    }
    let found = all.where {
      isIndexed ? $0.indexed.contains(range) : $0.plain.contains(range)
    }
    guard work == .read else { return found.count }
    var sum = 0
    for entry in found { sum &+= entry.plain }
    return sum
  }

  private func measure(_ body: () -> Int) -> (result: Int, nanoseconds: Double) {
    let began = processorNanoseconds()
    let result = body()
    return (result, Double(processorNanoseconds() - began))
  }
}
