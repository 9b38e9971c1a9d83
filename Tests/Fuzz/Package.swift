// swift-tools-version: 6.2
// The fuzzer in a package of its own: it is built with instrumentation that nothing else shall have. How: Docs/Testing.md.
import PackageDescription

let package = Package(
  name: "fuzz",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "compaction-lab", path: "../..")],
  targets: [
    .target(name: "CFuzzer"),
    .executableTarget(
      name: "fuzz-open",
      dependencies: [
        "CFuzzer", .product(name: "StorageEngine", package: "compaction-lab"),
      ],
      swiftSettings: [
        .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"), .treatAllWarnings(as: .error),
      ],
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]),
  ]
)
