// What writes and reads in the runs of a device: the same clients where its curve is measured and where it is really run.
import FleetModel
import ScenarioModel

enum DeviceClients {
  static let table = "rows"

  /// Commits of a launch by what they do, in the order in which they are made.
  enum Kind: String, CaseIterable {
    case update, replace, add

    fileprivate var client: String {
      switch self {
      case .update: "updates"
      case .replace: "replaces"
      case .add: "adds"
      }
    }
  }

  static func all(of group: DeviceGroup) -> [ClientSpec] {
    let writes = group.writes
    let writers = Kind.allCases.map { kind in
      let isUpdate = kind == .update
      return ClientSpec(
        name: kind.client,
        kind: .writer(
          WriterSpec(
            table: table, inserts: isUpdate ? 0 : writes, updates: isUpdate ? writes : 0,
            deletes: kind == .replace ? writes : 0, keys: group.keys)))
    }
    guard let pins = group.pins else { return writers }
    let spec = PinsSpec(
      table: table, takeEveryCommits: pins.takeEveryCommits, lifetime: pins.lifetime)
    return writers + [ClientSpec(name: readers, kind: .pins(spec))]
  }

  private static let readers = "readers"

  /// The clients of a phase with commits of one kind.
  static func names(_ kind: Kind, _ group: DeviceGroup) -> [String] {
    [kind.client] + (group.pins == nil ? [] : [readers])
  }
}
