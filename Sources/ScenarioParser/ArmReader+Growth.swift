// How an arm's file may grow and be cut, on an engine that lets one choose.
import ScenarioModel

extension ArmReader {
  func geometry(_ field: Field) -> GeometrySpec? {
    let told = field.collector.count
    guard let keys = MappingReader(field, ScenarioKeys.geometry) else { return nil }
    let sizes = 1 << 16...1 << 30
    var geometry = GeometrySpec(
      lower: keys["lower"]?.size(sizes), upper: keys["upper"]?.size(sizes),
      growthStep: keys["growth-step"]?.size(sizes))
    if let threshold = keys["shrink-threshold"] {
      geometry.shrinkThreshold =
        threshold.node.scalar?.string == "never" ? 0 : threshold.size(sizes)
    }
    if let lower = geometry.lower, let upper = geometry.upper, lower > upper {
      keys["lower"]?.report("the lower bound is above the upper one", hint: "swap them")
    }
    if geometry == GeometrySpec(), field.collector.count == told {
      keys.report(
        "nothing is said of the file",
        hint: "give it lower, upper, growth-step or shrink-threshold")
    }
    return geometry
  }
}

extension Field {
  /// `all`, or a size.
  func shortening() -> ShortenSpec? {
    if node.scalar?.string == "all" { return .all }
    return size(1 << 12...1 << 30).map { .atMost($0) }
  }
}
