// Who holds which version: each instance, frozen value and reference for exactly as long as it lives, by its name.
import Foundation
import StorageEngine
import Testing

@testable import ObjectStore

@Suite("Versions")
struct VersionTests {
  private func pins(_ realm: Realm) -> [String] {
    realm.instance.coordinator.database.oldestPins().map(\.label)
  }

  private func writeElsewhere(_ folder: RealmFolder, _ text: String) throws {
    try onAnotherThread {
      let realm = try folder.open()
      try realm.write { realm.create(Note.self, value: ["text": text]) }
    }
  }

  @Test("opening again on a thread gives the same instance, on another thread another one")
  func sameInstance() throws {
    let folder = try RealmFolder()
    let a = try folder.open()
    #expect(try folder.open() == a)
    let isOther = try onAnotherThread { try folder.open() != a }
    #expect(isOther)
  }

  @Test(
    "a realm that was opened and not read pins nothing; the first look does, and the last use of it ends that"
  )
  func lazily() throws {
    let folder = try RealmFolder()
    let other = try folder.open([Note.self], "test.realm")
    try other.write { other.create(Note.self, value: ["text": "a"]) }
    other.invalidate()
    #expect(pins(other) == [])
    var results: Results<Note>? = other.objects(Note.self)
    #expect(pins(other) == [])
    #expect(results?.count == 1)
    #expect(pins(other).count == 1)
    #expect(pins(other)[0].hasPrefix("live realm test.realm"))
    results = nil
    #expect(pins(other).count == 1)
  }

  @Test("a realm stays at its version until it is refreshed, and then sees the newest")
  func refresh() throws {
    let folder = try RealmFolder()
    let realm = try folder.open()
    realm.autorefresh = false
    #expect(realm.objects(Note.self).isEmpty)
    try writeElsewhere(folder, "a")
    #expect(realm.objects(Note.self).isEmpty)
    #expect(realm.refresh())
    #expect(!realm.refresh())
    #expect(realm.objects(Note.self).map(\.text) == ["a"])
  }

  @Test("a write transaction begins at the newest version")
  func writeAdvances() throws {
    let folder = try RealmFolder()
    let realm = try folder.open()
    realm.autorefresh = false
    #expect(realm.objects(Note.self).isEmpty)
    try writeElsewhere(folder, "a")
    try realm.write { #expect(realm.objects(Note.self).count == 1) }
    #expect(realm.objects(Note.self).count == 1)
  }

  @Test("autorefresh moves a thread's realm in a turn of its run loop, and not before")
  func runLoop() throws {
    let folder = try RealmFolder()
    try onAnotherThread {
      let realm = try folder.open()
      #expect(realm.objects(Note.self).isEmpty)
      try writeElsewhere(folder, "a")
      #expect(realm.objects(Note.self).isEmpty)
      _ = RunLoop.current.run(mode: .default, before: Date())
      #expect(realm.objects(Note.self).count == 1)
      realm.autorefresh = false
      try writeElsewhere(folder, "b")
      _ = RunLoop.current.run(mode: .default, before: Date())
      #expect(realm.objects(Note.self).count == 1)
    }
  }

  @Test("autorefresh moves a queue's realm in a block of the queue")
  func queue() throws {
    let folder = try RealmFolder()
    let queue = DispatchQueue(label: "test")
    let realm = try queue.sync {
      try UnsafeTransfer(Realm(configuration: folder.configuration(), queue: queue))
    }
    queue.sync { #expect(realm.take().objects(Note.self).isEmpty) }
    try writeElsewhere(folder, "a")
    queue.sync { #expect(realm.take().objects(Note.self).count == 1) }
    #expect(misuse { _ = realm.take().objects(Note.self).count } == [.incorrectThread])
    #expect(throws: Realm.Error.self) {
      try Realm(configuration: folder.configuration(), queue: queue)
    }
  }

  @Test(
    "invalidate lets the version go: objects and results are of no use, the next look sees the newest"
  )
  func invalidate() throws {
    let folder = try RealmFolder()
    let realm = try folder.open()
    realm.autorefresh = false
    try realm.write { realm.create(Note.self, value: ["text": "a"]) }
    let note = try #require(realm.objects(Note.self).first)
    let results = realm.objects(Note.self)
    try writeElsewhere(folder, "b")
    #expect(pins(realm).count == 1)
    realm.invalidate()
    #expect(pins(realm) == [])
    #expect(note.isInvalidated)
    #expect(note.realm == nil)
    #expect(misuse { _ = note.text } == [.invalidated])
    #expect(results.isInvalidated)
    #expect(results.isEmpty)
    #expect(realm.objects(Note.self).map(\.text) == ["a", "b"])
  }

  @Test("what one version keeps is free to the byte once the realm is invalidated")
  func bytes() throws {
    let folder = try RealmFolder()
    let realm = try folder.open()
    realm.autorefresh = false
    try realm.write {
      for order in 0..<500 {
        realm.create(Note.self, value: ["text": "some text", "order": order])
      }
    }
    #expect(realm.objects(Note.self).count == 500)
    let database = realm.instance.coordinator.database
    try onAnotherThread {
      let other = try folder.open()
      for round in 0..<5 {
        try other.write { for note in other.objects(Note.self) { note.order += round } }
      }
    }
    let pin = try #require(database.oldestPins().first)
    #expect(pin.retained > 0)
    #expect(database.usage().pinned == pin.retained)
    realm.invalidate()
    #expect(database.usage().pinned == 0)
  }

  @Test(
    "a frozen realm, object or results stay as they are, on every thread, and pin by name until they go"
  )
  func freeze() throws {
    let folder = try RealmFolder()
    let realm = try folder.open()
    try realm.write { realm.create(Person.self, value: ["id": 1, "name": "Ada"]) }
    let ada = try #require(realm.objects(Person.self).first)
    var frozen: Person? = ada.freeze()
    var results: Results<Person>? = realm.objects(Person.self).freeze()
    #expect(frozen?.isFrozen == true)
    #expect(!ada.isFrozen)
    try realm.write {
      ada.name = "Eve"
      realm.create(Person.self, value: ["id": 2])
    }
    #expect(frozen?.name == "Ada")
    #expect(results?.count == 1)
    #expect(pins(realm).filter { $0 == "frozen realm test.realm" }.count == 2)
    #expect(misuse { frozen?.name = "Mallory" } == [.frozen])
    let seen = try onAnotherThread { [frozen] in frozen?.name }
    #expect(seen == "Ada")
    let thawed = try #require(frozen?.thaw())
    #expect(thawed.name == "Eve")
    #expect(!thawed.isFrozen)
    #expect(results?.thaw()?.count == 2)
    frozen = nil
    results = nil
    #expect(pins(realm).count == 1)
    let whole = realm.freeze()
    #expect(whole.isFrozen)
    #expect(throws: Realm.Error.self) { try whole.write {} }
    #expect(misuse { whole.invalidate() } == [.frozen])
    #expect(whole.thaw() == realm)
  }

  @Test("a reference takes an object to another thread once, and pins its version until then")
  func references() throws {
    let folder = try RealmFolder()
    let realm = try folder.open()
    try realm.write { realm.create(Person.self, value: ["id": 1, "name": "Ada"]) }
    let ada = try #require(realm.objects(Person.self).first)
    let reference = ThreadSafeReference(to: ada)
    #expect(pins(realm).contains("thread-safe reference to Person"))
    let name = try onAnotherThread {
      let other = try folder.open()
      let person = try #require(other.resolve(reference))
      try other.write { person.name = "Grace" }
      var again: Person?
      #expect(misuse { again = other.resolve(reference) } == [.invalidValue])
      #expect(again == nil)
      return person.name
    }
    #expect(name == "Grace")
    #expect(reference.isInvalidated)
    #expect(!pins(realm).contains("thread-safe reference to Person"))
    var dropped: ThreadSafeReference? = ThreadSafeReference(to: ada)
    #expect(pins(realm).count == 2)
    #expect(dropped?.isInvalidated == false)
    dropped = nil
    #expect(pins(realm).count == 1)
    #expect(misuse { _ = ThreadSafeReference(to: Person()) } == [.invalidValue])
  }

  @Test("tokens tell what was inserted, deleted and modified, once for each version, until they go")
  func notifications() throws {
    let folder = try RealmFolder()
    let realm = try folder.open()
    realm.autorefresh = false
    try realm.write {
      for id in 0..<3 { realm.create(Person.self, value: ["id": id, "name": "p\(id)"]) }
    }
    var heard: [String] = []
    let people = realm.objects(Person.self)
    let token = people.observe { change in
      switch change {
      case .initial(let people): heard.append("initial \(people.count)")
      case .update(_, let deletions, let insertions, let modifications):
        heard.append("-\(deletions) +\(insertions) ~\(modifications)")
      }
    }
    let whole = realm.observe { notification, _ in heard.append("\(notification)") }
    let first = try #require(people.first)
    var lost = false
    let own = first.observe { change in if case .deleted = change { lost = true } }
    realm.refresh()
    #expect(heard == ["initial 3"])
    heard = []
    try realm.write {
      realm.delete(first)
      people.last?.name = "z"
      realm.create(Person.self, value: ["id": 9])
    }
    #expect(heard.sorted() == ["-[0] +[2] ~[1]", "didChange"])
    #expect(lost)
    heard = []
    try onAnotherThread {
      let other = try folder.open()
      try other.write { other.create(Person.self, value: ["id": 5]) }
    }
    #expect(heard == [])
    realm.refresh()
    #expect(heard.sorted() == ["-[] +[2] ~[]", "didChange"])
    heard = []
    try realm.write(withoutNotifying: [token]) { realm.create(Person.self, value: ["id": 10]) }
    #expect(heard == ["didChange"])
    heard = []
    token.invalidate()
    whole.invalidate()
    own?.invalidate()
    try realm.write { realm.create(Person.self, value: ["id": 11]) }
    #expect(heard == [])
  }

  @Test(
    "a pool that is drained late keeps the versions of its blocks, one that is drained per block keeps none"
  )
  func pools() throws {
    let folder = try RealmFolder()
    for drain in RealmPool.Drain.allCases {
      let name = "\(drain).realm"
      let watching = try folder.open([Note.self], name)
      try watching.write { watching.create(Note.self, value: ["text": "a"]) }
      watching.invalidate()
      let queue = PoolingQueue(label: "worker", drain: drain)
      for round in 0..<5 {
        try queue.sync { pool in
          // An accessor hands its realm to the queue's pool, as one of Objective-C does.
          let realm = try Realm(
            configuration: folder.configuration([Note.self], name), queue: queue.queue)
          #expect(realm.objects(Note.self).count == round + 1)
          pool.keep(realm.freeze())
        }
        try watching.write { watching.create(Note.self, value: ["text": "b"]) }
        watching.invalidate()
      }
      let held = pins(watching).filter { $0.hasPrefix("frozen") }.count
      switch drain {
      case .perBlock, .onIdle: #expect(held == 0)
      case .late, .never: #expect(held == 5)
      }
      queue.pool.drain()
      #expect(pins(watching).filter { $0.hasPrefix("frozen") } == [])
    }
  }

  @Test(
    "a pool that is drained late makes the file grow with each block, one that is drained per block does not"
  )
  func poolGrowth() throws {
    /// The length of the file after fifteen blocks, each with a commit after it that replaces 300 kB.
    func length(_ drain: RealmPool.Drain) throws -> Int {
      let folder = try RealmFolder()
      let writing = try folder.open([Note.self])
      func write(_ round: Int) throws {
        try writing.write {
          writing.deleteAll()
          let text = String(repeating: "\(round % 10)", count: 300_000)
          writing.create(Note.self, value: ["text": text])
        }
      }
      try write(0)
      let queue = PoolingQueue(label: "worker", drain: drain)
      for round in 1...15 {
        try queue.sync { pool in
          let realm = try Realm(
            configuration: folder.configuration([Note.self]), queue: queue.queue)
          #expect(realm.objects(Note.self).count == 1)
          pool.keep(realm.freeze())
        }
        try write(round)
      }
      return writing.instance.coordinator.database.usage().file
    }
    let drained = try length(.perBlock)
    #expect(drained < 3_000_000)
    #expect(try length(.late) > drained + 12 * 300_000)
    #expect(try length(.never) == length(.late))
  }
}
