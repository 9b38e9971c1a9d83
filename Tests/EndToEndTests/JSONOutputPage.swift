// The page of the keys that commands print as JSON, made from what they print: Reports/JSONOutput.md.
import Foundation
import StorageEngine
import SystemIO
import TestSupport

enum JSONOutputPage {
  static let path = "Reports/JSONOutput.md"

  /// The commands of the page. `x.db` is a native file, `pulled.realm` a file of Realm.
  static let commands = [
    "engines", "scenarios Scenarios/long-reader.yml", "policies", "variables", "verify x.db",
    "inspect x.db --predicate 'totalBytes > 1 MB'", "inspect pulled.realm",
  ]

  private static let head = """
    # JSON output

    For programmers who ask: which keys does a command print with `--format json`? The keys are in this order; `inspect` has
    others for the file of a foreign engine. What is unknown or absent is `null`. Of each list the first element is shown.
    This page is made from what the commands print.

    """

  /// Returns the page of the commands' outputs, in their order.
  static func text(_ outputs: [String]) -> String {
    head
      + zip(commands, outputs).map { command, output in
        "\n## `\(command)`\n\n```json\n\(abbreviated(output))\n```\n"
      }.joined()
  }

  /// Returns what each command prints as JSON, in a folder that has the files they name.
  static func outputs(in folder: FilePath) async throws -> [String] {
    let path = folder.appending("x.db")
    try SampleDatabase.make(path)
    let database = try Database.open(path: path)
    _ = try database.makeSavepoint("kept")
    try database.close()
    _ = try ForeignFile.make(in: folder)
    try FileSystem.makeFolders(folder.appending("Scenarios"))
    let scenario = "Scenarios/long-reader.yml"
    try FileSystem.write(
      text: try Repository.text(scenario), to: folder.pushing(FilePath(scenario)))
    var outputs: [String] = []
    for command in commands {
      let outcome = try await BuiltCommand.script(
        "\"$lab\" \(command) --format json", in: folder)
      guard outcome.ending == .exited(0) else {
        throw CocoaError(.executableNotLoadable, userInfo: ["errors": outcome.errorText])
      }
      outputs.append(outcome.outputText)
    }
    return outputs
  }

  /// Returns the text of one value on each line with the first element of each list alone.
  private static func abbreviated(_ text: String) -> String {
    var kept: [Substring] = []
    var lists: [Int] = []
    var isSkipping = false
    for line in text.split(separator: "\n") {
      let indent = line.prefix { $0 == " " }.count
      if let list = lists.last, indent == list {
        lists.removeLast()
        isSkipping = false
      }
      if isSkipping { continue }
      let isLastOfElement = lists.last == indent - 2 && !line.hasSuffix("{")
      kept.append(isLastOfElement && line.hasSuffix(",") ? line.dropLast() : line)
      isSkipping = isLastOfElement
      if line.hasSuffix("[") { lists.append(indent) }
    }
    return kept.joined(separator: "\n")
  }

  /// Returns the values of the page's examples.
  static func examples(of page: String) throws -> [Any] {
    try page.components(separatedBy: "```json\n").dropFirst().map { part in
      try value(part.components(separatedBy: "```").first ?? "")
    }
  }

  static func value(_ text: String) throws -> Any {
    try JSONSerialization.jsonObject(with: Data(text.utf8))
  }

  /// Returns every path of keys, elements of lists as one: `arms[].name`.
  static func paths(_ value: Any, _ path: String = "") -> Set<String> {
    if let object = value as? [String: Any] {
      return object.reduce(into: []) { $0.formUnion(paths($1.value, "\(path).\($1.key)")) }
    }
    guard let list = value as? [Any] else { return [path] }
    return list.reduce(into: []) { $0.formUnion(paths($1, path + "[]")) }
  }
}
