// The costs of one engine: its measurements and the models fitted to them.
package import MetricModel

package struct EngineCosts: Sendable, Codable, Equatable {
  package var engine: String
  package var version: String
  /// Why nothing was measured; nil if something was.
  package var absence: String?
  package var points: [CostPoint]
  /// Measurements that failed, each with the reason.
  package var failures: [String]
  package var models: [CostModel]
  /// Of warm compactions by the bytes that they write; nil in calibrations of older versions.
  package var writingFit: WritingFit?

  /// Costs with the models of their points.
  package init(engine: String, version: String, points: [CostPoint], failures: [String] = []) {
    self.engine = engine
    self.version = version
    self.points = points
    self.failures = failures
    models = CostKind.allCases.flatMap { kind in
      CacheState.allCases.compactMap { CostModel(kind, $0, points) }
    }
    writingFit = WritingFit(points)
  }

  /// An engine that was left out.
  package init(engine: String, version: String = "", absence: String) {
    self.init(engine: engine, version: version, points: [])
    self.absence = absence
  }

  /// Returns the model; nil where nothing of that kind was fitted.
  package func model(_ kind: CostKind, _ cache: CacheState) -> CostModel? {
    models.first { $0.kind == kind && $0.cache == cache }
  }

  /// Predicts the time of compacting a file at a launch; nil where no compaction was fitted.
  ///
  /// - Parameters:
  ///   - live: the used bytes of the file.
  ///   - file: its length.
  package func predictedCompactionTime(
    live: ByteCount, file: ByteCount, cache: CacheState = .warm
  ) -> TimePrediction? {
    predicted(.compaction, cache, live: live, bytes: file)
  }

  /// Predicts the time of opening a file without compacting it; nil where no launch was fitted.
  package func predictedLaunchTime(
    file: ByteCount, cache: CacheState = .warm
  ) -> TimePrediction? {
    predicted(.launch, cache, live: nil, bytes: file)
  }

  /// Predicts the time of a durable commit of so many bytes of rows; nil where no commit was fitted.
  package func predictedCommitTime(bytes: ByteCount) -> TimePrediction? {
    predicted(.commit, .warm, live: nil, bytes: bytes)
  }

  private func predicted(
    _ kind: CostKind, _ cache: CacheState, live: ByteCount?, bytes: ByteCount
  ) -> TimePrediction? {
    precondition(bytes >= .zero && live ?? .zero >= .zero, "a size is not below zero")
    let point = CostPoint(
      kind, cache, live: live, bytes: bytes, isHeldOut: false, nanoseconds: [])
    return model(kind, cache)?.predicted(point)
  }
}
