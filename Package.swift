// swift-tools-version: 6.2
// The modules and the arrows between them. ARCHITECTURE.md says why each arrow exists;
// ArchitectureTests checks that this file and that table agree.
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

/// Settings of modules that run for milliseconds once a command: reading a scenario, the options of the command line, the
/// analysis of a record and its report (0.5 s, and 0.8 s without the optimizer, for the documents' scenarios). More than half
/// of the time that they took to build was the optimizer's (Reports/BuildCosts.md). What runs in a cell's process is
/// optimized. No library product contains such a module: SwiftPM refuses a dependency with unsafe flags.
let unoptimized = settings + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

/// A module of ours: folder, module and import share one name.
func module(
  _ name: String, _ dependencies: [Target.Dependency] = [], settings: [SwiftSetting] = settings
) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// The tests of one module, beside the shared support that `Tests/Support` holds.
func tests(
  _ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies, resources: resources, swiftSettings: settings)
}

/// A library of the system: its headers, and where `pkgConfig` is named also what to link. An engine's library is not
/// linked, since a program does not start without a library that it links: it is opened when the engine is asked for,
/// and where it is missing that engine is absent, for a reason, and no other.
/// Where no distribution has its headers, the declarations are ours, and there is nothing to install.
func system(
  _ name: String, pkgConfig: String? = nil, apt: String? = nil, brew: String? = nil
) -> Target {
  let providers = [apt.map { .apt([$0]) }, brew.map { .brew([$0]) }] as [SystemPackageProvider?]
  return .systemLibrary(
    name: name, pkgConfig: pkgConfig, providers: providers.compactMap { $0 })
}

let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")
let systemPackage = Target.Dependency.product(name: "SystemPackage", package: "swift-system")
let histogram = Target.Dependency.product(name: "Histogram", package: "hdrhistogram-swift")

let package = Package(
  name: "compaction-lab",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "compaction-lab", targets: ["compaction-lab"]),
    .library(name: "StorageEngine", targets: ["StorageEngine"]),
    .library(name: "ObjectStore", targets: ["ObjectStore"]),
    .library(name: "TraceEmitter", targets: ["TraceEmitter"]),
    // An extension for SQLite, which is not linked.
    .library(name: "SQLiteTrace", type: .dynamic, targets: ["SQLiteTrace"]),
    // For Tests/Fuzz, which is a package of its own.
    .library(name: "FileFormats", targets: ["FileFormats"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
    .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", exact: "0.2.0"),
    .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
  ],
  targets: [
    // C surfaces: no logic.
    .target(name: "CPlatform"),
    system("CGSL", pkgConfig: "gsl", apt: "libgsl-dev", brew: "gsl"),
    system("COpenSSL", pkgConfig: "libcrypto", apt: "libssl-dev"),
    system("CLMDB", apt: "liblmdb-dev", brew: "lmdb"),
    system("CSQLite", apt: "libsqlite3-dev", brew: "sqlite3"),
    system("CRealm"),
    system("CMDBX"),
    system("CRocksDB"),
    system("CDuckDB"),
    system("CWiredTiger"),

    // 0 in Swift: text only.
    module("TextEscaping"),

    // 1: ground, knows nothing of ours.
    module("SystemIO", ["CPlatform", systemPackage]),
    // On macOS CryptoKit, of the system.
    module("Encryption", [.target(name: "COpenSSL", condition: .when(platforms: [.linux]))]),
    module("MetricModel", ["TextEscaping"]),
    module("PredicateLanguage", ["TextEscaping"]),
    module("Generators"),
    module("Statistics", ["CGSL"]),
    module("PictureDrawing"),
    // For apps and programs that are recorded: no dependency, not even of ours.
    module("TraceEmitter"),
    .target(name: "SQLiteTrace"),

    // 2
    module("StorageEngine", ["SystemIO", "Encryption"]),
    module("EngineInterface", ["SystemIO", "MetricModel"]),
    module("TraceFormat", ["SystemIO"]),
    module("FileFormats", ["SystemIO", "Encryption"]),
    module("Policies", ["MetricModel", "PredicateLanguage"]),
    module("Sweeps", ["Generators"], settings: unoptimized),
    module("Objective", ["MetricModel"]),

    // 3
    module(
      "ScenarioModel",
      ["MetricModel", "PredicateLanguage", "Generators", "Policies", "Objective"]),
    module("SQLiteEngine", ["CSQLite", "SystemIO", "MetricModel", "EngineInterface"]),
    module("MDBInterface", ["SystemIO", "EngineInterface"]),
    module(
      "RealmCoreEngine",
      ["CRealm", "SystemIO", "MetricModel", "EngineInterface", "FileFormats"]),
    module("RocksDBEngine", ["CRocksDB", "SystemIO", "MetricModel", "EngineInterface"]),
    module("DuckDBEngine", ["CDuckDB", "SystemIO", "MetricModel", "EngineInterface"]),
    module("WiredTigerEngine", ["CWiredTiger", "SystemIO", "MetricModel", "EngineInterface"]),
    module("NullEngine", ["SystemIO", "MetricModel", "EngineInterface"]),
    module(
      "FleetModel",
      ["MetricModel", "PredicateLanguage", "Generators", "Policies", "Statistics"]),

    module("ObjectStore", ["SystemIO", "StorageEngine"]),
    module(
      "InspectionRendering",
      ["TextEscaping", "MetricModel", "PictureDrawing", "StorageEngine", "FileFormats"],
      settings: unoptimized),

    // 4
    module(
      "LMDBEngine", ["CLMDB", "SystemIO", "MetricModel", "EngineInterface", "MDBInterface"]),
    module(
      "MDBXEngine", ["CMDBX", "SystemIO", "MetricModel", "EngineInterface", "MDBInterface"]),
    module(
      "NativeEngine",
      ["SystemIO", "MetricModel", "StorageEngine", "EngineInterface", "ObjectStore"]),
    module(
      "ScenarioParser",
      [
        "TextEscaping", "MetricModel", "PredicateLanguage", "Generators", "Policies",
        "ScenarioModel", "Objective", "FleetModel",
        yams,
      ], settings: unoptimized),
    module("RecordModel", ["MetricModel", "ScenarioModel", "Objective", histogram]),

    // 5
    module(
      "ScenarioRendering",
      [
        "MetricModel", "Generators", "PictureDrawing", "Policies", "ScenarioModel",
        "ScenarioParser",
      ], settings: unoptimized),
    module(
      "Engines",
      [
        "MetricModel", "EngineInterface", "NativeEngine", "LMDBEngine", "SQLiteEngine",
        "MDBXEngine", "RealmCoreEngine", "RocksDBEngine", "DuckDBEngine", "WiredTigerEngine",
        "NullEngine",
      ]),
    module(
      "WorkloadRunner",
      [
        "SystemIO", "MetricModel", "Generators", "Policies",
        "EngineInterface", "TraceFormat", "ScenarioModel", "RecordModel",
      ]),
    module(
      "ScenarioFitting",
      [
        "TextEscaping", "MetricModel", "Generators", "Statistics", "TraceFormat", "ScenarioModel",
      ]),
    module(
      "Analysis",
      [
        "MetricModel", "PredicateLanguage", "Policies", "Statistics", "ScenarioModel",
        "RecordModel", "Objective",
      ], settings: unoptimized),
    module("RunJournal", ["SystemIO", "RecordModel", "FleetModel"]),
    module(
      "Calibration", ["MetricModel", "Generators", "Statistics", "RecordModel"],
      settings: unoptimized),
    module("LaunchSchedules", ["MetricModel", "Objective", "RecordModel", "Statistics"]),

    // 6
    module(
      "Experiments",
      [
        "SystemIO", "MetricModel", "Generators", "Policies", "Statistics", "ScenarioModel",
        "RecordModel", "EngineInterface", "WorkloadRunner", "Analysis", "RunJournal",
        "LaunchSchedules", "Objective", "Calibration", "FleetModel",
      ], settings: unoptimized),
    module(
      "ReportRendering",
      [
        "MetricModel", "PictureDrawing", "Policies", "Statistics", "Sweeps", "ScenarioModel",
        "RecordModel", "Analysis", "LaunchSchedules", "Objective", "Calibration", "FleetModel",
      ], settings: unoptimized),

    module(
      "Regression",
      [
        "MetricModel", "Statistics", "ScenarioModel", "RecordModel", "Analysis", "Objective",
        "LaunchSchedules",
      ],
      settings: unoptimized),

    // 7
    .executableTarget(
      name: "compaction-lab",
      dependencies: [
        "TextEscaping", "SystemIO", "MetricModel", "PredicateLanguage", "Policies", "ScenarioModel",
        "ScenarioParser", "EngineInterface", "Engines", "TraceFormat", "RecordModel",
        "WorkloadRunner", "Analysis", "Experiments", "RunJournal", "Sweeps", "LaunchSchedules",
        "Calibration", "FleetModel",
        "Objective", "ReportRendering", "Regression", "StorageEngine", "FileFormats",
        "InspectionRendering", "ScenarioRendering", "ScenarioFitting",
        argumentParser,
      ],
      swiftSettings: unoptimized),

    // Tests, and what they share.
    .target(
      name: "CoverageModel", dependencies: ["Statistics", "Generators"],
      path: "Tests/CoverageModel", swiftSettings: settings),
    .executableTarget(
      name: "coverage-study", dependencies: ["CoverageModel"], path: "Tests/CoverageStudy",
      swiftSettings: settings),
    tests(
      "StatisticsTests", ["Statistics", "CoverageModel"], resources: [.copy("Reference")]),
    .target(
      name: "RecordFixtures",
      dependencies: [
        "MetricModel", "PredicateLanguage", "Policies", "ScenarioModel", "RecordModel", "Objective",
        "Generators",
      ],
      path: "Tests/RecordFixtures", swiftSettings: settings),
    tests(
      "AnalysisTests",
      [
        "MetricModel", "PredicateLanguage", "Policies", "ScenarioModel", "RecordModel",
        "Statistics", "Analysis", "RecordFixtures", "Generators", "Objective",
      ]),
    tests(
      "ExperimentsTests",
      [
        "SystemIO", "Generators", "RecordModel", "ScenarioModel", "EngineInterface", "NullEngine",
        "NativeEngine", "RecordFixtures", "Analysis", "Experiments", "RunJournal", "MetricModel",
        "FleetModel", "TestSupport",
      ],
      resources: [.copy("Reference")]),
    tests(
      "ReportRenderingTests",
      [
        "MetricModel", "Policies", "ScenarioModel", "RecordModel", "Analysis", "ReportRendering",
        "LaunchSchedules", "Objective", "FleetModel", "RecordFixtures", "TestSupport",
      ], resources: [.copy("Golden")]),
    tests(
      "RegressionTests",
      [
        "MetricModel", "RecordModel", "ScenarioModel", "Analysis", "Regression", "RecordFixtures",
        "Generators", "VerdictModel", "SystemIO", "TestSupport", "Objective", "LaunchSchedules",
      ]),
    tests(
      "RecordModelTests",
      [
        "RecordModel", "MetricModel", "Policies", "ScenarioModel", "RecordFixtures", "TestSupport",
      ],
      resources: [.copy("Records")]),
    tests(
      "RunJournalTests",
      ["SystemIO", "MetricModel", "ScenarioModel", "RecordModel", "RunJournal", "TestSupport"]),
    tests("MetricModelTests", ["MetricModel", "Analysis", "TestSupport"]),
    tests("TextEscapingTests", ["TextEscaping"]),
    tests("PictureDrawingTests", ["PictureDrawing"]),
    tests(
      "PredicateLanguageTests", ["PredicateLanguage", "TextEscaping", "TestSupport"],
      resources: [.copy("Corpus")]),
    tests("GeneratorsTests", ["Generators"], resources: [.copy("Reference")]),
    tests("SweepsTests", ["Sweeps"]),
    tests(
      "FleetModelTests", ["FleetModel", "Generators", "Policies", "ScenarioParser"]),
    tests("ObjectiveTests", ["MetricModel", "Objective"]),
    tests("CalibrationTests", ["MetricModel", "RecordModel", "Calibration"]),
    tests(
      "LaunchSchedulesTests",
      [
        "MetricModel", "Objective", "Generators", "Policies", "RecordModel", "LaunchSchedules",
        "RecordFixtures", "TestSupport",
      ]),
    tests("PoliciesTests", ["MetricModel", "PredicateLanguage", "Policies", "TestSupport"]),
    .target(
      name: "TestSupport", dependencies: ["SystemIO"], path: "Tests/Support",
      swiftSettings: settings),
    .target(
      name: "EngineTestSupport", dependencies: ["EngineInterface", "TestSupport"],
      path: "Tests/EngineSupport", swiftSettings: settings),
    tests("ScenarioModelTests", ["Policies", "ScenarioModel"]),
    tests(
      "ScenarioParserTests",
      [
        "MetricModel", "Generators", "Policies", "Objective", "ScenarioModel", "ScenarioParser",
        "SystemIO",
        "TestSupport", yams,
      ],
      resources: [.copy("Cases")]),
    tests(
      "ScenarioRenderingTests",
      [
        "MetricModel", "ScenarioModel", "ScenarioParser", "ScenarioRendering", "SystemIO",
        "TestSupport",
      ]),
    tests(
      "StorageEngineTests", ["StorageEngine", "Encryption", "SystemIO", "TestSupport"],
      resources: [.copy("Files")]),
    .executableTarget(
      name: "realm-process", dependencies: ["ObjectStore"], path: "Tests/RealmProcess",
      swiftSettings: settings),
    tests(
      "ObjectStoreTests",
      ["ObjectStore", "StorageEngine", "SystemIO", "TestSupport", "realm-process"],
      resources: [.copy("Files")]),
    tests(
      "FileFormatsTests", ["FileFormats", "SystemIO", "TestSupport"],
      resources: [.copy("Programs")]),
    tests(
      "InspectionRenderingTests",
      ["InspectionRendering", "FileFormats", "SystemIO", "TestSupport"]),
    tests(
      "ScenarioFittingTests",
      [
        "MetricModel", "Generators", "TraceFormat", "ScenarioModel", "ScenarioFitting",
        "ScenarioParser", "TestSupport",
      ], resources: [.copy("Golden")]),
    tests("TraceFormatTests", ["TraceFormat", "SystemIO", "TestSupport"]),
    tests("TraceEmitterTests", ["TraceEmitter", "TraceFormat", "SystemIO", "TestSupport"]),
    tests("EncryptionTests", ["Encryption"], resources: [.copy("Reference")]),
    tests("SystemIOTests", ["SystemIO", "TestSupport"]),
    tests(
      "LMDBEngineTests",
      ["SystemIO", "MetricModel", "EngineInterface", "MDBInterface", "LMDBEngine", "TestSupport"]),
    tests(
      "SQLiteEngineTests",
      ["SystemIO", "MetricModel", "EngineInterface", "SQLiteEngine", "TestSupport"]),
    tests(
      "MDBXEngineTests",
      ["SystemIO", "MetricModel", "EngineInterface", "MDBXEngine", "TestSupport"]),
    tests(
      "RocksDBEngineTests",
      [
        "SystemIO", "MetricModel", "EngineInterface", "RocksDBEngine", "TestSupport",
        "EngineTestSupport",
      ]),
    tests(
      "DuckDBEngineTests",
      [
        "SystemIO", "MetricModel", "EngineInterface", "DuckDBEngine", "TestSupport",
        "EngineTestSupport",
      ]),
    tests(
      "WiredTigerEngineTests",
      [
        "SystemIO", "MetricModel", "EngineInterface", "WiredTigerEngine", "TestSupport",
        "EngineTestSupport",
      ]),
    tests(
      "RealmCoreEngineTests",
      [
        "SystemIO", "MetricModel", "EngineInterface", "FileFormats", "RealmCoreEngine",
        "TestSupport",
      ]),
    .executableTarget(
      name: "engine-process",
      dependencies: [
        "SystemIO", "MetricModel", "EngineInterface", "Engines", "TestSupport",
      ],
      path: "Tests/EngineProcess", swiftSettings: settings),
    tests(
      "EngineContractTests",
      [
        "SystemIO", "MetricModel", "EngineInterface", "Engines", "NativeEngine", "SQLiteEngine",
        "NullEngine", "TestSupport", "SoakModel", "soak-process", "engine-process",
      ]),
    .executableTarget(
      name: "crash-writer", dependencies: ["StorageEngine", "SystemIO", "TestSupport"],
      path: "Tests/CrashWriter", swiftSettings: settings),
    .executableTarget(
      name: "commit-loop", dependencies: ["StorageEngine"],
      path: "Tests/CommitLoop", swiftSettings: settings),
    .target(
      name: "VerdictModel",
      dependencies: ["Analysis", "Experiments", "ReportRendering", "SystemIO"],
      path: "Tests/VerdictModel", swiftSettings: settings),
    .executableTarget(
      name: "verdict-study",
      dependencies: ["Analysis", "Experiments", "SystemIO", "VerdictModel"],
      path: "Tests/VerdictStudy", swiftSettings: settings),
    tests("CrashTests", ["StorageEngine", "SystemIO", "TestSupport", "crash-writer"]),
    .target(
      name: "SoakModel",
      dependencies: [
        "SystemIO", "MetricModel", "Statistics", "StorageEngine", "EngineInterface", "Engines",
        "TestSupport",
      ],
      path: "Tests/SoakModel", swiftSettings: settings),
    .executableTarget(
      name: "soak-process", dependencies: ["SoakModel", "Statistics", "SystemIO"],
      path: "Tests/SoakProcess", swiftSettings: settings),
    .target(name: "CAdapterBench", path: "Tests/CAdapterBench"),
    .executableTarget(
      name: "adapter-bench",
      dependencies: [
        "CAdapterBench", "SystemIO", "MetricModel", "Statistics", "StorageEngine",
        "EngineInterface", "Engines", "NativeEngine", "TestSupport",
      ],
      path: "Tests/AdapterBench", swiftSettings: settings),
    tests(
      "WorkloadRunnerTests",
      [
        "SystemIO", "MetricModel", "Generators", "Policies", "EngineInterface", "ScenarioModel",
        "RecordModel", "TraceFormat", "WorkloadRunner", "NativeEngine", "LMDBEngine",
        "SQLiteEngine", "RealmCoreEngine", "Analysis", "ReportRendering", "TestSupport",
      ]),
    tests(
      "EndToEndTests",
      [
        "SystemIO", "MetricModel", "RecordModel", "ScenarioModel", "ScenarioRendering",
        "StorageEngine", "EngineInterface", "Engines", "ScenarioParser", "WorkloadRunner",
        "Experiments", "RunJournal", "Calibration", "LaunchSchedules", "Objective", "Policies",
        "FleetModel", "RecordFixtures", "ReportRendering", "TestSupport", "compaction-lab",
      ],
      resources: [.copy("Golden")]),
    tests("ArchitectureTests", ["SystemIO", "TestSupport"]),
  ]
)
