// The page of JSON output has the keys that the commands print.
import SystemIO
import TestSupport
import Testing

@Suite("The page of JSON output")
struct JSONOutputPageTests {
  @Test("Reports/JSONOutput.md has every command with the keys that it prints, and no other key")
  func documented() async throws {
    let outputs = try await BuiltCommand.withFolder { folder in
      try await JSONOutputPage.outputs(in: folder)
    }
    if Repository.isUpdating {
      try Repository.write(JSONOutputPage.text(outputs), to: JSONOutputPage.path)
    }
    let page = try Repository.text(JSONOutputPage.path)
    let headings = page.split(separator: "\n").filter { $0.hasPrefix("## ") }
    #expect(headings == JSONOutputPage.commands.map { "## `\($0)`" })
    let examples = try JSONOutputPage.examples(of: page)
    #expect(examples.count == outputs.count)
    for ((command, output), example) in zip(zip(JSONOutputPage.commands, outputs), examples) {
      let printed = JSONOutputPage.paths(try JSONOutputPage.value(output))
      let shown = JSONOutputPage.paths(example)
      let (missing, added) = (lacking(printed, in: shown), lacking(shown, in: printed))
      #expect(missing.isEmpty && added.isEmpty, "\(command): \(missing), \(added)")
    }
  }

  /// Returns the paths that the others lack. A list may be empty here or there, and an object absent: what they hold is
  /// compared where they hold something.
  private func lacking(_ some: Set<String>, in others: Set<String>) -> Set<String> {
    some.subtracting(others).filter { path in
      !path.hasSuffix("[]") && !others.contains { $0.hasPrefix(path + ".") }
    }
  }
}
