// swift-tools-version: 6.2
// The fuzzers in a package of their own: they are built with instrumentation that nothing else shall have. `.ci/nightly`
// has the commands, Docs/Testing.md describes them.
import PackageDescription

/// A program whose inputs libFuzzer makes.
func fuzzer(_ name: String, of module: String) -> Target {
  .executableTarget(
    name: name,
    dependencies: ["CFuzzer", .product(name: module, package: "compaction-lab")],
    swiftSettings: [
      .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"), .treatAllWarnings(as: .error),
    ],
    linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])])
}

let package = Package(
  name: "fuzz",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "compaction-lab", path: "../..")],
  targets: [
    .target(name: "CFuzzer"),
    fuzzer("fuzz-open", of: "StorageEngine"),
    fuzzer("fuzz-inspect", of: "FileFormats"),
  ]
)
