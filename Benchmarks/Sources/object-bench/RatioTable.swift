// A table of both sides' costs, with the ratio within each round.
import BenchSupport

/// The processor time of kinds of work on both sides, in nanoseconds for one operation.
struct RatioTable {
  private var names: [String] = []
  private var costs: [String: (engine: [Double], objects: [Double])] = [:]

  mutating func add(_ name: String, engine: Double, objects: Double) {
    if costs[name] == nil { names.append(name) }
    costs[name, default: ([], [])].engine.append(engine)
    costs[name, default: ([], [])].objects.append(objects)
  }

  /// Prints a row for each kind of work, in the order in which they were added, with its aim for the ratio.
  func printRows(_ aim: (String) -> String) {
    print("| | engine, ns | objects, ns | ratio, median | least | greatest | aim |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    for name in names {
      guard let cost = costs[name] else { continue }
      let ratio = Spread(zip(cost.engine, cost.objects).map { $1 / $0 })
      print(
        "| \(name) | \(rounded(Spread(cost.engine).median)) "
          + "| \(rounded(Spread(cost.objects).median)) | \(rounded(ratio.median)) "
          + "| \(rounded(ratio.low)) | \(rounded(ratio.high)) | \(aim(name)) |")
    }
  }
}
