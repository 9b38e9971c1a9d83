// Which index serves which condition, as `explain` shows it, and what the queries compare strings by.
import Foundation
import ObjectStore
import Testing

@Suite("Query plans")
struct QueryPlanTests {
  private func filled(_ folder: RealmFolder) throws -> Realm {
    let realm = try folder.open([Sample.self, Label.self])
    try realm.write {
      for id in 0..<50 {
        realm.create(
          Sample.self,
          value: ["id": id, "number": id % 7, "text": "t\(id % 9)", "amount": id % 3])
      }
    }
    return realm
  }

  @Test("explain names the index, the range, and what is filtered and sorted afterwards")
  func explain() throws {
    let folder = try RealmFolder()
    let realm = try filled(folder)
    let all = realm.objects(Sample.self)
    #expect(all.explain() == "scan of Sample")
    #expect(all.where { $0.amount == 1 }.explain() == "scan of Sample; filter: amount == 1")
    #expect(all.where { $0.id == 3 }.explain() == "primary key Sample.id: id == 3")
    #expect(
      all.where { $0.id.contains(3..<9) && $0.amount > 0 }.explain()
        == "primary key Sample.id: id >= 3 && id < 9; filter: amount > 0")
    #expect(
      all.where { $0.number.in([1, 2]) }.explain() == "index Sample.number: number in 2 values")
    #expect(
      all.where { $0.text.starts(with: "t1") && $0.amount != 2 && $0.text.ends(with: "1") }
        .sorted(by: \.amount, ascending: false).distinct(by: ["note"]).explain()
        == "index Sample.text: text starts with \"t1\"; filter on the index: text ends with \"1\"; "
        + "filter: amount != 2; sort by amount descending; distinct by note")
    #expect(all.where { $0.text.like("t*1") }.explain() == "index Sample.text: text like \"t*1\"")
    #expect(
      all.where { $0.number == 1 || $0.number > 5 }.explain()
        == "index Sample.number: number == 1 || number > 5")
    #expect(
      all.where { ($0.number == 1 && $0.amount == 1) || $0.number == 2 }.explain()
        == "index Sample.number: ranges that the filter allows; "
        + "filter: (number == 1 && amount == 1) || number == 2")
    #expect(
      all.sorted(by: \.number).explain() == "index Sample.number; sort by number in index order")
    #expect(all.sorted(by: \.amount).explain() == "scan of Sample; sort by amount")
    #expect(
      all.where { $0.text == "two\nlines" }.explain()
        == #"index Sample.text: text == "two\nlines""#)
  }

  @Test(
    "single keys come before ranges, ranges with two ends before one, the primary key before an index"
  )
  func choice() throws {
    let folder = try RealmFolder()
    let realm = try filled(folder)
    let all = realm.objects(Sample.self)
    func access(_ query: (Query<Sample>) -> Query<Bool>) -> String {
      String(all.where(query).explain().prefix { $0 != ":" && $0 != ";" })
    }
    #expect(access { $0.number == 1 && $0.id > 3 } == "index Sample.number")
    #expect(access { $0.number > 1 && $0.id > 3 } == "primary key Sample.id")
    #expect(access { $0.number.contains(1...3) && $0.id > 3 } == "index Sample.number")
    #expect(access { $0.number.contains(1...3) && $0.text == "t1" } == "index Sample.text")
    #expect(access { $0.number == nil } == "index Sample.number")
    #expect(access { $0.amount == 1 || $0.number == 1 } == "scan of Sample")
    #expect(access { !($0.number == 1) } == "scan of Sample")
    #expect(access { $0.text.equals("T1", options: .caseInsensitive) } == "scan of Sample")
  }

  @Test(
    "strings are found by their bytes: a letter with an accent in one scalar is not that in two")
  func bytes() throws {
    let folder = try RealmFolder()
    let realm = try folder.open()
    let (one, two) = ("\u{e9}", "e\u{301}")
    try realm.write { realm.create(Person.self, value: ["id": 1, "name": one, "nick": one]) }
    let people = realm.objects(Person.self)
    #expect(people.where { $0.name == one }.count == 1)
    #expect(people.where { $0.name == two }.count == 0)
    #expect(people.where { $0.nick == two }.count == 0)
    try realm.write { people.first?.name = two }
    // The change is one although Swift's own comparison finds the two equal.
    #expect(people.where { $0.name == one }.count == 0)
    #expect(people.where { $0.name == two }.count == 1)
    try realm.write { realm.create(Person.self, value: ["id": 1, "name": one], update: .modified) }
    #expect(people.where { $0.name == one }.count == 1)
    #expect(people.where { $0.name == two }.count == 0)
  }

  @Test("sums, averages and extremes leave out nil; of nothing they are zero and nil")
  func aggregates() throws {
    let folder = try RealmFolder()
    let realm = try folder.open()
    let people = realm.objects(Person.self)
    #expect(people.min(of: \.age) == nil)
    #expect(people.sum(of: \.weight) == 0)
    #expect(people.average(of: \.age) == nil)
    try realm.write {
      realm.create(Person.self, value: ["id": 1, "weight": 1.5, "age": 4])
      realm.create(Person.self, value: ["id": 2, "weight": 2.5, "age": 7])
      realm.create(Person.self, value: ["id": 3, "weight": -1.0])
    }
    #expect(people.min(of: \.age) == 4)
    #expect(people.max(of: \.age) == 7)
    #expect(people.average(of: \.age) == 5.5)
    #expect(people.sum(of: \.age) == 11)
    #expect(people.sum(of: \.weight) == 3)
    #expect(people.max(of: \.born) == nil as Date??)
    #expect(people.where { $0.age != nil }.min(ofProperty: "weight") == 1.5)
    #expect(misuse { let _: Int? = people.min(ofProperty: "height") } == [.invalidValue])
  }

  @Test("an unknown name to sort or compare by is misuse, and leaves the collection as it is")
  func names() throws {
    let folder = try RealmFolder()
    let realm = try filled(folder)
    let all = realm.objects(Sample.self)
    var counts: [Int] = []
    #expect(misuse { counts.append(all.sorted(by: ["size", "id"]).count) } == [.invalidValue])
    #expect(misuse { counts.append(all.distinct(by: ["size"]).count) } == [.invalidValue])
    #expect(counts == [50, 50])
    #expect(all.distinct(by: [\Sample.number, \Sample.amount]).count == 21)
    #expect(all.sorted(by: ["number", "amount"]).first?.id == 0)
    let other = try folder.open([Sample.self], "other.realm")
    try other.write { other.create(Sample.self, value: ["id": 1]) }
    #expect(try all.index(of: #require(other.objects(Sample.self).first)) == nil)
  }
}
