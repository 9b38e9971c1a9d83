// A migration of the classes in `LinkedClasses` to other shapes and back, made in a file and in the model.
import Foundation
import TestSupport

@testable import ObjectStore

/// The classes of a release between two others, which the file knows by the same names.
private enum Between {
  class Keeper: Object {
    @Persisted var favorite: Pet?
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var name: String
    @Persisted var mood: Mood
    @Persisted var pets: List<Pet>
    @Persisted var friends: MutableSet<Keeper>
    @Persisted var petsByName: Map<String, Pet?>
    @Persisted var home: Address?
    @Persisted var addresses: List<Address>
    @Persisted var tags: List<String>
    @Persisted var remarks: List<String?>
    @Persisted var scores: MutableSet<Int>
    @Persisted var ratings: Map<String, Double>
  }

  class Pet: Object {
    @Persisted var mass: Double
    @Persisted var name: String
    @Persisted var best: Pet?
  }

  class Address: EmbeddedObject {
    @Persisted var floor: Int = 1
    @Persisted var street: String
    @Persisted var doors: List<Door>
  }

  class Door: EmbeddedObject {
    @Persisted var number: String
    @Persisted var guest: Pet?
  }
}

extension LinkWorldChange {
  /// Opens the file with other classes and then with the first ones again, each time with a newer schema version. A link gets
  /// another name, numbers get other types, a map of embedded objects goes with its property, and a keeper is deleted. Returns
  /// what is wrong with the links between the two.
  mutating func migrate(
    _ open: ([ObjectBase.Type], @escaping MigrationBlock) throws -> Realm
  ) throws -> [String] {
    let deleted = world.keepers.keys.sorted().randomElement(using: &random)
    let between: [ObjectBase.Type] = [
      Between.Keeper.self, Between.Pet.self, Between.Address.self, Between.Door.self, Page.self,
      Shelf.self,
    ]
    func toBetween() throws -> [String] {
      let realm = try open(between) { migration, _ in
        migration.renameProperty(onType: "Keeper", from: "pet", to: "favorite")
        migration.enumerateObjects(ofType: "Pet") { old, new in
          new?["mass"] = (old?["weight"] as? Float).map { Double($0) }
        }
        migration.enumerateObjects(ofType: "Door") { old, new in
          new?["number"] = (old?["number"] as? Int).map { "\($0)" }
        }
        migration.enumerateObjects(ofType: "Keeper") { old, new in
          if let new, old?["id"] as? Int == deleted { migration.delete(new) }
        }
      }
      return try linkProblems(realm)
    }
    func back() throws -> [String] {
      let realm = try open(linkedClasses) { migration, _ in
        migration.renameProperty(onType: "Keeper", from: "favorite", to: "pet")
        migration.enumerateObjects(ofType: "Pet") { old, new in
          new?["weight"] = (old?["mass"] as? Double).map { Float($0) }
        }
        migration.enumerateObjects(ofType: "Door") { old, new in
          new?["number"] = (old?["number"] as? String).flatMap { Int($0) }
        }
      }
      return try linkProblems(realm)
    }
    let problems = try toBetween() + back()
    if let deleted { world.keepers[deleted] = nil }
    for id in world.keepers.keys {
      if let deleted { world.keepers[id]?.friends.remove(deleted) }
      world.keepers[id]?.homes = [:]
    }
    return problems
  }
}
