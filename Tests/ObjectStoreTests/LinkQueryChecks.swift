// Queries over the objects of `LinkedClasses` beside the same over their model in memory.
import Foundation
import TestSupport

@testable import ObjectStore

/// A condition on keepers in both forms.
private struct KeeperCondition {
  let query: (Query<Keeper>) -> Query<Bool>
  let filter: (LinkWorld.Keeper) -> Bool
}

extension LinkWorldChange {
  /// Finds keepers and pets by random conditions on their links and collections. Returns what differs from the model, with
  /// the plan of the query.
  mutating func queryProblems(_ realm: Realm) -> [String] {
    var problems: [String] = []
    let condition = combined(realm, depth: 2)
    let found = realm.objects(Keeper.self).where(condition.query)
    let wanted = world.keepers.filter { condition.filter($0.value) }.keys.sorted()
    if found.map(\.id) != wanted {
      problems.append("\(found.map(\.id)), not \(wanted): \(found.explain())")
    }
    let sorted = found.sorted(by: [.init(keyPath: "pet.name", ascending: random.oneIn(2)), "id"])
    let isAscending = sorted.explain().contains("pet.name descending") == false
    func name(_ id: Int) -> String { world.keepers[id]?.pet ?? "" }
    let inOrder = wanted.sorted { a, b in
      let (left, right) = (name(a), name(b))
      return left == right ? a < b : (left < right) == isAscending
    }
    if sorted.map(\.id) != inOrder {
      problems.append("\(sorted.map(\.id)), not in order \(inOrder)")
    }
    problems += petProblems(realm)
    return problems
  }

  private mutating func petProblems(_ realm: Realm) -> [String] {
    let name = anyPet() ?? "none"
    let id = random.below(10)
    let pets = realm.objects(Pet.self)
    let found: Results<Pet>
    let wanted: [String]
    switch random.below(4) {
    case 0:
      found = pets.where { $0.best.best.name == name }
      wanted = world.pets.filter { world.pets[$0.value.best ?? ""]?.best == name }.map(\.key)
    case 1:
      found = pets.where { $0.keepers.id == id }
      wanted = Array(Set(world.keepers[id]?.pets ?? []))
    case 2:
      found = pets.where { $0.keepers.count == 2 }
      let lists = world.keepers.values.flatMap(\.pets)
      wanted = world.pets.keys.filter { pet in lists.count { $0 == pet } == 2 }
    default:
      found = pets.where { $0.best != nil && $0.onlyPetOf.friends.id == id }
      wanted = world.pets.filter { pet in
        pet.value.best != nil
          && world.keepers.values.contains { $0.pet == pet.key && $0.friends.contains(id) }
      }.map(\.key)
    }
    guard found.map(\.name).sorted() != wanted.sorted() else { return [] }
    return ["\(found.map(\.name)), not \(wanted): \(found.explain())"]
  }

  private mutating func combined(_ realm: Realm, depth: Int) -> KeeperCondition {
    guard depth > 0, !random.oneIn(3) else { return condition(realm) }
    let (a, b) = (combined(realm, depth: depth - 1), combined(realm, depth: depth - 1))
    switch random.below(3) {
    case 0: return KeeperCondition(query: { !a.query($0) }, filter: { !a.filter($0) })
    case 1:
      return KeeperCondition(
        query: { a.query($0) || b.query($0) }, filter: { a.filter($0) || b.filter($0) })
    default:
      return KeeperCondition(
        query: { a.query($0) && b.query($0) }, filter: { a.filter($0) && b.filter($0) })
    }
  }

  private mutating func condition(_ realm: Realm) -> KeeperCondition {
    switch random.below(3) {
    case 0: linkCondition(realm)
    case 1: collectionCondition(realm)
    default: valueCondition()
    }
  }

  private mutating func linkCondition(_ realm: Realm) -> KeeperCondition {
    let pets = world.pets
    let name = anyPet() ?? "none"
    let pet = find(name, realm)
    let id = random.below(10)
    switch random.below(7) {
    case 0: return .init(query: { $0.pet == pet }, filter: { $0.pet == (pet == nil ? nil : name) })
    case 1: return .init(query: { $0.pet != nil }, filter: { $0.pet != nil })
    case 2: return .init(query: { $0.pet.name != name }, filter: { $0.pet != name })
    case 3:
      return .init(
        query: { $0.pet.best.name == name },
        filter: { $0.pet.flatMap { pets[$0]?.best } == name })
    case 4:
      return .init(
        query: { $0.home.doors.guest.name == name },
        filter: { $0.home?.doors.contains { $0.guest == name } ?? false })
    case 5:
      return .init(query: { $0.friends.id == id }, filter: { $0.friends.contains(id) })
    default:
      return .init(
        query: { $0.petsByName["key 1"].name == name },
        filter: { ($0.petsByName["key 1"] ?? nil) == name })
    }
  }

  private mutating func collectionCondition(_ realm: Realm) -> KeeperCondition {
    let pets = world.pets
    let name = anyPet() ?? "none"
    let pet = find(name, realm) ?? Pet()
    let weight = Float(random.below(100)) / 4
    let count = random.below(4)
    func weights(_ keeper: LinkWorld.Keeper) -> [Float] {
      keeper.pets.compactMap { pets[$0]?.weight }
    }
    switch random.below(world.pets.isEmpty ? 5 : 7) {
    case 0:
      return .init(
        query: { $0.pets.weight > weight }, filter: { weights($0).contains { $0 > weight } })
    case 1: return .init(query: { $0.pets.count == count }, filter: { $0.pets.count == count })
    case 2:
      return .init(
        query: { ($0.pets.weight > weight && $0.pets.best != nil).count >= count },
        filter: {
          $0.pets.count { (pets[$0]?.weight ?? 0) > weight && pets[$0]?.best != nil } >= count
        })
    case 3:
      return .init(
        query: { $0.pets.weight.max > weight },
        filter: { weights($0).max().map { $0 > weight } ?? false })
    case 4:
      return .init(
        query: { $0.addresses.doors.number == 1 },
        filter: { $0.addresses.contains { $0.doors.contains { $0.number == 1 } } })
    case 5: return .init(query: { $0.pets.contains(pet) }, filter: { $0.pets.contains(name) })
    default:
      return .init(
        query: { $0.petsByName.contains(pet) }, filter: { $0.petsByName.values.contains(name) })
    }
  }

  private mutating func valueCondition() -> KeeperCondition {
    let number = random.below(6)
    switch random.below(8) {
    case 0:
      return .init(query: { $0.scores.contains(number) }, filter: { $0.scores.contains(number) })
    case 1:
      return .init(
        query: { $0.scores.sum > 2 * number }, filter: { $0.scores.reduce(0, +) > 2 * number })
    case 2:
      return .init(
        query: { $0.ratings["\(number)"] == Double(number) },
        filter: { $0.ratings["\(number)"] != nil })
    case 3:
      return .init(
        query: { $0.ratings.keys >= "3" }, filter: { $0.ratings.keys.contains { $0 >= "3" } })
    case 4:
      return .init(
        query: { $0.ratings.avg >= Double(number) },
        filter: {
          !$0.ratings.isEmpty
            && $0.ratings.values.reduce(0, +) / Double($0.ratings.count) >= Double(number)
        })
    case 5: return .init(query: { $0.remarks.contains(nil) }, filter: { $0.remarks.contains(nil) })
    case 6:
      return .init(
        query: { $0.tags.containsAny(in: ["", "t", "x"]) },
        filter: { !Set($0.tags).isDisjoint(with: ["", "t", "x"]) })
    default:
      return .init(
        query: { $0.scores.contains(1...number + 1) },
        filter: { !$0.scores.isEmpty && $0.scores.allSatisfy { (1...number + 1).contains($0) } })
    }
  }
}
