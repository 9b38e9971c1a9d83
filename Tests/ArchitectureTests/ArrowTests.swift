import Foundation
import SystemIO
import TestSupport
import Testing

@Suite("Arrows between modules")
struct ArrowTests {
  @Test("the code map and the manifest name the same modules")
  func sameRooms() throws {
    let map = Set(try CodeMapModule.codeMap().map(\.name))
    let manifest = Set(try Manifest.dependencies().keys)
    #expect(map == manifest)
    for owner in map {
      var isFolder: ObjCBool = false
      let path = Repository.root.appending("Sources").appending(owner).string
      #expect(
        FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue,
        "module \(owner) has no folder")
    }
  }

  @Test("a module depends on modules of lower layers only")
  func lowerLayersOnly() throws {
    let layers = Dictionary(
      uniqueKeysWithValues: try CodeMapModule.codeMap().map { ($0.name, $0.layer) })
    for (owner, dependencies) in try Manifest.dependencies() {
      for dependency in dependencies {
        guard let below = layers[dependency], let own = layers[owner] else { continue }
        #expect(below < own, "\(owner) (layer \(own)) depends on \(dependency) (layer \(below))")
      }
    }
  }

  @Test("a module declares what its files import of the others")
  func declaredImports() throws {
    let manifest = try Manifest.dependencies()
    let ours = Set(manifest.keys)
    for file in Repository.files(in: "Sources", ending: ".swift") {
      let owner = String(file.split(separator: "/")[1])
      for module in try imports(of: file) where ours.contains(module) {
        #expect(manifest[owner]?.contains(module) == true, "\(file) imports \(module)")
      }
    }
  }

  @Test("each foreign library is imported in one module")
  func oneModuleForEachLibrary() throws {
    let homes: [String: Set<String>] = [
      "ArgumentParser": ["compaction-lab"], "Yams": ["ScenarioParser"],
      "SystemPackage": ["SystemIO"], "COpenSSL": ["Encryption"],
      "CryptoKit": ["Encryption"],
      "Histogram": ["RecordModel"],
      "CGSL": ["Statistics"], "CPlatform": ["SystemIO"],
      // A version may be held by a block of a queue: the contract names the queue.
      "Dispatch": [
        "SystemIO", "EngineInterface", "WorkloadRunner", "ObjectStore", "NativeEngine",
      ],
    ]
    // An engine's C module belongs to the adapter beside it: `CLMDB` to `LMDBEngine`, `CRealm` to `RealmCoreEngine`.
    let modules = try Manifest.dependencies().keys
    func importers(of module: String) -> Set<String>? {
      if let home = homes[module] { return home }
      let isOfC = module.hasPrefix("C") && module.dropFirst().first?.isUppercase == true
      guard isOfC, modules.contains(module) else { return nil }
      let adapters = modules.filter { $0.hasPrefix(module.dropFirst()) && $0.hasSuffix("Engine") }
      return Set(adapters)
    }
    for file in Repository.files(in: "Sources", ending: ".swift") {
      let owner = String(file.split(separator: "/")[1])
      for module in try imports(of: file) {
        guard let home = importers(of: module) else { continue }
        #expect(home.contains(owner), "\(file) imports \(module), which belongs to \(home)")
      }
    }
  }

  @Test("Foundation stays out of the modules that are fast or pure")
  func noFoundation() throws {
    let without = [
      "SystemIO", "MetricModel", "PredicateLanguage", "Generators", "StorageEngine",
      "EngineInterface", "Policies", "ScenarioModel", "WorkloadRunner",
    ]
    let adapters = try Manifest.dependencies().keys.filter { $0.hasSuffix("Engine") }
    for owner in Set(without + adapters) {
      for file in Repository.files(in: "Sources/\(owner)", ending: ".swift")
      // Values of persisted properties are Foundation's `Data`.
      where !file.hasPrefix("Sources/NativeEngine/Objects/") {
        #expect(try !imports(of: file).contains("Foundation"), "\(file) imports Foundation")
      }
    }
  }

  private func imports(of file: String) throws -> [String] {
    let line =
      #/(?m)^\s*(?:@\w+ )?(?:public |package |internal |private )?import (?:(?:struct|class|enum|func|protocol|typealias|var|let) )?(\w+)/#
    return try Repository.text(file).matches(of: line).map { String($0.1) }
  }
}
