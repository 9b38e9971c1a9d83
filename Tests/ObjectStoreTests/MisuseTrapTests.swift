// Misuse without a handler stops the program with a message that names it; each in a process of its own.
import Foundation
import Testing

@testable import ObjectStore

@Suite("Misuse that stops the program")
struct MisuseTrapTests {
  private func standardError(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }

  @Test("an object that is read on another thread")
  func wrongThread() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let realm = try Realm(configuration: .init(inMemoryIdentifier: "trap"))
      try realm.write { _ = realm.create(Note.self, value: ["text": "a"]) }
      let note = UnsafeTransfer(realm.objects(Note.self).first)
      Thread.detachNewThread { _ = note.take()?.text }
      while true { sleep(1) }
    }
    #expect(standardError(result).contains("incorrectThread"), "\(standardError(result))")
  }

  @Test("an object that is changed outside of a transaction")
  func outsideOfTransaction() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let realm = try Realm(configuration: .init(inMemoryIdentifier: "trap"))
      try realm.write { _ = realm.create(Note.self, value: ["text": "a"]) }
      realm.objects(Note.self).first?.text = "b"
    }
    #expect(standardError(result).contains("wrongTransactionState"), "\(standardError(result))")
  }

  @Test("a primary key that there is")
  func duplicateKey() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let realm = try Realm(configuration: .init(inMemoryIdentifier: "trap"))
      try realm.write {
        for _ in 0..<2 { realm.create(Person.self, value: ["id": 1]) }
      }
    }
    #expect(standardError(result).contains("duplicatePrimaryKey"), "\(standardError(result))")
  }

  @Test("a frozen object that is changed")
  func frozen() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let realm = try Realm(configuration: .init(inMemoryIdentifier: "trap"))
      try realm.write { _ = realm.create(Note.self, value: ["text": "a"]) }
      realm.objects(Note.self).first?.freeze().text = "b"
    }
    #expect(standardError(result).contains("frozen"), "\(standardError(result))")
  }

  @Test("an object of a realm that was invalidated")
  func invalidated() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let realm = try Realm(configuration: .init(inMemoryIdentifier: "trap"))
      try realm.write { _ = realm.create(Note.self, value: ["text": "a"]) }
      let note = realm.objects(Note.self).first
      realm.invalidate()
      _ = note?.text
    }
    #expect(standardError(result).contains("invalidated"), "\(standardError(result))")
  }

  @Test(
    "a transaction begun within another instance's on the same thread, which would wait for ever")
  func nestedTransaction() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let realm = try Realm(
        configuration: .init(inMemoryIdentifier: "trap", objectTypes: [Note.self, Person.self]))
      let other = try Realm(
        configuration: .init(inMemoryIdentifier: "trap", objectTypes: [Note.self]))
      realm.beginWrite()
      other.beginWrite()
    }
    #expect(standardError(result).contains("wrongTransactionState"), "\(standardError(result))")
  }

  actor Keeper {
    private var realm: Realm!

    func open() async throws {
      realm = try await Realm(configuration: .init(inMemoryIdentifier: "trap"), actor: self)
    }

    /// What the compiler does not let out, let out.
    func smuggle() -> UnsafeTransfer<Realm> { UnsafeTransfer(realm) }
  }

  @Test("an actor's realm that is used outside of the actor: there Swift's own check stops it")
  func otherActor() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let keeper = Keeper()
      try await keeper.open()
      _ = await keeper.smuggle().take().objects(Note.self).count
    }
    #expect(standardError(result).contains("Incorrect actor executor"), "\(standardError(result))")
  }
}
