// One expectation on the samples of one run: which samples it speaks of, and whether its condition holds there.
import MetricModel
import Policies
import PredicateLanguage
import RecordModel
import ScenarioModel

struct ScopedCheck {
  private let expectation: Expectation
  private let stretches: [Stretch]

  /// The samples of the scope within one launch, in order; never empty.
  private struct Stretch {
    let launch: Int
    let samples: [Sample]
  }

  init(_ expectation: Expectation, _ samples: [Sample]) {
    self.expectation = expectation
    var launches: [Int: [Sample]] = [:]
    for sample in samples { launches[sample.observation.launch, default: []].append(sample) }
    stretches = launches.keys.sorted().compactMap { launch in
      let scoped = Self.scoped(expectation.scope, launches[launch] ?? [])
      return scoped.isEmpty ? nil : Stretch(launch: launch, samples: scoped)
    }
  }

  private static func scoped(_ scope: Expectation.Scope, _ launch: [Sample]) -> [Sample] {
    switch scope {
    case .during(let phase): launch.filter { $0.phase == phase }
    case .after(let phase):
      launch.lastIndex { $0.phase == phase }.map { Array(launch[$0...]) } ?? []
    case .atEnd: Array(launch.suffix(1))
    }
  }

  var result: ExpectationOutcome.Result {
    let stretches = expectation.scope == .atEnd ? stretches.suffix(1) : stretches[...]
    guard !stretches.isEmpty else {
      return .notApplicable(reason: "no sample \(expectation.place)")
    }
    var evidence = ""
    for stretch in stretches {
      let place = stretches.count > 1 ? "launch \(stretch.launch): " : ""
      switch check(stretch.samples) {
      case .held(let words): evidence = evidence.isEmpty ? place + words : evidence
      case .failed(let words): return .failed(evidence: place + words)
      case .notApplicable(let reason): return .notApplicable(reason: reason)
      }
    }
    let others = stretches.count > 1 ? "; in all \(stretches.count) launches" : ""
    return .held(evidence: evidence + others)
  }

  private func check(_ samples: [Sample]) -> ExpectationOutcome.Result {
    switch expectation.condition {
    case .plateau(let variable):
      shape(variable, samples) { $0.levelsOff(isBytes: $1) }
    case .grows(let variable):
      shape(variable, samples) { shape, _ in shape.grows }
    case .always(let predicate): always(predicate, samples)
    case .eventually(let predicate, let commits): eventually(predicate, commits, samples)
    }
  }

  private func shape(
    _ name: String, _ samples: [Sample], _ holds: (CurveShape, Bool) -> Bool
  ) -> ExpectationOutcome.Result {
    guard let variable = ObservedVariable.named(name) else {
      return .notApplicable(reason: "there is no variable \(name)")
    }
    var points: [(commits: Int, value: Double)] = []
    for sample in samples {
      guard let value = variable.value(sample.observation) else {
        return .notApplicable(reason: "the engine cannot tell \(name)")
      }
      points.append((sample.observation.commits, value))
    }
    guard let shape = CurveShape(points) else {
      return .notApplicable(reason: "too few samples for a trend (\(points.count), at least 3)")
    }
    let isBytes = variable.unit == "bytes"
    func words(_ value: Double) -> String {
      isBytes ? ByteCount(Int(value.rounded())).description : value.threeDigits
    }
    let slope = shape.slope.map { ", \(words($0)) per commit" } ?? ""
    let evidence =
      "\(name) goes from \(words(shape.begin)) to \(words(shape.end)) over the last"
      + " \(shape.commits) commits\(slope)"
    return holds(shape, isBytes) ? .held(evidence: evidence) : .failed(evidence: evidence)
  }

  private func always(
    _ predicate: Predicate, _ samples: [Sample]
  ) -> ExpectationOutcome.Result {
    for sample in samples {
      switch predicate.evaluate(sample.observation) {
      case .yes: continue
      case .unknown(let variable):
        return .notApplicable(reason: "the engine cannot tell \(variable)")
      case .no: return .failed(evidence: words(predicate, sample))
      }
    }
    let last = samples[samples.count - 1]
    return .held(
      evidence:
        "at all \(samples.count) samples; at the last \(predicate.explain(last.observation))")
  }

  private func eventually(
    _ predicate: Predicate, _ commits: Int?, _ samples: [Sample]
  ) -> ExpectationOutcome.Result {
    let begin = samples[0].observation.commits
    var last = samples[0]
    for sample in samples {
      if let commits, sample.observation.commits > begin + commits { break }
      last = sample
      switch predicate.evaluate(sample.observation) {
      case .yes:
        return .held(
          evidence: "after \(sample.observation.commits - begin) commits:"
            + " \(predicate.explain(sample.observation))")
      case .unknown(let variable):
        return .notApplicable(reason: "the engine cannot tell \(variable)")
      case .no: continue
      }
    }
    return .failed(
      evidence: "not within \(last.observation.commits - begin) commits; at the end of them"
        + " \(predicate.explain(last.observation))")
  }

  private func words(_ predicate: Predicate, _ sample: Sample) -> String {
    "at commit \(sample.observation.commits): \(predicate.explain(sample.observation))"
  }
}
