// Claims of the documents that no other test is about, and the table of all of them: Reports/Claims.
import Foundation
import TestSupport
import Testing

@testable import ObjectStore

@Suite("Claims")
struct ClaimTests {
  @Test(
    "the file is larger than the total size of the objects in it, also without free space: as a compacted copy",
    arguments: [(0, 0), (1, 0), (2000, 0), (500, 250), (20, 50_000)])
  func largerThanItsData(_ count: Int, _ length: Int) throws {
    let folder = try RealmFolder()
    let realm = try folder.open([Note.self])
    // No two texts are equal, so that nothing could be stored once for several objects.
    try realm.write {
      for order in 0..<count {
        let text = String("\(order)".padding(toLength: length, withPad: "x", startingAt: 0))
        realm.create(Note.self, value: ["text": text, "order": order])
      }
    }
    let data = realm.objects(Note.self).reduce(0) { $0 + $1.text.utf8.count + 8 }
    #expect(data == count * (length + 8))
    #expect(realm.instance.coordinator.database.usage().live > data)
    try realm.writeCopy(toFile: folder.url("copy.realm"))
    for url in [folder.url(), folder.url("copy.realm")] {
      let facts = try FileManager.default.attributesOfItem(atPath: url.path)
      #expect(try #require(facts[.size] as? Int) > data, "\(url.lastPathComponent)")
    }
  }

  @Test("what was deleted is written over: the file does not grow for as much data again")
  func unusedSpaceIsUsed() throws {
    let folder = try RealmFolder()
    let realm = try folder.open()
    func fill() throws {
      try realm.write {
        for order in 0..<1000 {
          realm.create(
            Note.self, value: ["text": String(repeating: "x", count: 100), "order": order])
        }
      }
    }
    try fill()
    let database = realm.instance.coordinator.database
    try realm.write { realm.delete(realm.objects(Note.self)) }
    try fill()
    let size = database.usage().file
    for _ in 0..<5 {
      try realm.write { realm.delete(realm.objects(Note.self)) }
      try fill()
    }
    #expect(database.usage().file == size)
  }

  /// The rows of all tables of the page: claim, test or scenario, and a cell for each engine.
  private func rows() throws -> [[String]] {
    try Repository.text("Reports/Claims/README.md").split(separator: "\n").compactMap { line in
      guard line.hasPrefix("|"), !line.hasPrefix("|---"), !line.hasPrefix("| claim") else {
        return nil
      }
      return line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  @Test("every claim names a test that exists, or a scenario, and says what holds for each engine")
  func testsExist() throws {
    let tests = try #require(
      FileManager.default.enumerator(atPath: Repository.root.appending("Tests").string)
    ).compactMap { $0 as? String }.filter { $0.hasSuffix("Tests.swift") }
    let rows = try rows()
    #expect(rows.count >= 40)
    for row in rows {
      #expect(row.count == 7, "\(row)")
      let named = row[1].matches(of: #/`(\w+)\.(\w+)`/#)
      #expect(
        !named.isEmpty || row[1].contains("Gallery"), "\(row[0]) is not held against anything")
      for name in named {
        let file = tests.first { $0.hasSuffix("/\(name.1).swift") }
        let path = try #require(file, "\(name.1) is no file of tests")
        #expect(try Repository.text("Tests/\(path)").contains("func \(name.2)("), "\(name.0)")
      }
    }
  }
}
