// A model in memory of the objects in `LinkedClasses`, the same as read from a realm, and random changes of both.
import Foundation
import TestSupport

@testable import ObjectStore

/// All keepers and pets. Pets are identified by their names, which are unique.
struct LinkWorld: Equatable {
  struct Door: Equatable {
    var number: Int16
    var guest: String?
  }

  struct Address: Equatable {
    var street: String
    var doors: [Door] = []
  }

  struct Keeper: Equatable {
    var name = ""
    var mood = Mood.calm
    var pet: String?
    var pets: [String] = []
    var friends: Set<Int> = []
    var petsByName: [String: String?] = [:]
    var home: Address?
    var addresses: [Address] = []
    var homes: [String: Address?] = [:]
    var tags: [String] = []
    var remarks: [String?] = []
    var scores: Set<Int> = []
    var ratings: [String: Double] = [:]
  }

  struct Pet: Equatable {
    var weight: Float = 0
    var best: String?
  }

  var keepers: [Int: Keeper] = [:]
  var pets: [String: Pet] = [:]
}

// MARK: Reading

extension LinkWorld {
  init(_ realm: Realm) {
    for pet in realm.objects(ObjectStoreTests.Pet.self) {
      pets[pet.name] = Pet(weight: pet.weight, best: pet.best?.name)
    }
    for keeper in realm.objects(ObjectStoreTests.Keeper.self) {
      keepers[keeper.id] = Keeper(keeper)
    }
  }
}

extension LinkWorld.Keeper {
  init(_ keeper: Keeper) {
    name = keeper.name
    mood = keeper.mood
    pet = keeper.pet?.name
    pets = keeper.pets.map(\.name)
    friends = Set(keeper.friends.map(\.id))
    petsByName = Dictionary(
      uniqueKeysWithValues: keeper.petsByName.map { ($0.key, $0.value?.name) })
    home = keeper.home.map(LinkWorld.Address.init)
    addresses = keeper.addresses.map(LinkWorld.Address.init)
    homes = Dictionary(
      uniqueKeysWithValues: keeper.homes.map { ($0.key, $0.value.map(LinkWorld.Address.init)) })
    tags = Array(keeper.tags)
    remarks = Array(keeper.remarks)
    scores = Set(keeper.scores)
    ratings = Dictionary(uniqueKeysWithValues: keeper.ratings.map { ($0.key, $0.value) })
  }
}

extension LinkWorld.Address {
  init(_ address: Address) {
    street = address.street
    doors = address.doors.map { LinkWorld.Door(number: $0.number, guest: $0.guest?.name) }
  }
}

// MARK: Changing

/// Makes the same random change in a realm, within its transaction, and in a model.
struct LinkWorldChange {
  var world: LinkWorld
  var random: SeededRandom
  private var created = 0
  private static let maxPets = 24
  private static let keeperCount = 10

  init(_ world: LinkWorld, _ random: SeededRandom) {
    self.world = world
    self.random = random
  }

  /// Returns what was done, for the report of a failure.
  mutating func apply(_ realm: Realm) -> String {
    switch random.below(24) {
    case 0, 1: return createPet(realm)
    case 2: return createKeeper(realm)
    case 3: return deletePet(realm)
    case 4: return random.oneIn(3) ? deleteKeeper(realm) : createKeeper(realm)
    default: break
    }
    guard let id = world.keepers.keys.sorted().randomElement(using: &random),
      let keeper = realm.object(ofType: Keeper.self, forPrimaryKey: id)
    else { return createKeeper(realm) }
    let change = random.below(13)
    switch change {
    case 0: setPet(keeper, id, realm)
    case 1, 2, 3: changePets(keeper, id, realm)
    case 4: changeFriends(keeper, id, realm)
    case 5: changePetsByName(keeper, id, realm)
    case 6: changeHome(keeper, id, realm)
    case 7, 8: changeAddresses(keeper, id, realm)
    case 9: changeHomes(keeper, id, realm)
    case 10: changeTags(keeper, id)
    case 11: changeScalars(keeper, id)
    default: changeValues(keeper, id)
    }
    return "change \(change) of keeper \(id)"
  }

  mutating func anyPet() -> String? {
    world.pets.keys.sorted().randomElement(using: &random)
  }

  func find(_ name: String?, _ realm: Realm) -> Pet? {
    name.flatMap { name in realm.objects(Pet.self).where { $0.name == name }.first }
  }

  private mutating func newPet(_ best: String?) -> (pet: Pet, name: String) {
    created += 1
    let name = "pet \(created)-\(random.below(1 << 30))"
    let pet = Pet()
    pet.name = name
    pet.weight = Float(random.below(100)) / 4
    world.pets[name] = LinkWorld.Pet(weight: pet.weight, best: best)
    return (pet, name)
  }

  /// An existing pet, or a new one that is added with what is to link to it.
  private mutating func linkable(_ realm: Realm) -> (pet: Pet, name: String) {
    if world.pets.count < Self.maxPets, random.oneIn(5) { return newPet(nil) }
    guard let name = anyPet(), let pet = find(name, realm) else { return newPet(nil) }
    return (pet, name)
  }

  private mutating func createPet(_ realm: Realm) -> String {
    guard world.pets.count < Self.maxPets else { return deletePet(realm) }
    let best = random.oneIn(2) ? anyPet() : nil
    let (pet, name) = newPet(best)
    pet.best = find(best, realm)
    if random.oneIn(6) {
      pet.best = pet
      world.pets[name]?.best = name
    }
    realm.add(pet)
    return "creation of \(name)"
  }

  private mutating func createKeeper(_ realm: Realm) -> String {
    let id = random.below(Self.keeperCount)
    let isNew = world.keepers[id] == nil
    let name = "keeper \(random.below(1000))"
    let policy: UpdatePolicy = random.oneIn(2) ? .modified : .all
    var model = isNew || policy == .all ? LinkWorld.Keeper() : world.keepers[id] ?? .init()
    model.name = name
    var values: [String: Any] = ["id": id, "name": name]
    if random.oneIn(2) {
      let (pet, petName) = linkable(realm)
      values["pets"] = [pet, pet]
      model.pets = [petName, petName]
    }
    if random.oneIn(3) {
      values["home"] = ["street": "New", "doors": [["number": 1], ["number": 2]]]
      model.home = LinkWorld.Address(
        street: "New", doors: [.init(number: 1, guest: nil), .init(number: 2, guest: nil)])
    }
    if random.oneIn(3) {
      values["tags"] = ["x", "y"]
      model.tags = ["x", "y"]
    }
    realm.create(Keeper.self, value: values, update: policy)
    world.keepers[id] = model
    return "creation of keeper \(id) with policy \(policy)"
  }

  private mutating func deletePet(_ realm: Realm) -> String {
    guard let name = anyPet(), let pet = find(name, realm) else { return "nothing" }
    realm.delete(pet)
    world.pets[name] = nil
    func lose(_ other: inout String?) { if other == name { other = nil } }
    func lose(_ address: inout LinkWorld.Address) {
      for index in address.doors.indices { lose(&address.doors[index].guest) }
    }
    for other in world.pets.keys { lose(&world.pets[other]!.best) }
    for (id, var keeper) in world.keepers {
      lose(&keeper.pet)
      keeper.pets.removeAll { $0 == name }
      for key in keeper.petsByName.keys where keeper.petsByName[key] == .some(name) {
        keeper.petsByName[key] = .some(nil)
      }
      if keeper.home != nil { lose(&keeper.home!) }
      for index in keeper.addresses.indices { lose(&keeper.addresses[index]) }
      for (key, var home) in keeper.homes where home != nil {
        lose(&home!)
        keeper.homes[key] = .some(home)
      }
      world.keepers[id] = keeper
    }
    return "deletion of \(name)"
  }

  private mutating func deleteKeeper(_ realm: Realm) -> String {
    guard let id = world.keepers.keys.sorted().randomElement(using: &random),
      let keeper = realm.object(ofType: Keeper.self, forPrimaryKey: id)
    else { return "nothing" }
    realm.delete(keeper)
    world.keepers[id] = nil
    for other in world.keepers.keys { world.keepers[other]?.friends.remove(id) }
    return "deletion of keeper \(id)"
  }
}

// MARK: Properties

extension LinkWorldChange {
  private mutating func setPet(_ keeper: Keeper, _ id: Int, _ realm: Realm) {
    guard !random.oneIn(4) else {
      keeper.pet = nil
      world.keepers[id]?.pet = nil
      return
    }
    let (pet, name) = linkable(realm)
    keeper.pet = pet
    world.keepers[id]?.pet = name
  }

  private mutating func changePets(_ keeper: Keeper, _ id: Int, _ realm: Realm) {
    let count = world.keepers[id]!.pets.count
    switch random.below(count == 0 ? 2 : 9) {
    case 0:
      let (pet, name) = linkable(realm)
      keeper.pets.append(pet)
      world.keepers[id]!.pets.append(name)
    case 1:
      let (pet, name) = linkable(realm)
      let index = random.below(count + 1)
      keeper.pets.insert(pet, at: index)
      world.keepers[id]!.pets.insert(name, at: index)
    case 2:
      let (pet, name) = linkable(realm)
      let index = random.below(count)
      keeper.pets[index] = pet
      world.keepers[id]!.pets[index] = name
    case 3, 4:
      let index = random.below(count)
      keeper.pets.remove(at: index)
      world.keepers[id]!.pets.remove(at: index)
    case 5:
      let (from, to) = (random.below(count), random.below(count))
      keeper.pets.move(from: from, to: to)
      world.keepers[id]!.pets.insert(world.keepers[id]!.pets.remove(at: from), at: to)
    case 6:
      let (a, b) = (random.below(count), random.below(count))
      keeper.pets.swapAt(a, b)
      world.keepers[id]!.pets.swapAt(a, b)
    case 7:
      let lower = random.below(count + 1)
      let range = lower..<lower + random.below(count - lower + 1)
      let new = (0..<random.below(5)).map { _ in linkable(realm) }
      keeper.pets.replaceSubrange(range, with: new.map(\.pet))
      world.keepers[id]!.pets.replaceSubrange(range, with: new.map(\.name))
    default:
      guard random.oneIn(4) else { return }
      keeper.pets.removeAll()
      world.keepers[id]!.pets = []
    }
  }

  private mutating func changeFriends(_ keeper: Keeper, _ id: Int, _ realm: Realm) {
    guard let other = world.keepers.keys.sorted().randomElement(using: &random),
      let friend = realm.object(ofType: Keeper.self, forPrimaryKey: other)
    else { return }
    if random.oneIn(3) {
      keeper.friends.remove(friend)
      world.keepers[id]?.friends.remove(other)
    } else {
      keeper.friends.insert(friend)
      world.keepers[id]?.friends.insert(other)
    }
  }

  private mutating func changePetsByName(_ keeper: Keeper, _ id: Int, _ realm: Realm) {
    let key = "key \(random.below(4))"
    switch random.below(4) {
    case 0:
      keeper.petsByName[key] = nil
      world.keepers[id]!.petsByName[key] = nil
    case 1:
      keeper.petsByName[key] = .some(nil)
      world.keepers[id]!.petsByName[key] = .some(nil)
    default:
      let (pet, name) = linkable(realm)
      keeper.petsByName[key] = .some(pet)
      world.keepers[id]!.petsByName[key] = .some(name)
    }
  }

  private mutating func newAddress(_ realm: Realm) -> (address: Address, model: LinkWorld.Address) {
    let address = Address()
    address.street = "street \(random.below(100))"
    var model = LinkWorld.Address(street: address.street)
    for number in 0..<random.below(3) {
      let door = Door()
      door.number = Int16(number)
      var guest: String?
      if random.oneIn(2) {
        let (pet, name) = linkable(realm)
        door.guest = pet
        guest = name
      }
      address.doors.append(door)
      model.doors.append(.init(number: Int16(number), guest: guest))
    }
    return (address, model)
  }

  private mutating func changeHome(_ keeper: Keeper, _ id: Int, _ realm: Realm) {
    switch random.below(4) {
    case 0:
      keeper.home = nil
      world.keepers[id]?.home = nil
    case 1:
      guard let home = keeper.home else { return }
      realm.delete(home)
      world.keepers[id]?.home = nil
    case 2:
      keeper.home?.doors.removeFirst()
      if world.keepers[id]?.home?.doors.isEmpty == false {
        world.keepers[id]?.home?.doors.removeFirst()
      }
    default:
      let (address, model) = newAddress(realm)
      keeper.home = address
      world.keepers[id]?.home = model
    }
  }

  private mutating func changeAddresses(_ keeper: Keeper, _ id: Int, _ realm: Realm) {
    let count = world.keepers[id]!.addresses.count
    switch random.below(count == 0 ? 2 : 7) {
    case 0, 1:
      guard count < 6 else { return }
      let (address, model) = newAddress(realm)
      let index = random.below(count + 1)
      keeper.addresses.insert(address, at: index)
      world.keepers[id]!.addresses.insert(model, at: index)
    case 2:
      let (address, model) = newAddress(realm)
      let index = random.below(count)
      keeper.addresses[index] = address
      world.keepers[id]!.addresses[index] = model
    case 3:
      let index = random.below(count)
      keeper.addresses.remove(at: index)
      world.keepers[id]!.addresses.remove(at: index)
    case 4:
      let (from, to) = (random.below(count), random.below(count))
      keeper.addresses.move(from: from, to: to)
      world.keepers[id]!.addresses.insert(world.keepers[id]!.addresses.remove(at: from), at: to)
    case 5:
      let index = random.below(count)
      realm.delete(keeper.addresses[index])
      world.keepers[id]!.addresses.remove(at: index)
    default:
      let index = random.below(count)
      let door = Door()
      door.number = 77
      keeper.addresses[index].doors.append(door)
      world.keepers[id]!.addresses[index].doors.append(.init(number: 77, guest: nil))
    }
  }

  private mutating func changeHomes(_ keeper: Keeper, _ id: Int, _ realm: Realm) {
    let key = "key \(random.below(3))"
    switch random.below(4) {
    case 0:
      keeper.homes[key] = nil
      world.keepers[id]!.homes[key] = nil
    case 1:
      keeper.homes[key] = .some(nil)
      world.keepers[id]!.homes[key] = .some(nil)
    default:
      let (address, model) = newAddress(realm)
      keeper.homes[key] = .some(address)
      world.keepers[id]!.homes[key] = .some(model)
    }
  }

  private mutating func changeTags(_ keeper: Keeper, _ id: Int) {
    let count = world.keepers[id]!.tags.count
    let text = String(repeating: "t", count: random.below(20))
    switch random.below(count == 0 ? 2 : 5) {
    case 0:
      keeper.tags.append(text)
      world.keepers[id]!.tags.append(text)
    case 1:
      keeper.tags.insert(text, at: 0)
      world.keepers[id]!.tags.insert(text, at: 0)
    case 2:
      keeper.tags.removeFirst()
      world.keepers[id]!.tags.removeFirst()
    case 3:
      keeper.tags.removeLast()
      world.keepers[id]!.tags.removeLast()
    default:
      let index = random.below(count)
      keeper.tags[index] = text
      world.keepers[id]!.tags[index] = text
    }
  }

  private mutating func changeScalars(_ keeper: Keeper, _ id: Int) {
    let mood = Mood.allCases.randomElement(using: &random) ?? .calm
    keeper.mood = mood
    world.keepers[id]?.mood = mood
    keeper.name += "'"
    world.keepers[id]?.name += "'"
  }

  private mutating func changeValues(_ keeper: Keeper, _ id: Int) {
    let number = random.below(6)
    switch random.below(6) {
    case 0:
      keeper.scores.insert(number)
      world.keepers[id]?.scores.insert(number)
    case 1:
      keeper.scores.remove(number)
      world.keepers[id]?.scores.remove(number)
    case 2:
      keeper.ratings["\(number)"] = Double(number)
      world.keepers[id]?.ratings["\(number)"] = Double(number)
    case 3:
      keeper.ratings["\(number)"] = nil
      world.keepers[id]?.ratings["\(number)"] = nil
    case 4:
      let list = List<String?>([nil, "\(number)", ""])
      keeper.remarks = list
      world.keepers[id]?.remarks = [nil, "\(number)", ""]
    default:
      keeper.remarks.append(nil)
      world.keepers[id]?.remarks.append(nil)
      if keeper.remarks.count > 8 {
        keeper.remarks.removeAll()
        world.keepers[id]?.remarks = []
      }
    }
  }
}
