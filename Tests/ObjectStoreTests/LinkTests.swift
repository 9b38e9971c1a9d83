// To-one links, backlinks, deep graphs and cycles.
import Foundation
import Testing

@testable import ObjectStore

@Suite("Links")
struct LinkTests {
  private let folder: RealmFolder
  private let realm: Realm

  init() throws {
    folder = try RealmFolder()
    realm = try folder.open(linkedClasses)
  }

  private func pet(_ name: String) -> Pet {
    let pet = Pet()
    pet.name = name
    return pet
  }

  private func keeper(_ id: Int, _ change: (Keeper) -> Void = { _ in }) -> Keeper {
    let keeper = Keeper()
    keeper.id = id
    change(keeper)
    return keeper
  }

  @Test("a link leads to the object that was set, also in the file opened anew, and to nil again")
  func toOne() throws {
    try realm.write {
      realm.add(keeper(1) { $0.pet = pet("Rex") })
      let found = try #require(realm.object(ofType: Keeper.self, forPrimaryKey: 1))
      #expect(found.pet?.name == "Rex")
    }
    let again = try folder.open(linkedClasses)
    let found = try #require(again.object(ofType: Keeper.self, forPrimaryKey: 1))
    #expect(found.pet?.name == "Rex")
    #expect(try linkProblems(realm) == [])
    try realm.write { found.pet = nil }
    #expect(found.pet == nil)
    #expect(realm.objects(Pet.self).count == 1)
    #expect(try linkProblems(realm) == [])
  }

  @Test("adding an object adds what it links to, each object once, through any cycle")
  func cycles() throws {
    let (a, b) = (pet("a"), pet("b"))
    a.best = b
    b.best = a
    let first = keeper(1) {
      $0.pet = a
      $0.pets.append(objectsIn: [a, b, a])
    }
    let second = keeper(2) { $0.friends.insert(first) }
    first.friends.insert(second)
    first.friends.insert(first)
    try realm.write { realm.add(first) }
    #expect(realm.objects(Pet.self).count == 2 && realm.objects(Keeper.self).count == 2)
    #expect(a.best?.best == a && a.realm == realm)
    #expect(first.pets.map(\.name) == ["a", "b", "a"])
    #expect(Set(first.friends.map(\.id)) == [1, 2] && second.friends.map(\.id) == [1])
    #expect(try linkProblems(realm) == [])
  }

  @Test("a chain of 20 000 objects is added and does not exhaust the stack")
  func deepChain() throws {
    let first = pet("0")
    var last = first
    for number in 1..<20_000 {
      let next = pet("\(number)")
      last.best = next
      last = next
    }
    try realm.write { realm.add(first) }
    #expect(realm.objects(Pet.self).count == 20_000)
    #expect(last.best == nil && last.name == "19999")
    #expect(try LinkAudit(realm).linkCount == 19_999)
  }

  @Test("links to a deleted object become nil, lists and sets lose it, maps have nil")
  func deletion() throws {
    let (rex, tom) = (pet("Rex"), pet("Tom"))
    tom.best = rex
    rex.best = rex
    let owner = keeper(1) {
      $0.pet = rex
      $0.pets.append(objectsIn: [rex, tom, rex, tom, rex])
      $0.petsByName["first"] = .some(rex)
      $0.petsByName["second"] = .some(tom)
    }
    let friend = keeper(2) { $0.friends.insert(owner) }
    try realm.write { realm.add([owner, friend]) }
    try realm.write { realm.delete(rex) }
    #expect(rex.isInvalidated)
    #expect(owner.pet == nil && tom.best == nil)
    #expect(owner.pets.map(\.name) == ["Tom", "Tom"])
    #expect(owner.petsByName.keys == ["first", "second"])
    #expect(owner.petsByName["first"] == .some(nil) && owner.petsByName["second"] == .some(tom))
    #expect(try linkProblems(realm) == [])
    try realm.write { realm.delete(owner) }
    #expect(friend.friends.isEmpty && tom.keepers.isEmpty)
    #expect(try linkProblems(realm) == [])
    try realm.write { realm.delete(realm.objects(Pet.self)) }
    try realm.write { realm.deleteAll() }
    #expect(try linkProblems(realm) == [])
    #expect(realm.isEmpty)
  }

  @Test("backlinks are the objects that link, as often as they do")
  func backlinks() throws {
    let rex = pet("Rex")
    #expect(rex.keepers.isEmpty)
    let one = keeper(1) { $0.pets.append(objectsIn: [rex, rex]) }
    let two = keeper(2) { $0.pet = rex }
    try realm.write { realm.add([one, two]) }
    #expect(rex.keepers.map(\.id) == [1, 1])
    #expect(rex.onlyPetOf.map(\.id) == [2])
    try realm.write {
      one.pets.remove(at: 0)
      two.pet = nil
      #expect(rex.keepers.map(\.id) == [1])
    }
    #expect(rex.keepers.count == 1 && rex.onlyPetOf.isEmpty)
    try realm.write { realm.delete(one) }
    #expect(rex.keepers.isEmpty)
  }

  @Test("objects with primary keys of any length link to each other", arguments: [1, 6, 7, 8, 253])
  func byteKeys(_ length: Int) throws {
    let names = ["a", "b"].map { String(repeating: $0, count: length) }
    let pages = names.map { name in
      let page = Page()
      page.title = name
      page.aliases.insert(name.uppercased().prefix(200).description)
      return page
    }
    pages[0].parent = pages[1]
    pages[1].links.append(objectsIn: [pages[0], pages[1], pages[0]])
    try realm.write { realm.add(pages[0]) }
    #expect(pages[0].parent?.title == names[1])
    #expect(pages[1].links.map(\.title) == [names[0], names[1], names[0]])
    #expect(pages[0].linkedFrom.map(\.title) == [names[1], names[1]])
    #expect(try linkProblems(realm) == [])
    try realm.write { realm.delete(pages[0]) }
    #expect(pages[1].links.map(\.title) == [names[1]])
    #expect(try linkProblems(realm) == [])
  }

  @Test("a primary key of more than 253 bytes is refused in links, and nothing changes")
  func longKeys() throws {
    let long = String(repeating: "x", count: 254)
    try realm.write {
      let page = Page()
      page.title = "a"
      realm.add(page)
      #expect(misuse { realm.create(Page.self, value: ["title": long]) } == [.invalidValue])
      let other = Page()
      other.title = long
      #expect(misuse { page.parent = other } == [.invalidValue])
      #expect(page.parent == nil && other.realm == nil)
    }
    #expect(realm.objects(Page.self).count == 1)
    #expect(try linkProblems(realm) == [])
  }

  @Test("dictionaries and arrays make whole graphs, and objects in them are linked")
  func literals() throws {
    try realm.write {
      let rex = realm.create(Pet.self, value: ["name": "Rex", "weight": 3, "legs": 4])
      let made = realm.create(
        Keeper.self,
        value: [
          "id": 1, "name": "Ada", "mood": "grim", "rank": Rank.high, "pet": rex,
          "pets": [rex, ["name": "Tom"], ["Kit", 2.5]], "friends": [["id": 2, "name": "Bob"]],
          "home": ["street": "Elm", "doors": [["number": 3, "guest": rex]]],
          "petsByName": ["x": rex, "y": NSNull()], "tags": ["a", "b"], "remarks": ["c", NSNull()],
          "scores": Set([3, 1]), "ratings": ["good": 0.5],
        ])
      #expect(made.pets.map(\.name) == ["Rex", "Tom", "Kit"] && made.pets[2].weight == 2.5)
      #expect(made.mood == .grim && made.rank == .high && made.pet?.legs == 4)
      #expect(made.friends.map(\.name) == ["Bob"])
      #expect(made.home?.doors.first?.number == 3 && made.home?.doors[0].guest == rex)
      #expect(made.petsByName["x"] == .some(rex) && made.petsByName["y"] == .some(nil))
      #expect(Array(made.tags) == ["a", "b"] && Array(made.remarks) == ["c", nil])
      #expect(Array(made.scores) == [1, 3] && made.ratings["good"] == 0.5)
    }
    #expect(realm.objects(Pet.self).count == 3)
    #expect(try linkProblems(realm) == [])
  }

  @Test("a value of another type anywhere in a graph changes nothing")
  func wrongValues() throws {
    try realm.write {
      let wrong: [[String: Any]] = [
        ["id": 1, "pets": [["name": "Rex"], ["nam": "Tom"]]], ["id": 1, "pets": [3]],
        ["id": 1, "pet": Keeper()], ["id": 1, "home": ["street": 5]], ["id": 1, "tags": [1]],
        ["id": 1, "tags": [NSNull()]], ["id": 1, "pets": [NSNull()]], ["id": 1, "scores": "a"],
        ["id": 1, "ratings": ["a": "b"]], ["id": 1, "pets": [["name": "Rex"]], "pet": 4],
      ]
      for value in wrong {
        #expect(
          misuse { realm.create(Keeper.self, value: value) } == [.invalidValue], "\(value)")
      }
      #expect(realm.isEmpty)
    }
    #expect(try linkProblems(realm) == [])
  }

  @Test("an existing key in a graph changes nothing, or updates what the policy says")
  func policies() throws {
    try realm.write {
      realm.add(
        keeper(2) {
          $0.name = "Bob"
          $0.tags.append("old")
        })
    }
    func graph() -> Keeper {
      keeper(1) {
        $0.friends.insert(keeper(2) { $0.name = "Eve" })
        $0.pet = pet("Rex")
      }
    }
    let refused = graph()
    try realm.write {
      #expect(misuse { realm.add(refused) } == [.duplicatePrimaryKey])
      #expect(realm.objects(Keeper.self).count == 1 && realm.objects(Pet.self).isEmpty)
    }
    #expect(refused.realm == nil && refused.pet?.name == "Rex")
    let bob = try #require(realm.object(ofType: Keeper.self, forPrimaryKey: 2))
    try realm.write {
      realm.create(
        Keeper.self, value: ["id": 1, "friends": [["id": 2, "mood": "merry"]]] as [String: Any],
        update: .modified)
      #expect(bob.name == "Bob" && bob.mood == .merry && Array(bob.tags) == ["old"])
      realm.add(graph(), update: .modified)
      #expect(bob.name == "Eve" && bob.tags.isEmpty)
    }
    #expect(realm.objects(Keeper.self).count == 2 && realm.objects(Pet.self).count == 1)
    #expect(try linkProblems(realm) == [])
  }

  @Test(
    "an object of another realm is copied with what it links to, through cycles; linking to it is refused"
  )
  func copies() throws {
    let other = try folder.open(linkedClasses, "other.realm")
    let (a, b) = (pet("a"), pet("b"))
    a.best = b
    b.best = a
    try other.write {
      other.add(
        keeper(1) {
          $0.pet = a
          $0.home = Address()
          $0.tags.append("t")
        })
    }
    let source = try #require(other.object(ofType: Keeper.self, forPrimaryKey: 1))
    try realm.write {
      let copy = realm.create(Keeper.self, value: source)
      #expect(copy.pet?.best?.best == copy.pet && copy.pet != a && Array(copy.tags) == ["t"])
      #expect(copy.home != nil)
      #expect(misuse { copy.pet = a } == [.invalidValue])
      #expect(misuse { copy.pets.append(a) } == [.invalidValue])
    }
    #expect(realm.objects(Pet.self).count == 2)
    #expect(try linkProblems(realm) == [])
  }

  @Test("a link is written in a transaction only, by its thread only, and not in frozen objects")
  func checks() throws {
    let owner = keeper(1) { $0.pet = pet("Rex") }
    try realm.write { realm.add(owner) }
    let rex = try #require(owner.pet)
    #expect(misuse { owner.pet = nil } == [.wrongTransactionState])
    #expect(misuse { owner.pets.append(rex) } == [.wrongTransactionState])
    #expect(misuse { owner.scores.insert(1) } == [.wrongTransactionState])
    #expect(misuse { owner.ratings["a"] = 1 } == [.wrongTransactionState])
    let frozen = owner.freeze()
    #expect(misuse { frozen.pet = nil } == [.frozen])
    #expect(misuse { frozen.tags.append("a") } == [.frozen])
    nonisolated(unsafe) let elsewhere = owner
    let failures = try onAnotherThread {
      misuse {
        _ = elsewhere.pet
        _ = elsewhere.pets.isEmpty
        _ = elsewhere.friendOf.isEmpty
      }
    }
    #expect(failures.allSatisfy { $0 == .incorrectThread } && failures.count >= 3)
    try realm.write { realm.delete(owner) }
    #expect(misuse { _ = owner.pet } == [.invalidated])
    #expect(misuse { _ = owner.pets.count } == [.invalidated])
    try realm.write {
      #expect(misuse { owner.pet = rex } == [.invalidated])
      #expect(misuse { owner.tags.append("a") } == [.invalidated])
    }
    #expect(try linkProblems(realm) == [])
  }

  @Test("a frozen object follows its links in its version")
  func frozen() throws {
    let owner = keeper(1) {
      $0.pet = pet("Rex")
      $0.pets.append(pet("Tom"))
      $0.home = Address()
      $0.scores.insert(5)
      $0.ratings["a"] = 1
    }
    try realm.write { realm.add(owner) }
    let frozen = owner.freeze()
    let list = owner.pets.freeze()
    try realm.write {
      realm.delete(realm.objects(Pet.self))
      owner.home?.street = "Oak"
      owner.scores.removeAll()
      owner.ratings["a"] = 2
    }
    #expect(owner.pet == nil && owner.pets.isEmpty && list.isFrozen)
    nonisolated(unsafe) let (sharedOwner, sharedList) = (frozen, list)
    try onAnotherThread {
      #expect(sharedOwner.pet?.name == "Rex" && sharedOwner.pets.map(\.name) == ["Tom"])
      #expect(sharedOwner.home?.street == "" && Array(sharedOwner.scores) == [5])
      #expect(sharedOwner.ratings["a"] == 1 && sharedList.map(\.name) == ["Tom"])
      #expect(sharedList[0].keepers.map(\.id) == [1])
    }
    #expect(list.thaw()?.isEmpty == true && frozen.thaw()?.home?.street == "Oak")
  }

  @Test("a cancelled transaction leaves links, lists and backlinks as they were")
  func cancelled() throws {
    let rex = pet("Rex")
    let owner = keeper(1) {
      $0.pets.append(rex)
      $0.home = Address()
    }
    try realm.write { realm.add(owner) }
    realm.beginWrite()
    owner.pets.append(pet("Tom"))
    owner.home = nil
    realm.delete(rex)
    #expect(owner.pets.map(\.name) == ["Tom"])
    realm.cancelWrite()
    #expect(owner.pets.map(\.name) == ["Rex"] && owner.home != nil && rex.keepers.count == 1)
    #expect(try linkProblems(realm) == [])
  }

  @Test("deletion finds links of classes that the program does not name")
  func unnamedClasses() throws {
    try realm.write { realm.add(keeper(1) { $0.pet = pet("Rex") }) }
    let owner = try #require(realm.object(ofType: Keeper.self, forPrimaryKey: 1))
    let configuration = folder.configuration([Pet.self])
    try onAnotherThread {
      let other = try Realm(configuration: configuration)
      try other.write { other.delete(other.objects(Pet.self)) }
    }
    realm.refresh()
    #expect(owner.pet == nil)
    #expect(try linkProblems(realm) == [])
  }
}
