// Makes or drops a savepoint when its phase begins. No snapshot is held: a savepoint outlives the launch.
import EngineInterface
import ScenarioModel

final class SavepointClient: CommitDrivenClient {
  let name: String
  let nextDue: Int? = nil
  private let spec: SavepointSpec
  private let context: ClientContext

  init(_ name: String, _ spec: SavepointSpec, _ context: ClientContext) {
    self.name = name
    self.spec = spec
    self.context = context
  }

  func begin() throws {
    let session = try context.session.require(
      (any SavepointStoring).self, for: "savepoint \(name)")
    switch spec.action {
    case .makes: try session.makeSavepoint(name)
    case .drops: try session.dropSavepoint(name)
    }
  }

  func act() {}
  func end() {}
}
