// The changes that observers of backlinks and of embedded objects receive.
import Dispatch
import Foundation
import TestSupport
import Testing

@testable import ObjectStore

@Suite("Observing backlinks and embedded objects")
struct BacklinkObservationTests {
  private let folder: RealmFolder
  private let realm: Realm

  init() throws {
    folder = try RealmFolder()
    realm = try folder.open(linkedClasses)
    realm.autorefresh = false
  }

  private func makeKeepers(_ ids: Int...) throws -> [Keeper] {
    try realm.write { ids.map { realm.create(Keeper.self, value: ["id": $0]) } }
  }

  @Test(
    "the change set of backlinks has the objects that link from now on, that no longer do, and that changed"
  )
  func links() throws {
    let keepers = try makeKeepers(1, 2, 3)
    let (cat, dog) = (Pet(), Pet())
    try realm.write { keepers[1].pets.append(objectsIn: [cat, dog]) }
    var own: [String] = []
    var names: [String] = []
    var deep: [String] = []
    var others: [String] = []
    let tokens = [
      cat.keepers.observe { own.append(text($0)) },
      cat.keepers.observe(keyPaths: [\.name]) { names.append(text($0)) },
      cat.keepers.observe(keyPaths: ["pets.name"]) { deep.append(text($0)) },
      dog.keepers.observe { others.append(text($0)) },
    ]
    realm.refresh()
    try realm.write { keepers[0].pets.append(cat) }
    try realm.write { keepers[1].name = "Eve" }
    try realm.write { cat.name = "Tom" }
    // The same keeper twice.
    try realm.write { keepers[2].pets.append(objectsIn: [cat, cat]) }
    try realm.write { keepers[2].pets.removeFirst() }
    try realm.write { keepers[0].pet = cat }
    try realm.write { realm.delete(keepers[1]) }
    #expect(
      own == [
        "initial", "-[] +[0] *[]", "-[] +[] *[1]", "-[] +[2, 3] *[]", "-[3] +[] *[2]",
        "-[] +[] *[0]", "-[1] +[] *[]",
      ])
    #expect(
      names == [
        "initial", "-[] +[0] *[]", "-[] +[] *[1]", "-[] +[2, 3] *[]", "-[3] +[] *[]",
        "-[1] +[] *[]",
      ])
    #expect(
      deep == [
        "initial", "-[] +[0] *[]", "-[] +[] *[0, 1]", "-[] +[2, 3] *[]", "-[3] +[] *[2]",
        "-[1] +[] *[]",
      ])
    #expect(others == ["initial", "-[] +[] *[0]", "-[0] +[] *[]"])
    withExtendedLifetime(tokens) {}
  }

  @Test("the end of the object is the end of its backlinks, and the last that is told")
  func end() throws {
    let keepers = try makeKeepers(1, 2)
    let cat = Pet()
    try realm.write { for keeper in keepers { keeper.pets.append(cat) } }
    var heard: [String] = []
    let token = cat.keepers.observe { heard.append(text($0)) }
    realm.refresh()
    try realm.write { realm.delete(cat) }
    try realm.write { keepers[0].name = "Ada" }
    #expect(heard == ["initial", "-[0, 1] +[] *[]"])
    withExtendedLifetime(token) {}
  }

  @Test("on a queue backlinks are those of its realm, with all that has changed since")
  func queue() throws {
    let keeper = try makeKeepers(1)[0]
    let cat = Pet()
    try realm.write { keeper.pets.append(cat) }
    let queue = DispatchQueue(label: "backlinks")
    let log = LockedValue<[String]>([])
    queue.suspend()
    let token = cat.keepers.observe(on: queue) { change in
      let text =
        switch change {
        case .initial(let keepers): "initial \(keepers.map(\.id))"
        case .update(let keepers, let deletions, let insertions, _):
          "-\(deletions) +\(insertions) of \(keepers.map(\.id))"
        }
      log.withLock { $0.append(text) }
    }
    try realm.write {
      realm.create(Keeper.self, value: ["id": 2]).pets.append(cat)
    }
    queue.resume()
    queue.sync {}
    try realm.write { keeper.pets.removeAll() }
    queue.sync {}
    #expect(log.withLock { $0 } == ["initial [1, 2]", "-[0] +[] of [2]"])
    token.invalidate()
  }

  @Test("backlinks of what is unmanaged, frozen or deleted, and unknown names, are not observed")
  func refusals() throws {
    let cat = Pet()
    #expect(misuse { _ = Pet().keepers.observe { _ in } } == [.invalidValue])
    try realm.write { realm.add(cat) }
    let keepers = cat.keepers
    #expect(misuse { _ = cat.freeze().keepers.observe { _ in } } == [.frozen])
    #expect(misuse { _ = keepers.observe(keyPaths: ["size"]) { _ in } } == [.invalidValue])
    try realm.write { realm.delete(cat) }
    #expect(misuse { _ = keepers.observe { _ in } } == [.invalidValue])
  }

  @Test("an embedded object tells its changes, and its end with its owner's or when it is replaced")
  func embedded() throws {
    let keeper = try makeKeepers(1)[0]
    try realm.write {
      keeper.home = Address()
      keeper.addresses.append(Address())
    }
    func text(_ change: ObjectChange<Address>) -> String {
      guard case .change(let address, let properties) = change else { return "deleted" }
      return "\(address.street): \(properties.map(\.name).joined(separator: " "))"
    }
    let home = try #require(keeper.home)
    var own: [String] = []
    var doors: [String] = []
    var other: [String] = []
    let tokens = [
      home.observe { own.append(text($0)) },
      home.observe(keyPaths: ["doors.number"]) { doors.append(text($0)) },
      keeper.addresses[0].observe { other.append(text($0)) },
    ]
    realm.refresh()
    try realm.write { home.street = "High" }
    try realm.write { home.doors.append(Door()) }
    try realm.write { home.doors[0].number = 4 }
    try realm.write { keeper.addresses[0].street = "Low" }
    try realm.write { keeper.home = Address() }
    try realm.write { keeper.home?.street = "New" }
    try realm.write { realm.delete(keeper) }
    #expect(own == ["High: street", "High: doors", "deleted"])
    #expect(doors == ["High: doors", "High: doors", "deleted"])
    #expect(other == ["Low: street", "deleted"])
    #expect(misuse { _ = Address().observe { _ in } } == [.invalidValue])
    withExtendedLifetime(tokens) {}
  }

  @Test("an embedded object is observed on an actor, and so are backlinks")
  @MainActor
  func actor() async throws {
    let realm = try await Realm(configuration: folder.configuration(linkedClasses))
    let (keeper, cat) = (Keeper(), Pet())
    try realm.write {
      realm.add(keeper)
      keeper.home = Address()
      keeper.pet = cat
    }
    let listener = Listener()
    let home = try #require(keeper.home)
    let embedded = try #require(
      await home.observe(on: listener) { listener, change in
        if case .change(let address, _) = change { listener.heard.append(address.street) }
      })
    let backlinks = await cat.onlyPetOf.observe(on: listener) { listener, change in
      if case .update(let keepers, _, _, _) = change { listener.heard.append("\(keepers.count)") }
    }
    try realm.write {
      home.street = "High"
      keeper.pet = nil
    }
    while await listener.heard.count < 2 { await Task.yield() }
    #expect(await listener.heard.sorted() == ["0", "High"])
    embedded.invalidate()
    backlinks.invalidate()
  }

  private actor Listener {
    var heard: [String] = []
  }
}
