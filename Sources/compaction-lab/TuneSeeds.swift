// Which seeds and policies `tune` runs.
import LaunchSchedules
import MetricModel
import Policies
import RecordModel
import ScenarioModel

/// How many seeds are run, and which.
struct TuneSeeds {
  /// nil for as many as the engine has by default.
  let training: Int?
  let heldOut: Int?
  /// The number of points around each scenario.
  let robustness: Int?

  /// By default as many as fit into minutes: a run of the other engines takes longer.
  static let ofNative = 20
  static let ofOthers = 3
  /// Points double the work of a native engine's seeds; they would multiply that of the others, and of a quick run.
  static let usualPoints = 64

  private static func isNative(_ engine: String) -> Bool {
    let natives: [EngineIdentifier] = [.native, .nativeOldestReader, .nativeObjects]
    return EngineIdentifier(rawValue: engine).map(natives.contains) ?? false
  }

  private static func usual(_ engine: String) -> Int {
    isNative(engine) ? ofNative : ofOthers
  }

  func points(_ engine: String) -> Int {
    let isUsual = training == nil && heldOut == nil && Self.isNative(engine)
    return robustness ?? (isUsual ? Self.usualPoints : 0)
  }

  func training(_ engine: String) -> Int { training ?? Self.usual(engine) }
  func heldOut(_ engine: String) -> Int { heldOut ?? Self.usual(engine) }

  func trainingSeeds(_ engine: String, first: UInt64) -> [UInt64] {
    (0..<training(engine)).map { first &+ UInt64($0) }
  }

  /// The seeds that follow those of training.
  func heldOutSeeds(_ engine: String, first: UInt64) -> [UInt64] {
    let first = first &+ UInt64(training(engine))
    return (0..<heldOut(engine)).map { first &+ UInt64($0) }
  }
}

/// The policies that are run on held-out seeds.
enum TuneContenders {
  /// Returns the best rule of each family, the scenarios' own policies and the vendors' rules, each rule once.
  static func policies(
    _ families: [TunedFamily], _ scenarios: [Scenario], vendors: [VendorDefault]
  ) throws -> [Policy] {
    let tuned = try families.map { try Policy(parsing: $0.policy) }
    let vendors = try vendors.map { try Policy(parsing: $0.text) }
    var all: [Policy] = []
    for policy in tuned + scenarios.flatMap(\.policies) + vendors {
      let isKnown = all.contains {
        $0.name == policy.name
          || ($0.onLaunch, $0.automatic, $0.preset, $0.thresholds)
            == (policy.onLaunch, policy.automatic, policy.preset, policy.thresholds)
      }
      if !isKnown { all.append(policy) }
    }
    return all
  }
}
