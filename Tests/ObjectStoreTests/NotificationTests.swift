// What observers are told: exactly the differences between two versions, wherever they are called, at the cost of what has
// changed.
import Dispatch
import Foundation
import StorageEngine
import TestSupport
import Testing

@testable import ObjectStore

@Suite("Notifications")
struct NotificationTests {
  @Test(
    "an object's change names the properties with their values before and after, and only those observed"
  )
  func properties() throws {
    let folder = try RealmFolder()
    let realm = try folder.open()
    try realm.write { realm.create(Person.self, value: ["id": 1, "name": "Ada", "age": 36]) }
    let ada = try #require(realm.objects(Person.self).first)
    var all: [String] = []
    var ages: [String] = []
    func text(_ change: ObjectChange<Person>) -> String {
      guard case .change(_, let properties) = change else { return "deleted" }
      return properties.map {
        "\($0.name): \($0.oldValue ?? "nil") to \($0.newValue ?? "nil")"
      }.joined(separator: ", ")
    }
    let token = ada.observe { all.append(text($0)) }
    let other = ada.observe(keyPaths: [\.age]) { ages.append(text($0)) }
    realm.refresh()
    #expect(all.isEmpty)
    try realm.write { ada.name = "Grace" }
    try realm.write {
      ada.age = nil
      ada.isActive = true
    }
    try realm.write { realm.create(Person.self, value: ["id": 2]) }
    try realm.write { ada.name = "Grace" }
    #expect(all == ["name: Ada to Grace", "isActive: false to true, age: 36 to nil"])
    #expect(ages == ["age: 36 to nil"])
    try realm.write { realm.delete(ada) }
    try realm.write { realm.create(Person.self, value: ["id": 1]) }
    #expect(all.last == "deleted" && all.count == 3)
    #expect(ages == ["age: 36 to nil", "deleted"])
    withExtendedLifetime((token, other)) {}
    #expect(misuse { _ = Person().observe { _ in } } == [.invalidValue])
    let again = try #require(realm.objects(Person.self).first)
    #expect(misuse { _ = again.observe(keyPaths: ["size"]) { _ in } } == [.invalidValue])
    #expect(misuse { _ = again.freeze().observe { _ in } } == [.frozen])
  }

  /// A collection's mirror, which is changed by change sets alone.
  private final class Mirror {
    let name: String
    let results: Results<Person>
    let observed: [String]?
    var ids: [Int] = []
    /// The values of each object that modifications are about.
    var values: [Int: String] = [:]
    var token: NotificationToken?
    var calls = 0
    var failures: [String] = []

    init(_ name: String, _ results: Results<Person>, _ observed: [String]? = nil) {
      self.name = name
      self.results = results
      self.observed = observed
      token = results.observe(keyPaths: observed) { [unowned self] change in apply(change) }
    }

    private func value(_ person: Person) -> String {
      observed == ["age"]
        ? "\(person.age ?? -1)"
        : "\(person.name) \(person.age ?? -1) \(person.weight) \(person.isActive)"
    }

    private func current() -> [Int: String] {
      Dictionary(uniqueKeysWithValues: results.map { ($0.id, value($0)) })
    }

    private func apply(_ change: RealmCollectionChange<Results<Person>>) {
      calls += 1
      let new = results.map(\.id)
      switch change {
      case .initial: ids = new
      case .update(_, let deletions, let insertions, let modifications):
        var next = ids
        for index in deletions.reversed() { next.remove(at: index) }
        for index in insertions { next.insert(new[index], at: index) }
        if next != new { failures.append("replayed \(next), is \(new)") }
        if deletions != deletions.sorted() || insertions != insertions.sorted() {
          failures.append("not in order")
        }
        let inserted = Set(insertions)
        let wanted = new.indices.filter {
          !inserted.contains($0) && values[new[$0]] != current()[new[$0]]
        }
        if modifications != wanted { failures.append("modified \(modifications), not \(wanted)") }
        if deletions.isEmpty, insertions.isEmpty, modifications.isEmpty { failures.append("empty") }
        ids = new
      }
      values = current()
    }

    func resetValues() { values = current() }

    func check(_ context: String) {
      #expect(failures.isEmpty, "\(name), \(context): \(failures.prefix(2))")
      #expect(ids == results.map(\.id), "\(name), \(context)")
      failures = []
    }
  }

  @Test("change sets turn each collection into the next one, and name exactly the modified objects")
  func changeSets() throws {
    let folder = try RealmFolder()
    let realm = try folder.open()
    realm.autorefresh = false
    let people = realm.objects(Person.self)
    let mirrors = [
      Mirror("all", people), Mirror("ages of all", people, ["age"]),
      Mirror("active", people.where { $0.isActive }),
      Mirror("by name", people.sorted(by: \.name)),
      Mirror("by age", people.where { $0.weight > 3 }.sorted(by: ["age", "name"])),
      Mirror("by age, descending", people.sorted(by: \.age, ascending: false), ["age"]),
      Mirror("distinct", people.sorted(by: \.name).distinct(by: ["name"])),
    ]
    realm.refresh()
    #expect(mirrors.allSatisfy { $0.calls == 1 })
    var random = SeededRandom(seed: testSeed(23))
    for round in 0..<60 {
      let count = random.oneIn(5) ? 40 : random.below(4)
      func change(_ realm: Realm) {
        for _ in 0..<count {
          let id = random.below(60)
          switch random.below(5) {
          case 0: realm.delete(realm.objects(Person.self).where { $0.id == id })
          case 1: realm.object(ofType: Person.self, forPrimaryKey: id)?.weight = Double(id % 7)
          case 2: realm.object(ofType: Person.self, forPrimaryKey: id)?.age = random.below(5)
          default:
            realm.create(
              Person.self,
              value: [
                "id": id, "name": "n\(random.below(6))", "isActive": random.oneIn(2),
                "weight": Double(random.below(8)),
              ], update: .modified)
          }
        }
      }
      if random.oneIn(6) {
        // What a silent transaction changes is not delivered with the next one.
        try realm.write(withoutNotifying: mirrors.compactMap(\.token)) { change(realm) }
        for mirror in mirrors {
          mirror.ids = mirror.results.map(\.id)
          mirror.resetValues()
        }
      } else {
        try realm.write { change(realm) }
      }
      for mirror in mirrors { mirror.check("SEED=\(random.seed), round \(round)") }
    }
    #expect(mirrors.allSatisfy { $0.calls > 10 })
  }

  @Test("a change of one row among 20,000 is found by reading two paths of the tree")
  func cost() throws {
    let folder = try RealmFolder()
    let realm = try folder.open()
    try realm.write {
      for id in 0..<20_000 { realm.create(Person.self, value: ["id": id, "name": "n"]) }
    }
    let instance = realm.instance
    let before = try instance.snapshot().duplicate(label: "before")
    defer { before.end() }
    try realm.write { realm.object(ofType: Person.self, forPrimaryKey: 777)?.weight = 1 }
    let info = try #require(instance.classInfo(for: Person.self))
    let difference = VersionDifference(from: before, to: try instance.snapshot())
    let rows = try difference.rows(info.table)
    #expect(rows.map(\.key) == [.int(777)])
    // Leaves of at most 64 rows, nodes of at most 16 children: five levels at most, of two trees.
    #expect(difference.nodesRead <= 10)
    _ = try difference.rows(info.table)
    #expect(difference.nodesRead <= 10)
  }

  @Test("rows that compaction has moved are no change")
  func moved() throws {
    let folder = try RealmFolder()
    let realm = try folder.open()
    realm.autorefresh = false
    try realm.write {
      for order in 0..<3000 {
        realm.create(
          Note.self, value: ["text": String(repeating: "x", count: 500), "order": order])
      }
    }
    try realm.write { realm.delete(realm.objects(Note.self).filter { $0.order % 10 != 3 }) }
    var calls = 0
    let token = realm.objects(Note.self).observe { _ in calls += 1 }
    realm.refresh()
    #expect(calls == 1)
    let database = realm.instance.coordinator.database
    let version = database.version
    #expect(try database.reclaimWhileIdle().steps > 0)
    #expect(database.version > version)
    #expect(realm.refresh())
    #expect(calls == 1)
    try realm.write { realm.objects(Note.self).first?.order = -1 }
    #expect(calls == 2)
    withExtendedLifetime(token) {}
  }

  @Test(
    "on a queue a block gets the object and the collection of that queue, from the call of observe on"
  )
  func queue() throws {
    let folder = try RealmFolder()
    let queue = DispatchQueue(label: "observing")
    let log = LockedValue<[String]>([])
    let realm = try folder.open()
    try realm.write { realm.create(Person.self, value: ["id": 1, "name": "Ada"]) }
    let ada = try #require(realm.objects(Person.self).first)
    queue.suspend()
    let object = ada.observe(keyPaths: ["name"], on: queue) { change in
      guard case .change(let person, let properties) = change else { return }
      log.withLock { $0.append("\(properties[0].oldValue ?? ""), now \(person.name)") }
    }
    let list = realm.objects(Person.self).observe(on: queue) { change in
      switch change {
      case .initial(let people): log.withLock { $0.append("initial \(people.count)") }
      case .update(let people, _, let insertions, _):
        log.withLock { $0.append("+\(insertions) of \(people.count)") }
      }
    }
    // After observe, and before anything has run on the queue.
    try realm.write { ada.name = "Grace" }
    queue.resume()
    queue.sync {}
    #expect(log.withLock { $0 } == ["Ada, now Grace", "initial 1"])
    try realm.write { realm.create(Person.self, value: ["id": 2]) }
    queue.sync {}
    #expect(log.withLock { $0 }.last == "+[1] of 2")
    object?.invalidate()
    list.invalidate()
    try realm.write { ada.name = "Eve" }
    queue.sync {}
    #expect(log.withLock(\.count) == 3)
    // The queue's realm ends with its last observer.
    let labels = realm.instance.coordinator.database.oldestPins().map(\.label)
    #expect(labels.filter { $0.contains("queue") || $0 == "observation" } == [])
  }

  private actor Listener {
    var heard: [String] = []
    var tokens: [NotificationToken] = []

    func retain(_ token: NotificationToken?) { if let token { tokens.append(token) } }

    func hear(_ text: String) { heard.append(text) }
  }

  @Test("on an actor a block runs isolated to it", .timeLimit(.minutes(HangGuard.minutes)))
  func actorIsolation() async throws {
    let folder = try RealmFolder()
    let listener = Listener()
    try await observe(folder, listener)
    try await Task.detached {
      let realm = try folder.open()
      try realm.write { realm.create(Person.self, value: ["id": 2, "name": "Eve"]) }
      try realm.write { realm.object(ofType: Person.self, forPrimaryKey: 1)?.name = "Grace" }
    }.value
    var heard = await listener.heard
    while heard.last?.hasSuffix("Grace") != true || !heard.contains("people 2") {
      await Task.yield()
      heard = await listener.heard
      if Task.isCancelled { break }
    }
    #expect(heard.first == "people 1")
    #expect(heard.contains("Ada to Grace"))
    #expect(heard.contains("people 2"))
  }

  @MainActor
  private func observe(_ folder: RealmFolder, _ listener: Listener) async throws {
    let realm = try await Realm(configuration: folder.configuration(), actor: MainActor.shared)
    try realm.write { realm.create(Person.self, value: ["id": 1, "name": "Ada"]) }
    let people = realm.objects(Person.self)
    let list = await people.observe(on: listener) { listener, change in
      switch change {
      case .initial(let people), .update(let people, _, _, _):
        listener.hear("people \(people.count)")
      }
    }
    await listener.retain(list)
    let ada = try #require(people.first)
    let object = await ada.observe(on: listener) { listener, change in
      guard case .change(_, let properties) = change else { return }
      listener.hear("\(properties[0].oldValue ?? "") to \(properties[0].newValue ?? "")")
    }
    await listener.retain(object)
  }

  @Test("a released token releases the realm of its object, and the version with it")
  func release() throws {
    let folder = try RealmFolder()
    let database: Database
    var token: NotificationToken?
    do {
      let realm = try folder.open()
      try realm.write { realm.create(Person.self, value: ["id": 1]) }
      database = realm.instance.coordinator.database
      token = realm.objects(Person.self).first?.observe { _ in }
    }
    #expect(database.oldestPins().count == 1)
    _ = token
    token = nil
    #expect(database.oldestPins().isEmpty)
  }
}
