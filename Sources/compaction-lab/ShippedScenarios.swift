// The scenarios that come with the program.
import MetricModel
import SystemIO

enum ShippedScenarios {
  static let folderName = "Scenarios"
  /// Only the shipped folder has it.
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
}
