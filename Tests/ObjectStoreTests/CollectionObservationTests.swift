// The changes that observers of lists, sets and maps receive, and observers of objects from their collections and links.
import Dispatch
import Foundation
import TestSupport
import Testing

@testable import ObjectStore

@Suite("Observing collections")
struct CollectionObservationTests {
  private let folder: RealmFolder
  private let realm: Realm

  init() throws {
    folder = try RealmFolder()
    realm = try folder.open(linkedClasses)
    realm.autorefresh = false
  }

  private func makeKeeper(_ id: Int = 1) throws -> Keeper {
    try realm.write { realm.create(Keeper.self, value: ["id": id]) }
  }

  @Test("a list tells what was deleted, inserted and replaced; an element that moved is both")
  func list() throws {
    let keeper = try makeKeeper()
    let tags = keeper.tags
    var heard: [String] = []
    let token = tags.observe { heard.append(text($0)) }
    realm.refresh()
    try realm.write { tags.append(objectsIn: ["a", "b", "c", "d"]) }
    try realm.write { tags.insert("x", at: 1) }
    try realm.write { tags[2] = "B" }
    try realm.write { tags.removeFirst() }
    try realm.write { tags.move(from: 0, to: 3) }
    try realm.write { tags.swapAt(0, 1) }
    try realm.write { keeper.name = "Ada" }
    try realm.write { tags[0] = tags[0] }
    try realm.write {
      tags.remove(at: 0)
      tags.append("z")
      tags[0] = "A"
    }
    #expect(
      heard == [
        "initial", "-[] +[0, 1, 2, 3] *[]", "-[] +[1] *[]", "-[] +[] *[2]", "-[0] +[] *[]",
        "-[0] +[3] *[]", "-[1] +[0] *[]", "-[1] +[3] *[0]",
      ])
    #expect(Array(tags) == ["A", "d", "x", "z"])
    token.invalidate()
    try realm.write { tags.removeAll() }
    #expect(heard.count == 8)
  }

  @Test("objects in a list count as modified by the observed properties, also behind links")
  func objects() throws {
    let keeper = try makeKeeper()
    let (cat, dog, bird) = (Pet(), Pet(), Pet())
    try realm.write { keeper.pets.append(objectsIn: [cat, dog, cat]) }
    var own: [String] = []
    var names: [String] = []
    var best: [String] = []
    let pets = keeper.pets
    let tokens = [
      pets.observe { own.append(text($0)) },
      pets.observe(keyPaths: [\.name]) { names.append(text($0)) },
      pets.observe(keyPaths: ["best.name", "weight"]) { best.append(text($0)) },
    ]
    realm.refresh()
    try realm.write { cat.name = "Tom" }
    try realm.write { dog.best = cat }
    try realm.write { cat.name = "Tim" }
    try realm.write { dog.weight = 3 }
    try realm.write {
      pets.append(bird)
      dog.name = "Rex"
    }
    try realm.write { realm.delete(cat) }
    #expect(
      own == [
        "initial", "-[] +[] *[0, 2]", "-[] +[] *[1]", "-[] +[] *[0, 2]", "-[] +[] *[1]",
        "-[] +[3] *[1]", "-[0, 2] +[] *[0]",
      ])
    #expect(
      names == [
        "initial", "-[] +[] *[0, 2]", "-[] +[] *[0, 2]", "-[] +[3] *[1]", "-[0, 2] +[] *[]",
      ])
    #expect(
      best == [
        "initial", "-[] +[] *[1]", "-[] +[] *[1]", "-[] +[] *[1]", "-[] +[3] *[]",
        "-[0, 2] +[] *[0]",
      ])
    #expect(misuse { _ = pets.observe(keyPaths: ["best.size"]) { _ in } } == [.invalidValue])
    #expect(misuse { _ = keeper.tags.observe(keyPaths: ["count"]) { _ in } } == [.invalidValue])
    withExtendedLifetime(tokens) {}
  }

  @Test("a set and a map tell what was deleted, inserted and modified; the owner's end is the last")
  func setsAndMaps() throws {
    let keeper = try makeKeeper()
    let cat = Pet()
    var scores: [String] = []
    var ratings: [String] = []
    var pets: [String] = []
    let tokens = [
      keeper.scores.observe { scores.append(text($0)) },
      keeper.ratings.observe { ratings.append(text($0)) },
      keeper.petsByName.observe(keyPaths: ["name"]) { pets.append(text($0)) },
    ]
    realm.refresh()
    try realm.write {
      keeper.scores.insert(objectsIn: [5, 1, 9])
      keeper.ratings["a"] = 1
      keeper.petsByName["c"] = .some(cat)
      keeper.petsByName["n"] = .some(nil)
    }
    try realm.write {
      keeper.scores.remove(5)
      keeper.scores.insert(objectsIn: [0, 9])
      keeper.ratings["a"] = 2
      keeper.ratings["b"] = 3
      cat.name = "Tom"
    }
    try realm.write { cat.weight = 2 }
    try realm.write { keeper.ratings["a"] = nil }
    try realm.write { realm.delete(cat) }
    try realm.write { realm.delete(keeper) }
    try realm.write { realm.create(Keeper.self, value: ["id": 1, "tags": ["x"]]).scores.insert(1) }
    #expect(scores == ["initial", "-[] +[0, 1, 2] *[]", "-[1] +[0] *[]", "-[0, 1, 2] +[] *[]"])
    #expect(
      ratings == [
        "initial", "-[] +[\"a\"] *[]", "-[] +[\"b\"] *[\"a\"]", "-[\"a\"] +[] *[]",
        "-[\"b\"] +[] *[]",
      ])
    #expect(
      pets == [
        "initial", "-[] +[\"c\", \"n\"] *[]", "-[] +[] *[\"c\"]", "-[] +[] *[\"c\"]",
        "-[\"c\", \"n\"] +[] *[]",
      ])
    withExtendedLifetime(tokens) {}
  }

  @Test("what is unmanaged, frozen, deleted or invalidated cannot be observed")
  func refusals() throws {
    let keeper = try makeKeeper()
    #expect(misuse { _ = Keeper().tags.observe { _ in } } == [.invalidValue])
    #expect(misuse { _ = keeper.freeze().tags.observe { _ in } } == [.frozen])
    #expect(misuse { _ = keeper.freeze().ratings.observe { _ in } } == [.frozen])
    let tags = keeper.tags
    try realm.write { realm.delete(keeper) }
    #expect(misuse { _ = tags.observe { _ in } } == [.invalidValue])
  }

  @Test("an object's change names its collections and links, and key paths lead through them")
  func paths() throws {
    let keeper = try makeKeeper()
    let (cat, dog) = (Pet(), Pet())
    try realm.write {
      cat.name = "Tom"
      keeper.pets.append(objectsIn: [cat, dog])
    }
    func names(_ change: ObjectChange<Keeper>) -> String {
      guard case .change(_, let properties) = change else { return "deleted" }
      return properties.map(\.name).joined(separator: " ")
    }
    var all: [String] = []
    var deep: [String] = []
    var pets: [(old: Pet?, new: Pet?)] = []
    let tokens = [
      keeper.observe { all.append(names($0)) },
      keeper.observe(keyPaths: ["pets.name", "pet.best.weight", "home.doors.guest.name"]) {
        deep.append(names($0))
      },
      keeper.observe(keyPaths: ["pet"]) { change in
        guard case .change(_, let properties) = change else { return }
        pets.append((properties[0].oldValue as? Pet, properties[0].newValue as? Pet))
      },
    ]
    realm.refresh()
    try realm.write { cat.name = "Tim" }
    try realm.write { keeper.pets.swapAt(0, 1) }
    try realm.write { keeper.pet = cat }
    try realm.write { cat.best = dog }
    try realm.write { dog.weight = 7 }
    try realm.write { dog.height = 7 }
    try realm.write {
      keeper.name = "Ada"
      keeper.home = Address()
      let door = Door()
      door.guest = dog
      keeper.home?.doors.append(door)
    }
    try realm.write { dog.name = "Rex" }
    try realm.write { keeper.scores.insert(4) }
    try realm.write { realm.delete(cat) }
    #expect(all == ["pets", "pet", "name home", "scores", "pet pets"])
    #expect(
      deep == ["pets", "pets", "pet", "pet", "pet", "home", "pets home", "pet pets"])
    #expect(pets.count == 2 && pets[0].old == nil && pets[0].new == cat && pets[1].new == nil)
    #expect(pets[1].old?.isInvalidated == true)
    #expect(misuse { _ = keeper.observe(keyPaths: ["pets.size"]) { _ in } } == [.invalidValue])
    #expect(misuse { _ = keeper.observe(keyPaths: ["name.size"]) { _ in } } == [.invalidValue])
    withExtendedLifetime(tokens) {}
  }

  @Test("results that search or sort through links change with what they depend on")
  func results() throws {
    let ada = try makeKeeper(1)
    let eve = try makeKeeper(2)
    let (cat, dog) = (Pet(), Pet())
    try realm.write {
      (cat.name, dog.name) = ("a", "b")
      ada.pets.append(cat)
      ada.pet = cat
      eve.pet = dog
    }
    let keepers = realm.objects(Keeper.self)
    var found: [String] = []
    var sorted: [String] = []
    var counted: [String] = []
    var plain: [String] = []
    let tokens = [
      keepers.where { $0.pets.name == "a" }.observe { found.append(text($0)) },
      keepers.sorted(by: \.pet?.name).observe { sorted.append(text($0)) },
      keepers.where { ($0.pets.weight > 1).count == 1 }.observe { counted.append(text($0)) },
      keepers.observe(keyPaths: ["pet.name"]) { plain.append(text($0)) },
    ]
    realm.refresh()
    try realm.write { cat.name = "c" }
    try realm.write { dog.name = "a" }
    try realm.write { eve.pets.append(dog) }
    try realm.write { dog.weight = 2 }
    try realm.write { dog.height = 2 }
    #expect(found == ["initial", "-[0] +[] *[]", "-[] +[0] *[]"])
    #expect(sorted == ["initial", "-[1] +[0] *[]", "-[] +[] *[0]"])
    #expect(counted == ["initial", "-[] +[0] *[]"])
    #expect(plain == ["initial", "-[] +[] *[0]", "-[] +[] *[1]"])
    withExtendedLifetime(tokens) {}
  }

  @Test("on a queue, and after a silent transaction, changes are those from the call of observe on")
  func queue() throws {
    let keeper = try makeKeeper()
    let queue = DispatchQueue(label: "observing")
    let log = LockedValue<[String]>([])
    queue.suspend()
    let list = keeper.tags.observe(on: queue) { change in
      let text =
        switch change {
        case .initial(let tags): "initial \(tags.count)"
        case .update(let tags, let deletions, let insertions, _):
          "-\(deletions) +\(insertions) of \(tags.count)"
        }
      log.withLock { $0.append(text) }
    }
    try realm.write { keeper.tags.append("a") }
    queue.resume()
    queue.sync {}
    try realm.write { keeper.tags.append("b") }
    queue.sync {}
    #expect(log.withLock { $0 } == ["initial 1", "-[] +[1] of 2"])
    list.invalidate()
    var heard: [String] = []
    let token = keeper.tags.observe { heard.append(text($0)) }
    realm.refresh()
    try realm.write(withoutNotifying: [token]) { keeper.tags.append("c") }
    try realm.write { keeper.tags.append("d") }
    #expect(heard == ["initial", "-[] +[3] *[]"])
  }

  @Test("references pass lists, sets and maps to another thread, once, at no older version")
  func references() throws {
    let keeper = try makeKeeper()
    try realm.write {
      keeper.tags.append("a")
      keeper.scores.insert(3)
      keeper.ratings["r"] = 4
    }
    let list = ThreadSafeReference(to: keeper.tags)
    let set = ThreadSafeReference(to: keeper.scores)
    let map = ThreadSafeReference(to: keeper.ratings)
    let lost = ThreadSafeReference(to: keeper.pets)
    let configuration = realm.configuration
    let found = try onAnotherThread { () -> String in
      let realm = try Realm(configuration: configuration)
      let (tags, scores) = (realm.resolve(list), realm.resolve(set))
      let ratings = realm.resolve(map)
      try realm.write { tags?.append("b") }
      let text = "\(tags.map { Array($0) } ?? []) \(scores?.first ?? 0) \(ratings?["r"] ?? 0)"
      try realm.write { realm.delete(realm.objects(Keeper.self)) }
      return text + " \(realm.resolve(lost) == nil)"
    }
    #expect(found == "[\"a\", \"b\"] 3 4.0 true")
    #expect(list.isInvalidated)
    #expect(misuse { _ = ThreadSafeReference(to: Keeper().tags) } == [.invalidValue])
  }
}
