// Suggests the nearest command or option for a name that does not exist.
import ArgumentParser
import PredicateLanguage

enum Suggestions {
  /// Returns the message of a usage error with a suggestion in its first line; nil where no name is near.
  static func message(for error: any Error, _ arguments: [String]) -> String? {
    guard CompactionLab.exitCode(for: error) == .validationFailure else { return nil }
    var lines = CompactionLab.fullMessage(for: error).split(
      separator: "\n", omittingEmptySubsequences: false)
    guard let first = lines.first, first.hasPrefix("Error: "), !first.contains("Did you mean"),
      let mistake = description(of: arguments)
    else { return nil }
    lines[0] = "Error: \(mistake)"
    // A missing argument is a consequence of the misspelled name.
    lines.removeAll { $0.hasPrefix("Help: ") }
    return lines.joined(separator: "\n")
  }

  private static func description(of arguments: [String]) -> String? {
    let (command, unknown) = findCommand(arguments)
    let options = optionNames(of: command)
    for argument in arguments.prefix(while: { $0 != "--" }) where argument.hasPrefix("--") {
      let name = String(argument.prefix { $0 != "=" })
      if !options.contains(name), let near = nearest(to: name, in: options) {
        return "Unknown option '\(abbreviated(name))'. Did you mean '\(near)'?"
      }
    }
    guard let unknown else { return nil }
    let names = command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
      .map { $0._commandName }
    return nearest(to: unknown, in: names + ["help"]).map {
      "There is no command '\(abbreviated(unknown))'. Did you mean '\($0)'?"
    }
  }

  /// Returns the command that the arguments name, and the first argument that should name a subcommand and does not.
  private static func findCommand(
    _ arguments: [String]
  ) -> (command: any ParsableCommand.Type, unknown: String?) {
    var command: any ParsableCommand.Type = CompactionLab.self
    for argument in arguments where !argument.hasPrefix("-") {
      let parts = command.configuration.subcommands
      guard !parts.isEmpty else { break }
      guard let part = parts.first(where: { $0._commandName == argument }) else {
        return (command, argument)
      }
      command = part
    }
    return (command, nil)
  }

  /// Returns the command's options, read from its help.
  private static func optionNames(of command: any ParsableCommand.Type) -> [String] {
    let words = CompactionLab.helpMessage(for: command, columns: 200)
      .split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-")) }
    let names = words.filter { $0.hasPrefix("--") && $0.count > 2 }.map(String.init)
    return Array(Set(names + ["--help", "--version"])).sorted()
  }
}
