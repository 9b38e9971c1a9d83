// Queries through links and collections: which objects match, and which of them an index or backlinks find.
import Foundation
import TestSupport
import Testing

@testable import ObjectStore

class Kennel: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var town: String
  @Persisted var hounds: List<Hound>
}

class Hound: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var name: String
  @Persisted(indexed: true) var age: Int?
  @Persisted var weight: Double
  @Persisted var isLoud: Bool
  @Persisted var sire: Hound?
  @Persisted var friends: MutableSet<Hound>
  @Persisted var tricks: List<String>
  @Persisted var scores: MutableSet<Int>
  @Persisted var times: Map<String, Double>
  @Persisted var rivals: Map<String, Hound?>
  @Persisted(originProperty: "hounds") var kennels: LinkingObjects<Kennel>
}

@Suite("Queries through links")
struct LinkQueryTests {
  private let folder: RealmFolder
  private let realm: Realm

  /// Four hounds: 1 is the sire of 2, 2 of 3; 4 has no links.
  init() throws {
    folder = try RealmFolder()
    realm = try folder.open([Kennel.self, Hound.self])
    let hounds = (1...4).map { id in
      let hound = Hound()
      hound.id = id
      hound.name = ["Rex", "Bella", "Max", "Rex"][id - 1]
      hound.age = [9, 5, 2, nil][id - 1]
      hound.weight = Double(id)
      hound.isLoud = id == 2
      return hound
    }
    hounds[1].sire = hounds[0]
    hounds[2].sire = hounds[1]
    hounds[0].friends.insert(hounds[1])
    hounds[0].friends.insert(hounds[2])
    hounds[1].friends.insert(hounds[2])
    hounds[0].tricks.append(objectsIn: ["sit", "roll"])
    hounds[1].tricks.append("sit")
    hounds[0].scores.insert(objectsIn: [1, 5])
    hounds[1].scores.insert(objectsIn: [4, 6])
    hounds[0].times["run"] = 2.5
    hounds[1].times["run"] = 4
    hounds[1].times["swim"] = 1
    hounds[2].rivals["old"] = .some(hounds[0])
    hounds[3].rivals["old"] = .some(nil)
    try realm.write {
      realm.add(hounds)
      let kennel = realm.create(Kennel.self, value: ["id": 1, "town": "Ulm"])
      kennel.hounds.append(objectsIn: [hounds[0], hounds[1]])
      let other = realm.create(Kennel.self, value: ["id": 2, "town": "Aalen"])
      other.hounds.append(objectsIn: [hounds[2], hounds[2]])
      realm.create(Kennel.self, value: ["id": 3, "town": "Kiel"])
    }
  }

  private func ids(_ query: (Query<Hound>) -> Query<Bool>) -> [Int] {
    realm.objects(Hound.self).where(query).map(\.id)
  }

  private func kennels(_ query: (Query<Kennel>) -> Query<Bool>) -> [Int] {
    realm.objects(Kennel.self).where(query).map(\.id)
  }

  private func plan(_ query: (Query<Hound>) -> Query<Bool>) -> String {
    realm.objects(Hound.self).where(query).explain()
  }

  private func hound(_ id: Int) throws -> Hound {
    try #require(realm.object(ofType: Hound.self, forPrimaryKey: id))
  }

  @Test("a property at the end of links is compared, and is nil where a link leads to nothing")
  func toOne() {
    #expect(ids { $0.sire.name == "Rex" } == [2])
    #expect(ids { $0.sire.sire.name == "Rex" } == [3])
    #expect(ids { $0.sire.name != "Rex" } == [1, 3, 4])
    #expect(ids { !($0.sire.name == "Rex") } == [1, 3, 4])
    #expect(ids { $0.sire.sire.age == nil } == [1, 2, 4])
    #expect(ids { $0.sire.age.contains(3..<9) } == [3])
    #expect(ids { $0.sire.weight >= 1 && $0.age < 5 } == [3])
    #expect(ids { $0.sire.name.starts(with: "Be") || $0.sire.name.in(["Rex"]) } == [2, 3])
    #expect(ids { $0.sire.isLoud } == [3])
    #expect(ids { $0.sire.tricks.contains("roll") } == [2])
    #expect(ids { $0.sire.friends.name == "Bella" } == [2])
  }

  @Test("links are compared with objects and nil; an object of another realm is misuse")
  func objects() throws {
    let (rex, bella) = (try hound(1), try hound(2))
    #expect(ids { $0.sire == rex } == [2])
    #expect(ids { $0.sire != rex } == [1, 3, 4])
    #expect(ids { $0.sire == nil } == [1, 4])
    #expect(ids { $0.sire != nil } == [2, 3])
    #expect(ids { $0.sire.in([rex, bella, nil]) } == [1, 2, 3, 4])
    #expect(ids { $0.sire.in([rex, bella]) } == [2, 3])
    #expect(ids { $0.sire.sire == rex } == [3])
    #expect(ids { $0.friends.contains(bella) } == [1])
    #expect(ids { $0.friends.containsAny(in: [bella, rex]) } == [1])
    #expect(ids { $0.rivals["old"] == rex } == [3])
    #expect(ids { $0.rivals["old"].name == "Rex" } == [3])
    #expect(ids { $0.rivals.contains(rex) } == [3])
    #expect(ids { $0.rivals.contains(nil) } == [4])
    #expect(kennels { $0.hounds.contains(rex) } == [1])
    var found: [Int] = [0]
    #expect(misuse { found = ids { $0.sire == Hound() } } == [.invalidValue])
    #expect(found == [])
    let other = try folder.open([Kennel.self, Hound.self], "other.realm")
    try other.write { other.create(Hound.self, value: ["id": 1]) }
    let stranger = try #require(other.objects(Hound.self).first)
    #expect(misuse { found = ids { $0.friends.contains(stranger) } } == [.invalidValue])
    #expect(found == [])
    // A frozen object is one of the realm.
    #expect(ids { $0.sire == rex.freeze() } == [2])
  }

  @Test("a condition on the objects of a collection holds if any of them matches")
  func any() {
    #expect(kennels { $0.hounds.age > 4 } == [1])
    #expect(kennels { $0.hounds.age < 6 } == [1, 2])
    #expect(kennels { !($0.hounds.age < 6) } == [3])
    // Both ends on one hound: 1 has hounds of 9 and of 5 years, none between.
    #expect(kennels { $0.hounds.age.contains(6...8) } == [])
    #expect(kennels { $0.hounds.name.in(["Max", "Bella"]) } == [1, 2])
    #expect(kennels { $0.hounds.sire.name == "Bella" } == [2])
    #expect(kennels { $0.hounds.friends.name == "Max" && $0.town == "Ulm" } == [1])
    #expect(ids { $0.kennels.town == "Ulm" } == [1, 2])
    #expect(ids { $0.kennels.count == 2 } == [3])
    #expect(ids { $0.kennels.count == 0 } == [4])
    #expect(ids { $0.rivals.name == "Rex" } == [3])
  }

  @Test("values in collections are found, counted and computed with")
  func values() {
    #expect(ids { $0.tricks.contains("sit") } == [1, 2])
    #expect(ids { $0.tricks.containsAny(in: ["roll", "jump"]) } == [1])
    #expect(ids { $0.tricks.count == 2 } == [1])
    #expect(ids { $0.tricks.count < 1 } == [3, 4])
    #expect(ids { $0.scores.contains(5) } == [1])
    #expect(ids { $0.scores.contains(1...5) } == [1])
    #expect(ids { $0.scores.contains(4..<7) } == [2])
    #expect(ids { $0.scores.min == 1 } == [1])
    #expect(ids { $0.scores.max > 5 } == [2])
    #expect(ids { $0.scores.sum == 0 } == [3, 4])
    #expect(ids { $0.scores.avg == 3 } == [1])
    #expect(ids { $0.scores.avg == nil } == [3, 4])
    #expect(ids { $0.times["run"] == 2.5 } == [1])
    #expect(ids { $0.times["swim"] > 0 } == [2])
    #expect(ids { $0.times["swim"] != 1 } == [1, 3, 4])
    #expect(ids { $0.times.keys == "run" } == [1, 2])
    #expect(ids { $0.times.keys.starts(with: "s") } == [2])
    #expect(ids { $0.times.values > 3 } == [2])
    #expect(ids { $0.times.count == 2 } == [2])
    #expect(ids { $0.times.max >= 4 } == [2])
    #expect(ids { $0.times.contains(1.0...3.0) } == [1])
    #expect(kennels { $0.hounds.age.min == 5 } == [1])
    #expect(kennels { $0.hounds.age.sum == 4 } == [2])
    #expect(kennels { $0.hounds.weight.avg == 1.5 } == [1])
    #expect(kennels { $0.hounds.scores.sum == 10 } == [1])
    #expect(ids { $0.sire.scores.max == 5 } == [2])
  }

  @Test("a subquery counts the objects of one collection that match all of its conditions")
  func subqueries() {
    #expect(kennels { ($0.hounds.age > 4).count == 2 } == [1])
    #expect(kennels { ($0.hounds.age > 4 && $0.hounds.name == "Rex").count == 1 } == [1])
    #expect(kennels { ($0.hounds.name == "Max").count == 2 } == [2])
    #expect(kennels { (!($0.hounds.name == "Rex")).count >= 1 } == [1, 2])
    #expect(kennels { ($0.hounds.age > 4).count < 1 } == [2, 3])
    #expect(ids { ($0.sire.friends.age > 4).count == 1 } == [2])
  }

  @Test("indexes of linked classes, primary keys and backlinks serve conditions on links")
  func plans() throws {
    let rex = try hound(1)
    #expect(plan { $0.sire == rex } == "backlinks of Hound.sire: sire == object 1")
    #expect(
      plan { $0.friends.contains(rex) && $0.weight > 2 }
        == "backlinks of Hound.friends: any friends == object 1; filter: weight > 2.0")
    #expect(
      plan { $0.sire.name == "Rex" }
        == "backlinks of Hound.sire from (index Hound.name: name == \"Rex\")")
    #expect(
      plan { $0.sire.sire.id == 1 }
        == "backlinks of Hound.sire from (backlinks of Hound.sire from (primary key Hound.id: id == 1))"
    )
    #expect(
      plan { $0.friends.contains(rex) && $0.id == 3 }.hasPrefix("primary key Hound.id: id == 3"))
    // Where the link leads to nothing the condition holds too: backlinks would miss that.
    #expect(plan { $0.sire.age == nil } == "scan of Hound; filter: sire.age == nil")
    #expect(plan { $0.sire == nil } == "scan of Hound; filter: sire == nil")
    #expect(plan { $0.sire.weight > 3 } == "scan of Hound; filter: sire.weight > 3.0")
    #expect(
      realm.objects(Kennel.self).where { $0.hounds.age > 4 }.explain()
        == "backlinks of Kennel.hounds from (index Hound.age: age > 4)")
    #expect(
      realm.objects(Kennel.self).where {
        ($0.hounds.age > 4 && $0.hounds.weight < 3).count == 1 || $0.hounds.weight.sum > 2
          || !$0.hounds.tricks.contains("sit")
      }.explain()
        == "scan of Kennel; filter: ((hounds.age > 4 && hounds.weight < 3.0).count == 1 || "
        + "hounds.weight.sum > 2.0) || !(any hounds.tricks == \"sit\")")
    #expect(
      plan { $0.kennels.town == "Ulm" }
        == "scan of Hound; filter: any @links.Kennel.hounds.town == \"Ulm\"")
    #expect(
      plan { $0.rivals["old"].name == "Rex" && $0.times.keys == "run" }
        == "scan of Hound; filter: rivals[\"old\"].name == \"Rex\" && any times.keys == \"run\"")
  }

  @Test("a collection is sorted and made distinct by properties at the end of links")
  func sorting() {
    let all = realm.objects(Hound.self)
    #expect(all.sorted(by: \.sire?.name).map(\.id) == [1, 4, 3, 2])
    #expect(all.sorted(by: \.sire?.name, ascending: false).map(\.id) == [2, 3, 1, 4])
    #expect(all.sorted(by: ["sire.sire.age", "weight"]).map(\.id) == [1, 2, 4, 3])
    #expect(
      all.sorted(by: [.init(keyPath: \Hound.sire?.sire?.id, ascending: false), "name"]).first?.id
        == 3)
    #expect(all.distinct(by: [\Hound.sire?.sire?.name]).map(\.id) == [1, 3])
    #expect(all.sorted(byKeyPath: "sire.age").explain() == "scan of Hound; sort by sire.age")
    var count = 0
    #expect(misuse { count = all.sorted(byKeyPath: "friends.name").count } == [.invalidValue])
    #expect(misuse { count += all.sorted(byKeyPath: "sire.size").count } == [.invalidValue])
    #expect(count == 8)
  }

  @Test(
    "a frozen collection has the links of its version, and a query in a transaction those of the transaction"
  )
  func versions() throws {
    let loved = realm.objects(Hound.self).where {
      $0.sire.name == "Rex" || $0.tricks.contains("sit")
    }
    let before = loved.freeze()
    try realm.write {
      let (rex, max) = (try hound(1), try hound(3))
      try hound(4).sire = rex
      rex.tricks.removeAll()
      max.tricks.append("sit")
      #expect(loved.map(\.id) == [2, 3, 4])
    }
    #expect(loved.map(\.id) == [2, 3, 4])
    #expect(before.map(\.id) == [1, 2])
  }
}
