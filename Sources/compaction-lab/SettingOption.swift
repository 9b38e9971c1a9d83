// `--set NAME=VALUE`: the value of a parameter or of a key in place of the file's.
import ArgumentParser
import PredicateLanguage
import ScenarioParser

struct SettingOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      A value in place of the file's: of a parameter ("limit=40 MB"), or of a key by its path ("data.Item.rows=5_000"); \
      may be repeated.
      """, valueName: "name=value"))
  var set: [String] = []

  func validate() throws { _ = try settings() }

  func settings() throws -> [ScenarioSetting] {
    try set.map { text in
      let (name, value) = try Self.split(text, option: "--set", example: "limit=40 MB")
      return ScenarioSetting(option: "--set", name: name, value: value)
    }
  }

  /// Returns what is before and after the first equals sign.
  static func split(
    _ text: String, option: String, example: String
  ) throws -> (name: String, value: String) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      .map { part in
        String(part.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
      }
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
      throw ValidationError(
        "\(option) \"\(abbreviated(text))\" is not a name and a value, as in \"\(example)\"")
    }
    return (parts[0], parts[1])
  }
}
