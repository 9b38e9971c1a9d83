// What it takes to tell an observer of a few changed objects, with ever more objects that have not changed.
import BenchSupport
import Dispatch
import Foundation
import ObjectStore

struct NotificationPart {
  let sizes: [Int]
  /// Objects changed in each commit.
  let changes: Int
  let commits: Int
  let batch: Int

  private enum Work: String, CaseIterable {
    case modify = "objects modified"
    case insert = "objects inserted"
    case move = "objects moved in a sorted collection"
  }

  func run(_ folder: URL, _ text: String) throws {
    print(
      "\(changes) objects in each of \(commits) commits; processor time of the refresh, µs, median\n"
    )
    print("| objects | \(Work.allCases.map(\.rawValue).joined(separator: " | ")) |")
    print("|--:|\(Work.allCases.map { _ in "--:|" }.joined())")
    for size in sizes {
      var cells: [String] = []
      for work in Work.allCases {
        let url = folder.appendingPathComponent("\(size)-\(work).realm")
        cells.append("\(rounded(try measure(url, size, work, text) / 1000))")
      }
      print("| \(size) | \(cells.joined(separator: " | ")) |")
    }
  }

  /// Returns the median of the refreshes, in nanoseconds.
  private func measure(
    _ url: URL, _ size: Int, _ work: Work, _ text: String
  ) throws -> Double {
    let configuration = Realm.Configuration(fileURL: url, objectTypes: [Entry.self])
    let realm = try Realm(configuration: configuration)
    realm.autorefresh = false
    for start in stride(from: 0, to: size, by: batch) {
      try realm.write {
        for id in start..<min(start + batch, size) {
          // Even numbers: others come between them.
          realm.create(
            Entry.self, value: ["id": 2 * id, "indexed": id, "plain": id, "name": text])
        }
      }
    }
    let all = realm.objects(Entry.self)
    var calls = 0
    let collection = work == .move ? all.sorted(by: \.plain) : all
    let token = collection.observe { change in
      guard case .update(_, let deletions, let insertions, let modifications) = change else {
        return
      }
      let isExpected =
        switch work {
        case .modify: modifications.count == changes && insertions.isEmpty && deletions.isEmpty
        case .insert: insertions.count == changes && modifications.isEmpty && deletions.isEmpty
        // The last object may be changed and remain the last.
        case .move: insertions.count + modifications.count == changes
        }
      precondition(isExpected, "The change set is not what was changed.")
      calls += 1
    }
    realm.refresh()
    var times: [Double] = []
    let queue = DispatchQueue(label: "writer")
    for commit in 1...commits {
      try queue.sync {
        let writer = try Realm(configuration: configuration, queue: queue)
        writer.autorefresh = false
        try writer.write { change(writer, size, work, commit, text) }
      }
      let began = processorNanoseconds()
      realm.refresh()
      times.append(Double(processorNanoseconds() - began))
    }
    precondition(calls == commits, "Each commit is one change set.")
    withExtendedLifetime(token) {}
    return Spread(times).median
  }

  private func change(_ realm: Realm, _ size: Int, _ work: Work, _ commit: Int, _ text: String) {
    for index in 0..<changes {
      // Spread over the table, and others in each commit.
      let id = 2 * ((commit * changes + index) * 7919 % size)
      switch work {
      case .modify: realm.object(ofType: Entry.self, forPrimaryKey: id)?.name = "\(text)\(commit)"
      case .insert:
        realm.create(Entry.self, value: ["id": id + 1, "name": text], update: .error)
      case .move:
        realm.object(ofType: Entry.self, forPrimaryKey: id)?.plain = size + commit * changes + index
      }
    }
  }
}
