// The audit finds what is wrong with links: each fault is planted in a file that is consistent without it.
import StorageEngine
import Testing

@testable import ObjectStore

@Suite("The audit of links")
struct LinkAuditTests {
  /// A change of the rows that no operation makes.
  enum Fault: CaseIterable {
    case missingBacklink, strangeBacklink, missingElement, strangeElement, missingTarget,
      missingOwner
    case wrongCount
  }

  private func plant(_ fault: Fault, _ transaction: WriteTransaction) throws {
    func delete(_ name: String) throws {
      let table = try transaction.table(name, .bytes)
      let first = try #require(try transaction.rows(table, prefix: [], limit: 1).first)
      try transaction.delete(table, .bytes(first.key))
    }
    switch fault {
    case .missingBacklink: try delete("Keeper.pets.backlinks")
    case .strangeBacklink:
      let key = ElementKey.backlink(to: .int(2), from: .int(77))
      try transaction.put(try transaction.table("Keeper.pets.backlinks", .bytes), .bytes(key), [])
    case .missingElement: try delete("Keeper.tags")
    case .strangeElement:
      let key = ElementKey.position(9, of: .int(5))
      try transaction.put(try transaction.table("Keeper.tags", .bytes), .bytes(key), [65])
    case .missingTarget:
      _ = try transaction.delete(try transaction.table("Pet", .int64), Int64(1))
    case .missingOwner:
      _ = try transaction.delete(try transaction.table("Keeper", .int64), Int64(0))
    case .wrongCount: try delete("Keeper.scores")
    }
  }

  @Test("a planted fault is found", arguments: Fault.allCases)
  func planted(_ fault: Fault) throws {
    let folder = try RealmFolder()
    let realm = try folder.open(linkedClasses)
    let keeper = Keeper()
    keeper.pets.append(objectsIn: [Pet(), Pet()])
    keeper.tags.append(objectsIn: ["a", "b"])
    keeper.scores.insert(objectsIn: [1, 2])
    keeper.home = Address()
    try realm.write { realm.add(keeper) }
    #expect(try linkProblems(realm) == [])
    let transaction = try realm.instance.coordinator.database.beginWrite()
    try plant(fault, transaction)
    try transaction.commit()
    #expect(try linkProblems(realm) != [])
  }
}
