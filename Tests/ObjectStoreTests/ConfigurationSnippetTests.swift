// The declarations of the reference page of Realm.Configuration: that each is there, with its type, its default and what
// the page says that it does.
import Foundation
import Testing

@testable import ObjectStore

@Suite("Snippets: the configuration's reference")
struct ConfigurationSnippetTests {
  @Test("the initializer has the documented parameters, in their order and with their defaults")
  func initializer() throws {
    let configuration = Realm.Configuration(
      fileURL: URL(fileURLWithPath: "/tmp/a.realm", isDirectory: false),
      inMemoryIdentifier: nil,
      syncConfiguration: nil,
      encryptionKey: Data(count: 64),
      readOnly: true,
      schemaVersion: 3,
      migrationBlock: { _, _ in },
      deleteRealmIfMigrationNeeded: true,
      shouldCompactOnLaunch: { _, _ in false },
      objectTypes: [Note.self],
      seedFilePath: URL(fileURLWithPath: "/tmp/seed.realm"))
    #expect(configuration.encryptionKey?.count == 64)
    #expect(configuration.readOnly)
    #expect(configuration.schemaVersion == 3)
    #expect(configuration.migrationBlock != nil)
    #expect(configuration.deleteRealmIfMigrationNeeded)
    #expect(configuration.shouldCompactOnLaunch != nil)
    #expect(configuration.objectTypes?.count == 1)
    #expect(configuration.seedFilePath != nil)
    let plain = Realm.Configuration()
    #expect(plain.fileURL?.lastPathComponent == "default.realm")
    #expect(plain.inMemoryIdentifier == nil)
    #expect(plain.syncConfiguration == nil)
    #expect(plain.encryptionKey == nil)
    #expect(!plain.readOnly)
    #expect(plain.schemaVersion == 0)
    #expect(plain.migrationBlock == nil)
    #expect(!plain.deleteRealmIfMigrationNeeded)
    #expect(plain.shouldCompactOnLaunch == nil)
    #expect(plain.objectTypes == nil)
    #expect(plain.seedFilePath == nil)
    #expect(plain.maximumNumberOfActiveVersions == nil)
    #expect(plain.eventConfiguration == nil)
  }

  @Test("a configuration is a value that crosses threads, can be compared and printed")
  func conformances() {
    func isSendable(_ value: some Sendable & Equatable & CustomStringConvertible) -> String {
      value.description
    }
    #expect(isSendable(Realm.Configuration()).contains("default.realm"))
  }
}
