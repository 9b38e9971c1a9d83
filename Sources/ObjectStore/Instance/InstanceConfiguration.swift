// What an instance depends on of the configuration that it was opened with.

/// A configuration as instances see it.
protocol InstanceConfiguration: Sendable {
  /// The file's name, or the identifier of a realm in memory.
  var realmName: String { get }
  var readOnly: Bool { get }
  /// A write transaction that would leave more readable versions than this does not begin; nil and 0 for no limit.
  var maximumNumberOfActiveVersions: UInt? { get }
  /// The classes of the realm; nil for all.
  var objectTypes: [ObjectBase.Type]? { get }
  /// Opens a live instance of an open file.
  func open(_ confinement: Confinement, _ reference: FileReference) throws -> OpenRealm
}
