// The declarations of the reference page of Realm.Configuration: that each is there, with its type and its default, and does
// what the page says. Between marks they are compared with the page line by line (SnippetComparisonTests).
import Foundation
import Testing

@testable import ObjectStore

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The path of a file beside the default one, by the name that the page uses.
private func RLMRealmPathForFile(_ name: String) -> String {
  Realm.Configuration.defaultFileURL.deletingLastPathComponent().appendingPathComponent(name).path
}

/// The documented initializer: passes each parameter on under its name.
private struct DocumentedInitializer {
  var configuration: Realm.Configuration

  // Snippet: initializer
  @preconcurrency
  init(
    fileURL: URL? = URL(fileURLWithPath: RLMRealmPathForFile("default.realm"), isDirectory: false),
    inMemoryIdentifier: String? = nil,
    syncConfiguration: SyncConfiguration? = nil,
    encryptionKey: Data? = nil,
    readOnly: Bool = false,
    schemaVersion: UInt64 = 0,
    migrationBlock: MigrationBlock? = nil,
    deleteRealmIfMigrationNeeded: Bool = false,
    shouldCompactOnLaunch: (@Sendable (Int, Int) -> Bool)? = nil,
    objectTypes: [ObjectBase.Type]? = nil,
    seedFilePath: URL? = nil
  ) {
    // End of snippet
    configuration = Realm.Configuration(
      fileURL: fileURL, inMemoryIdentifier: inMemoryIdentifier,
      syncConfiguration: syncConfiguration, encryptionKey: encryptionKey, readOnly: readOnly,
      schemaVersion: schemaVersion, migrationBlock: migrationBlock,
      deleteRealmIfMigrationNeeded: deleteRealmIfMigrationNeeded,
      shouldCompactOnLaunch: shouldCompactOnLaunch, objectTypes: objectTypes,
      seedFilePath: seedFilePath)
  }
}

/// The documented properties as requirements, which a property of another type or without a setter would not meet.
private protocol DocumentedProperties {
  typealias Configuration = Realm.Configuration

  // Snippet: properties
  static var defaultConfiguration: Configuration { get set }
  var syncConfiguration: SyncConfiguration? { get set }
  var fileURL: URL? { get set }
  var inMemoryIdentifier: String? { get set }
  var encryptionKey: Data? { get set }
  var readOnly: Bool { get set }
  var schemaVersion: UInt64 { get set }
  @preconcurrency
  var migrationBlock: MigrationBlock? { get set }
  var deleteRealmIfMigrationNeeded: Bool { get set }
  @preconcurrency
  var shouldCompactOnLaunch: (@Sendable (Int, Int) -> Bool)? { get set }
  var objectTypes: [ObjectBase.Type]? { get set }
  var maximumNumberOfActiveVersions: UInt? { get set }
  var seedFilePath: URL? { get set }
  var eventConfiguration: EventConfiguration? { get set }
  var description: String { get }
  // End of snippet
}

extension Realm.Configuration: DocumentedProperties {}

@Suite("Snippets: the configuration's reference")
struct ConfigurationSnippetTests {
  private let url = URL(fileURLWithPath: "/tmp/a.realm", isDirectory: false)

  @Test("the initializer has the documented parameters, in their order and with their defaults")
  func initializer() throws {
    #expect(DocumentedInitializer().configuration == Realm.Configuration())
    let configuration = DocumentedInitializer(
      fileURL: url, encryptionKey: Data(count: 64), readOnly: true, schemaVersion: 3,
      migrationBlock: { _, _ in }, deleteRealmIfMigrationNeeded: true,
      shouldCompactOnLaunch: { _, _ in false }, objectTypes: [Note.self], seedFilePath: url
    ).configuration
    #expect(configuration.fileURL == url)
    #expect(configuration.encryptionKey?.count == 64)
    #expect(configuration.readOnly)
    #expect(configuration.schemaVersion == 3)
    #expect(configuration.migrationBlock != nil)
    #expect(configuration.deleteRealmIfMigrationNeeded)
    #expect(configuration.shouldCompactOnLaunch != nil)
    #expect(configuration.objectTypes?.count == 1)
    #expect(configuration.seedFilePath == url)
    let inMemory = DocumentedInitializer(inMemoryIdentifier: "a").configuration
    #expect(inMemory.inMemoryIdentifier == "a")
    #expect(inMemory.fileURL == nil)
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

  /// Each documented property with another value than its default.
  private var changes: [@Sendable (inout any DocumentedProperties) -> Void] {
    [
      { [url] in $0.fileURL = url }, { $0.inMemoryIdentifier = "a" },
      { $0.encryptionKey = Data(count: 64) }, { $0.readOnly = true }, { $0.schemaVersion = 3 },
      { $0.migrationBlock = { _, _ in } }, { $0.deleteRealmIfMigrationNeeded = true },
      { $0.shouldCompactOnLaunch = { _, _ in true } }, { $0.objectTypes = [Note.self] },
      { $0.maximumNumberOfActiveVersions = 2 }, { [url] in $0.seedFilePath = url },
    ]
  }

  @Test(
    "each documented property can be set, and two configurations that differ in it are not equal")
  func properties() throws {
    for (index, change) in changes.enumerated() {
      var changed: any DocumentedProperties = Realm.Configuration()
      change(&changed)
      let other = try #require(changed as? Realm.Configuration)
      #expect(other != Realm.Configuration(), "property \(index)")
      #expect(other == other, "property \(index)")
      #expect(other.description != Realm.Configuration().description, "property \(index)")
    }
  }

  @Test(
    "a configuration is a value: threads that change their copies leave those of others as they are"
  )
  func conformances() throws {
    // Snippet: conformances
    func share<Value: Sendable & Equatable & CustomStringConvertible>(_ value: Value) -> Value {
      // End of snippet
      value
    }
    let folder = try RealmFolder()
    let configuration = share(folder.configuration([Note.self]))
    let text = configuration.description
    let opened = LockedValue<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { number in
      var own = configuration
      own.fileURL = folder.url("\(number).realm")
      own.maximumNumberOfActiveVersions = UInt(number + 2)
      let name = (try? Realm(configuration: own))?.configuration.fileURL?.lastPathComponent
      opened.withLock { $0.append(name ?? "not opened") }
    }
    #expect(opened.withLock { $0.sorted() } == (0..<8).map { "\($0).realm" })
    #expect(configuration == folder.configuration([Note.self]))
    #expect(configuration.description == text)
    #expect(text.contains("test.realm"))
  }
}
