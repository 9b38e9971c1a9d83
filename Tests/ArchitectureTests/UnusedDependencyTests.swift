import SystemIO
import TestSupport
import Testing

@Suite("Unused dependencies")
struct UnusedDependencyTests {
  /// A target of the manifest as it stands there.
  private struct Target {
    var name: String
    var isProgram: Bool
    var folder: String
    var dependencies: [String]
  }

  @Test("each target imports every module that the manifest lists for it")
  func everyDependencyIsImported() throws {
    let targets = try Self.targets()
    // The list of targets is parsed here: a change of the manifest's form must not make this test pass on nothing.
    #expect(targets.count > 60)
    #expect(targets.contains { $0.name == "WorkloadRunner" && $0.dependencies.count >= 8 })
    let programs = Set(targets.filter(\.isProgram).map(\.name))
    for target in targets {
      let imported = try Repository.files(in: target.folder, ending: ".swift")
        .reduce(into: Set<String>()) { $0.formUnion(try Self.imports(of: $1)) }
      // Tests start programs and do not import them.
      for dependency in target.dependencies where !programs.contains(dependency) {
        #expect(imported.contains(dependency), "\(target.name) never imports \(dependency)")
      }
    }
  }

  private static func targets() throws -> [Target] {
    let text = try Repository.text("Package.swift")
    let list = text[(try #require(text.range(of: "  targets: [\n"))).upperBound...]
    let target =
      #/(room|module|tests|system|\.target|\.executableTarget)\(\s*(?:name: )?"([\w-]+)"(.*?)(?=\n    (?:room|module|tests|system|\.target|\.executableTarget)\(|\n  \])/#
      .dotMatchesNewlines()
    return list.matches(of: target).compactMap { match in
      let (kind, name) = (String(match.1), String(match.2))
      if kind == "system" { return nil }
      let path = match.3.firstMatch(of: #/path: "([^"]+)"/#).map { String($0.1) }
      let dependencies = match.3.replacing(#/\/\/.*/#, with: "")
        .replacing(#/path: "[^"]+"|resources: \[.*?\]/#, with: "")
      return Target(
        name: name, isProgram: kind == ".executableTarget",
        folder: path ?? (kind == "tests" ? "Tests/" : "Sources/") + name,
        dependencies: dependencies.matches(of: #/"([\w-]+)"/#).map { String($0.1) })
    }
  }

  private static func imports(of file: String) throws -> Set<String> {
    let line =
      #/(?m)^\s*(?:@\w+ )?(?:public |package |internal |private )?import (?:(?:struct|class|enum|func|protocol|typealias|var|let) )?(\w+)/#
    return Set(try Repository.text(file).matches(of: line).map { String($0.1) })
  }
}
