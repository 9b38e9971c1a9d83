// The scenarios that come with the program, and the commands that run them all.
import MetricModel
import SystemIO

enum ShippedScenarios {
  static let folderName = "Scenarios"
  /// A file that only the shipped folder contains.
  private static let schemaName = "scenario.schema.json"

  /// Finds the folder of the shipped scenarios: in the current folder, or in a folder above the program, as in its
  /// repository or in an unpacked release.
  static func findFolder() throws -> String {
    if FileSystem.isFolder(FilePath(folderName)) { return folderName }
    var folder = try ProcessMetrics.executablePath()
    while folder.removeLastComponent(), !folder.components.isEmpty {
      let found = folder.appending(folderName)
      if FileSystem.exists(found.appending(schemaName)) { return found.string }
    }
    throw couldNotRun(
      """
      there is no folder Scenarios here or above the program
        compaction-lab scenarios PATH…    lists scenario files, or folders of them
        compaction-lab new my-scenario    writes one to start from
      """)
  }

  /// Returns the commands that a newcomer runs after the scenario in `file`; nil for a scenario of the user's own.
  static func nextCommands(after file: FilePath) -> String? {
    // The catalog's scenarios are in folders below the schema's.
    let parent = file.removingLastComponent()
    let candidates = [parent, parent.removingLastComponent()]
    guard
      let folder = candidates.first(where: { FileSystem.exists($0.appending(schemaName)) })
    else { return nil }
    let program = programName
    return """
        next:
          the three scenarios of the documents, each cell six times, so that times have intervals too
            \(program) run \(folder)
          the catalog: small scenarios of problems that users reported, each cell twice
            \(program) run \(folder)/*/ --twice

      """
  }

  /// The program as the user can call it from the current folder.
  private static var programName: String {
    let name = CommandLine.arguments.first ?? "compaction-lab"
    guard let current = try? FileSystem.absolute(FilePath(".")).lexicallyNormalized().string,
      name.hasPrefix(current + "/")
    else { return name }
    return String(name.dropFirst(current.count + 1))
  }
}
