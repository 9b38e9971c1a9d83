// One expectation on the samples of one run: which samples it speaks of, and whether its condition holds there.
import MetricModel
import Policies
import PredicateLanguage
import RecordModel
import ScenarioModel

struct ScopedCheck {
  private let expectation: Expectation
  private let stretches: [Stretch]
  /// Of the run that this one is held against.
  private let others: [Stretch]

  init(_ expectation: Expectation, _ samples: [Sample], against others: [Sample]? = nil) {
    self.expectation = expectation
    stretches = Self.stretches(expectation.scope, samples)
    self.others = Self.stretches(expectation.scope, others ?? [])
  }

  private static func stretches(
    _ scope: Expectation.Scope, _ samples: [Sample]
  ) -> [Stretch] {
    var launches: [Int: [Sample]] = [:]
    for sample in samples { launches[sample.observation.launch, default: []].append(sample) }
    return launches.keys.sorted().compactMap { launch in
      let whole = launches[launch] ?? []
      let range = range(scope, whole)
      return range.isEmpty ? nil : Stretch(launch: launch, whole: whole, range: range)
    }
  }

  private static func range(_ scope: Expectation.Scope, _ launch: [Sample]) -> Range<Int> {
    let end = launch.endIndex
    switch scope {
    case .during(let phase):
      guard let first = launch.firstIndex(where: { $0.phase == phase }),
        let last = launch.lastIndex(where: { $0.phase == phase })
      else { return 0..<0 }
      return first..<last + 1
    case .after(let phase):
      return (launch.lastIndex { $0.phase == phase } ?? end)..<end
    case .atEnd: return max(0, end - 1)..<end
    }
  }

  /// What came of it, and of a failure a picture that shows where.
  var outcome: (result: ExpectationOutcome.Result, picture: String?) {
    let stretches = expectation.scope == .atEnd ? stretches.suffix(1) : stretches[...]
    guard !stretches.isEmpty else {
      return (.notApplicable(reason: "no sample \(expectation.place)"), nil)
    }
    var evidence = ""
    for stretch in stretches {
      let place = stretches.count > 1 ? "launch \(stretch.launch): " : ""
      switch check(stretch) {
      case .held(let words): evidence = evidence.isEmpty ? place + words : evidence
      case .failed(let words, let commit):
        return (.failed(evidence: place + words), picture(of: stretch, marking: commit))
      case .notApplicable(let reason): return (.notApplicable(reason: reason), nil)
      }
    }
    let others = stretches.count > 1 ? "; in all \(grouped(stretches.count)) launches" : ""
    return (.held(evidence: evidence + others), nil)
  }

  private func picture(of stretch: Stretch, marking commit: Int) -> String? {
    guard let variable = ObservedVariable.named(expectation.condition.pictured) else { return nil }
    let points = stretch.samples.compactMap { sample in
      variable.value(sample.seen).map { (sample.observation.commits, $0) }
    }
    return CurvePicture(points, mark: commit, isBytes: variable.unit == .bytes).text(variable.name)
  }

  private func check(_ stretch: Stretch) -> StretchResult {
    let samples = stretch.samples
    let curves = CurveCheck(stretch, against: others.first { $0.launch == stretch.launch })
    switch expectation.condition {
    case .plateau(let variable):
      return curves.shape(variable) { $0.levelsOff(isBytes: $1) }
    case .grows(let variable): return curves.shape(variable) { shape, _ in shape.grows }
    case .slope(let variable, let comparison, let bound):
      return curves.shape(variable) { shape, _ in comparison.holds(shape.slope ?? 0, bound) }
    case .highWater(let variable, let comparison, let limit):
      return curves.highWater(variable, comparison, limit)
    case .rise(let variable, let comparison, let limit):
      return curves.rise(variable, comparison, limit)
    case .reclaimed(let variable, let commits): return curves.reclaimed(variable, commits)
    case .rebound(let variable, let factor): return curves.rebound(variable, factor)
    case .always(let predicate): return always(predicate, samples)
    case .never(let predicate): return never(predicate, samples)
    case .eventually(let predicate, let commits): return eventually(predicate, commits, samples)
    case .following(let event, let predicate, let commits):
      return curves.following(event, commits) { samples in
        eventually(predicate, commits, samples)
      }
    }
  }

  private func never(_ predicate: Predicate, _ samples: [Sample]) -> StretchResult {
    for sample in samples {
      switch predicate.evaluate(sample.seen) {
      case .no: continue
      case .unknown(let variable):
        return .notApplicable(reason: "the engine cannot tell \(variable)")
      case .yes: return .failed(words(predicate, sample), at: sample.observation.commits)
      }
    }
    let last = samples[samples.count - 1]
    return .held(
      "at none of \(counted(samples.count, "sample")); at the last \(predicate.explain(last.seen))")
  }

  private func always(
    _ predicate: Predicate, _ samples: [Sample]
  ) -> StretchResult {
    for sample in samples {
      switch predicate.evaluate(sample.seen) {
      case .yes: continue
      case .unknown(let variable):
        return .notApplicable(reason: "the engine cannot tell \(variable)")
      case .no: return .failed(words(predicate, sample), at: sample.observation.commits)
      }
    }
    let last = samples[samples.count - 1]
    return .held(
      "at \(samples.count == 1 ? "the only sample" : "all \(grouped(samples.count)) samples")"
        + "; at the last \(predicate.explain(last.seen))"
    )
  }

  private func eventually(
    _ predicate: Predicate, _ commits: Int?, _ samples: [Sample]
  ) -> StretchResult {
    let begin = samples[0].observation.commits
    var last = samples[0]
    for sample in samples {
      if let commits, sample.observation.commits > begin + commits { break }
      last = sample
      switch predicate.evaluate(sample.seen) {
      case .yes:
        return .held(
          "after \(counted(sample.observation.commits - begin, "commit")):"
            + " \(predicate.explain(sample.seen))")
      case .unknown(let variable):
        return .notApplicable(reason: "the engine cannot tell \(variable)")
      case .no: continue
      }
    }
    return .failed(
      "not within \(counted(last.observation.commits - begin, "commit")); at the end of them"
        + " \(predicate.explain(last.seen))", at: last.observation.commits)
  }

  private func words(_ predicate: Predicate, _ sample: Sample) -> String {
    "at commit \(grouped(sample.observation.commits)): \(predicate.explain(sample.seen))"
  }
}
