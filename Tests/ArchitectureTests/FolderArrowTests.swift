import TestSupport
import Testing

@Suite("Arrows between folders")
struct FolderArrowTests {
  @Test("a folder uses nothing of a higher folder", arguments: FolderOrder.all)
  func onlyDownward(_ order: FolderOrder) throws {
    let manifest = try Manifest.dependencies()
    let foreign = try (manifest[order.module] ?? []).reduce(into: Set<String>()) { names, module in
      for file in try FolderFile.all(of: module) {
        names.formUnion(SourceNames(file.text).declared)
      }
    }
    let files = try FolderFile.all(of: order.module)
    for use in order.upwardUses(in: files, foreign: foreign) {
      Issue.record("\(order.module): \(use)")
    }
    // Otherwise a folder that was renamed would not be checked.
    let folders = Set(files.map(\.folder)).subtracting([""])
    #expect(folders == Set(order.folders))
  }

  private let order = FolderOrder(module: "Planted", folders: ["Low", "High"])

  private func uses(_ low: String, _ high: String) -> [String] {
    order.upwardUses(in: [
      FolderFile(folder: "Low", name: "Low.swift", text: low),
      FolderFile(folder: "High", name: "High.swift", text: high),
    ]).map(\.name)
  }

  @Test("a planted call of a higher folder's method, property, case, function or type is found")
  func planted() {
    let high = """
      public struct Tower: Sendable {
        private(set) var height = 1
        static let tallest = Tower()
        enum Kind { case round, square(Int) }
        func climb(_ steps: Int) -> Int { steps }
      }
      extension Base {
        func ascend() {}
        var summit: Int { 1 }
      }
      func lookDown() {}
      """
    #expect(uses("func f(_ a: some Any) { a.climb(2) }", high) == ["climb"])
    #expect(uses("extension Base { func f() { ascend() } }", high) == ["ascend"])
    #expect(uses("extension Base { func f() -> Int { summit + 1 } }", high) == ["summit"])
    #expect(uses("let text = \"height: \\(tower.height)\"", high) == ["height"])
    #expect(uses("let kind: Any = make(.round)", high) == ["round"])
    #expect(uses("let kind: Any = make(.square(2))", high) == ["square"])
    #expect(uses("func f() { lookDown() }", high) == ["lookDown"])
    #expect(uses("let a = Tower.tallest", high) == ["Tower", "tallest"])
  }

  @Test("comments, strings, labels, locals, private names and downward uses are no arrows")
  func unaffected() {
    let high = """
      struct Tower { func climb() { descend() }; private func rest() {} }
      private struct Hidden { func vanish() {} }
      """
    #expect(uses("// Tower.climb\nfunc descend() {}", high) == [])
    #expect(uses("let text = \"Tower climb\"", high) == [])
    #expect(uses("func f(climb: Int) -> Int { climb }", high) == [])
    #expect(uses("func f() { let climb = 1; print(climb) }", high) == [])
    #expect(uses("func f() { g { climb in print(climb) } }", high) == [])
    #expect(uses("func f() { a.rest(); a.vanish() }", high) == [])
  }
}
