// swift-tools-version: 6.2
// Benchmarks in a package of their own, so that building the product never pays for them. They see the storage engine
// as any user does, through its public product, and call LMDB and SQLite directly: no adapter stands between.
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "compaction-lab", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
  ],
  targets: [
    .systemLibrary(
      name: "CBenchLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]),
    .systemLibrary(
      name: "CBenchSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]),
    .target(name: "BenchSupport", swiftSettings: settings),
    .target(name: "CCallLog"),
    .target(
      name: "CommitFloor", dependencies: ["BenchSupport", "CCallLog"], swiftSettings: settings),
    .executableTarget(
      name: "encryption-bench",
      dependencies: [
        "CommitFloor",
        .product(name: "StorageEngine", package: "compaction-lab"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6)]),
    .executableTarget(
      name: "engine-bench",
      dependencies: [
        "BenchSupport", "CBenchLMDB", "CBenchSQLite", "CommitFloor",
        .product(name: "StorageEngine", package: "compaction-lab"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "harness-bench",
      dependencies: [
        "BenchSupport", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "object-bench",
      dependencies: [
        "BenchSupport",
        .product(name: "ObjectStore", package: "compaction-lab"),
        .product(name: "StorageEngine", package: "compaction-lab"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "compaction-bench",
      dependencies: [
        "BenchSupport",
        .product(name: "StorageEngine", package: "compaction-lab"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),
  ]
)
