// The classes of the tests of links: every kind of link, collection and embedded object.
import Foundation
import ObjectStore

enum Mood: String, PersistableEnum { case calm, merry, grim }
enum Rank: Int8, PersistableEnum {
  case low = 1
  case high = 9
}

class Keeper: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var mood: Mood
  @Persisted var rank: Rank?
  @Persisted var pet: Pet?
  @Persisted var pets: List<Pet>
  @Persisted var friends: MutableSet<Keeper>
  @Persisted var petsByName: Map<String, Pet?>
  @Persisted var home: Address?
  @Persisted var addresses: List<Address>
  @Persisted var homes: Map<String, Address?>
  @Persisted var tags: List<String>
  @Persisted var remarks: List<String?>
  @Persisted var scores: MutableSet<Int>
  @Persisted var ratings: Map<String, Double>
  @Persisted(originProperty: "friends") var friendOf: LinkingObjects<Keeper>
}

/// No primary key, and a link to itself.
class Pet: Object {
  @Persisted var name: String
  @Persisted var weight: Float
  @Persisted var legs: Int8
  @Persisted var height: Float?
  @Persisted var best: Pet?
  @Persisted(originProperty: "pets") var keepers: LinkingObjects<Keeper>
  @Persisted(originProperty: "pet") var onlyPetOf: LinkingObjects<Keeper>
}

class Address: EmbeddedObject {
  @Persisted var street: String
  @Persisted var doors: List<Door>
  @Persisted(originProperty: "home") var residents: LinkingObjects<Keeper>
}

class Door: EmbeddedObject {
  @Persisted var number: Int16
  @Persisted var guest: Pet?
}

/// A primary key of bytes, and links to objects with such a key.
class Page: Object {
  @Persisted(primaryKey: true) var title: String
  @Persisted var parent: Page?
  @Persisted var links: List<Page>
  @Persisted var aliases: MutableSet<String>
  @Persisted(originProperty: "links") var linkedFrom: LinkingObjects<Page>
}

/// Every kind of element in collections.
class Shelf: Object {
  @Persisted(primaryKey: true) var id: UUID
  @Persisted var ints: List<Int>
  @Persisted var bytes: MutableSet<Int8>
  @Persisted var shorts: Map<String, Int16>
  @Persisted var words: List<Int32?>
  @Persisted var longs: MutableSet<Int64>
  @Persisted var flags: MutableSet<Bool>
  @Persisted var floats: MutableSet<Float>
  @Persisted var doubles: MutableSet<Double?>
  @Persisted var strings: MutableSet<String>
  @Persisted var blobs: MutableSet<Data>
  @Persisted var dates: MutableSet<Date>
  @Persisted var uuids: MutableSet<UUID>
  @Persisted var idents: MutableSet<ObjectId>
  @Persisted var moods: List<Mood>
  @Persisted var ranks: Map<String, Rank?>
  @Persisted var some: Int8 = 8
  @Persisted var more: Int32?
  @Persisted var last: Int64 = .min
}

let linkedClasses: [ObjectBase.Type] = [
  Keeper.self, Pet.self, Address.self, Door.self, Page.self, Shelf.self,
]
