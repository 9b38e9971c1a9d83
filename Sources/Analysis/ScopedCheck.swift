// Checks one expectation on the samples of one run: the samples in its scope, and whether its condition holds there.
import MetricModel
import Policies
import PredicateLanguage
import RecordModel
import ScenarioModel

struct ScopedCheck {
  private let expectation: Expectation
  private let segments: [Segment]
  /// Of the run to compare with.
  private let others: [Segment]
  private let schedule: Schedule

  init(
    _ expectation: Expectation, _ samples: [Sample], _ schedule: Schedule,
    against others: [Sample]? = nil
  ) {
    self.expectation = expectation
    self.schedule = schedule
    segments = Self.segments(expectation.scope, samples)
    self.others = Self.segments(expectation.scope, others ?? [])
  }

  private static func segments(
    _ scope: Expectation.Scope, _ samples: [Sample]
  ) -> [Segment] {
    var launches: [Int: [Sample]] = [:]
    for sample in samples { launches[sample.observation.launch, default: []].append(sample) }
    return launches.keys.sorted().compactMap { launch in
      let launchSamples = launches[launch] ?? []
      let range = range(scope, launchSamples)
      return range.isEmpty
        ? nil : Segment(launch: launch, launchSamples: launchSamples, range: range)
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

  /// The result, and the plot of a failure.
  var outcome: (result: ExpectationOutcome.Result, picture: String?) {
    let segments = expectation.scope == .atEnd ? segments.suffix(1) : segments[...]
    guard !segments.isEmpty else {
      return (.notApplicable(reason: "no sample \(expectation.scopeText)"), nil)
    }
    var evidence = ""
    for segment in segments {
      let prefix = segments.count > 1 ? "launch \(segment.launch): " : ""
      switch check(segment) {
      case .held(let words): evidence = evidence.isEmpty ? prefix + words : evidence
      case .failed(let words, let commit):
        return (.failed(evidence: prefix + words), picture(of: segment, marking: commit))
      case .notApplicable(let reason): return (.notApplicable(reason: reason), nil)
      }
    }
    let others = segments.count > 1 ? "; in all \(grouped(segments.count)) launches" : ""
    return (.held(evidence: evidence + others), nil)
  }

  private func picture(of segment: Segment, marking commit: Int) -> String? {
    guard let variable = ObservedVariable.named(expectation.condition.pictured) else { return nil }
    let points = segment.samples.compactMap { sample in
      variable.value(sample.seen).map { (sample.observation.commits, $0) }
    }
    return CurveTextPlot(points, mark: commit, isBytes: variable.unit == .bytes).text(variable.name)
  }

  private func check(_ segment: Segment) -> CheckResult {
    let samples = segment.samples
    let curves = CurveCheck(segment, against: others.first { $0.launch == segment.launch })
    switch expectation.condition {
    case .plateau(let variable):
      return curves.shape(variable) {
        schedule == .threads ? $0.levelsOffOnThreads(isBytes: $1) : $0.levelsOff(isBytes: $1)
      }
    case .grows(let variable): return curves.shape(variable) { shape, _ in shape.grows }
    case .slope(let variable, let comparison, let bound):
      return curves.shape(variable) { shape, _ in comparison.holds(shape.slope ?? 0, bound) }
    case .highWater(let variable, let comparison, let limit):
      return curves.highWater(variable, comparison, limit)
    case .rise(let variable, let comparison, let limit):
      return curves.rise(variable, comparison, limit)
    case .reclaimed(let variable, let commits): return curves.reclaimed(variable, commits)
    case .rebound(let variable, let factor): return curves.rebound(variable, factor)
    case .figure: preconditionFailure("A figure of the whole run is not in its samples.")
    case .always(let predicate): return always(predicate, samples)
    case .never(let predicate): return never(predicate, samples)
    case .eventually(let predicate, let commits): return eventually(predicate, commits, samples)
    case .following(let event, let predicate, let commits):
      return curves.following(event, commits) { samples in
        eventually(predicate, commits, samples)
      }
    }
  }

  private func never(_ predicate: Predicate, _ samples: [Sample]) -> CheckResult {
    for sample in samples {
      switch predicate.evaluate(sample.seen) {
      case .no: continue
      case .unknown(let variable):
        return .notApplicable(reason: "the engine does not report \(variable)")
      case .refused(let reason): return .notApplicable(reason: "not decidable: \(reason)")
      case .yes: return .failed(words(predicate, sample), at: sample.observation.commits)
      }
    }
    let last = samples[samples.count - 1]
    return .held(
      "at none of \(counted(samples.count, "sample")); at the last \(predicate.explain(last.seen))")
  }

  private func always(
    _ predicate: Predicate, _ samples: [Sample]
  ) -> CheckResult {
    for sample in samples {
      switch predicate.evaluate(sample.seen) {
      case .yes: continue
      case .unknown(let variable):
        return .notApplicable(reason: "the engine does not report \(variable)")
      case .refused(let reason): return .notApplicable(reason: "not decidable: \(reason)")
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
  ) -> CheckResult {
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
        return .notApplicable(reason: "the engine does not report \(variable)")
      case .refused(let reason): return .notApplicable(reason: "not decidable: \(reason)")
      case .no: continue
      }
    }
    return .failed(
      "not within \(counted(last.observation.commits - begin, "commit")); then"
        + " \(predicate.explain(last.seen))", at: last.observation.commits)
  }

  private func words(_ predicate: Predicate, _ sample: Sample) -> String {
    "at commit \(grouped(sample.observation.commits)): \(predicate.explain(sample.seen))"
  }
}
