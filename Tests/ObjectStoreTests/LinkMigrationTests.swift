// Migrations of classes with links: what stays, what goes with a property, what is refused.
import Foundation
import Testing

@testable import ObjectStore

/// The classes of two releases of a program, which the file knows by one name each.
private enum First {
  class Team: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var name: String
    @Persisted var members: List<Player>
    @Persisted var captain: Player?
    @Persisted var seat: Seat?
    @Persisted var seats: List<Seat>
    @Persisted var tags: MutableSet<String>
  }

  class Player: Object {
    @Persisted var name: String
    @Persisted var rank: Int
    @Persisted var rival: Player?
  }

  class Seat: EmbeddedObject {
    @Persisted var number: Int
  }
}

private enum Second {
  class Team: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var name: String
    @Persisted var motto: String = "none"
    @Persisted var members: List<Player>
    @Persisted var coach: Player?
    @Persisted var seats: List<Seat>
    @Persisted var tags: List<String>
  }

  class Player: Object {
    @Persisted var name: String
    @Persisted var rank: String?
    @Persisted var rival: Player?
    @Persisted(originProperty: "members") var teams: LinkingObjects<Team>
  }

  class Seat: EmbeddedObject {
    @Persisted var number: Int
    @Persisted var side: String?
  }
}

private enum Rekeyed {
  class Team: Object {
    @Persisted(primaryKey: true) var name: String
  }
}

@Suite("Migrations of classes with links")
struct LinkMigrationTests {
  private let folder: RealmFolder
  private static let first: [ObjectBase.Type] = [
    First.Team.self, First.Player.self, First.Seat.self,
  ]
  private static let second: [ObjectBase.Type] = [
    Second.Team.self, Second.Player.self, Second.Seat.self,
  ]

  init() throws {
    folder = try RealmFolder()
    let realm = try folder.open(Self.first)
    try realm.write {
      let players = (0..<3).map { number in
        let player = First.Player()
        player.name = "p\(number)"
        return player
      }
      players[0].rival = players[1]
      let team = First.Team()
      team.id = 7
      team.name = "T"
      team.members.append(objectsIn: [players[2], players[0], players[2]])
      team.captain = players[1]
      team.seat = First.Seat()
      team.seats.append(objectsIn: [First.Seat(), First.Seat()])
      team.tags.insert("a")
      realm.add(team)
    }
    #expect(try linkProblems(realm) == [])
  }

  @Test("lists and links of properties that stay are kept, those of others go with what they own")
  func kept() throws {
    let realm = try folder.open(Self.second) {
      $0.schemaVersion = 1
      $0.migrationBlock = { migration, _ in
        migration.enumerateObjects(ofType: "Team") { old, new in
          new?["coach"] = old?["captain"]
          new?["tags"] = ["x", "y"]
        }
        migration.create("Player", value: ["name": "new"])
      }
    }
    #expect(try linkProblems(realm) == [])
    let team = try #require(realm.object(ofType: Second.Team.self, forPrimaryKey: 7))
    #expect(team.name == "T" && team.motto == "none" && Array(team.tags) == ["x", "y"])
    #expect(team.members.map(\.name) == ["p2", "p0", "p2"] && team.coach?.name == "p1")
    #expect(team.members[0].teams.count == 2 && team.members[1].rival?.name == "p1")
    #expect(team.seats.count == 2)
    let seats = try #require(realm.instance.classInfo(for: Second.Seat.self))
    #expect(try realm.instance.count(seats.table) == 2)
    #expect(realm.objects(Second.Team.self).where { $0.name == "T" }.count == 1)
    #expect(realm.objects(Second.Player.self).count == 4)
    try realm.write { realm.delete(realm.objects(Second.Player.self)) }
    #expect(team.members.isEmpty && team.coach == nil)
    #expect(try linkProblems(realm) == [])
  }

  @Test("another primary key of a class with links is refused, and the file stays as it was")
  func otherKey() throws {
    var failure: Realm.Error.Failure?
    do {
      _ = try folder.open([Rekeyed.Team.self, First.Player.self, First.Seat.self]) {
        $0.schemaVersion = 1
      }
    } catch { failure = (error as? Realm.Error)?.failure }
    #expect(failure == .schemaMismatch)
    let realm = try folder.open(Self.first)
    #expect(realm.objects(First.Team.self).first?.members.count == 3)
    #expect(try linkProblems(realm) == [])
  }

  @Test("the deletion of a class's data removes its objects from lists and links")
  func deletedData() throws {
    let realm = try folder.open(Self.first) {
      $0.schemaVersion = 1
      $0.migrationBlock = { migration, _ in #expect(migration.deleteData(forType: "Player")) }
    }
    let team = try #require(realm.objects(First.Team.self).first)
    #expect(team.members.isEmpty && team.captain == nil && team.seats.count == 2)
    #expect(try linkProblems(realm) == [])
  }
}
