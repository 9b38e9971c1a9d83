// What the names in a scenario refer to, known from keys alone before what stands behind them is read.

/// A list is nil where it could not be read, so that any name will do.
struct KnownNames {
  var tables: [String]?
  var phases: [String]?
  /// Launches of the scenario, at least 1.
  var launches = 1
}
