// A fitted population as a file: each figure with its evidence in a comment above it.

extension FittedFleet {
  /// The population of the file, whose figures have three significant digits.
  package var roundedPopulation: Population {
    var population = population
    for index in population.groups.indices {
      population.groups[index].share = QuantityWords.roundedShare(population.groups[index].share)
      func round(_ quantity: inout QuantityDistribution, _ unit: QuantityWords.Unit) {
        quantity = QuantityWords.rounded(quantity, unit)
      }
      round(&population.groups[index].data, .bytes)
      round(&population.groups[index].growth, .bytes)
      round(&population.groups[index].value, .bytes)
      round(&population.groups[index].commits, .count)
      round(&population.groups[index].launches, .count)
      if let available = population.groups[index].available {
        population.groups[index].available = QuantityWords.rounded(available, .bytes)
      }
    }
    return population
  }

  /// The text of the population's file.
  package var text: String {
    let head =
      summary.map { "# \($0)" }
      + advice.map { "# To log: \($0)" }
      + [
        "population: \(population.name)",
        "source: \"\(population.source.filter { $0 != "\"" && $0 != "\\" })\"",
        "seed: \(population.seed)", "groups:",
      ]
    let groups = zip(population.groups, self.groups).flatMap { written, fitted in
      groupLines(written, fitted)
    }
    return (head + groups).joined(separator: "\n") + "\n"
  }

  /// What was fitted to what, and how well, in lines.
  package var summary: [String] {
    var lines = [
      "\(QuantityWords.grouped(devices)) devices, \(QuantityWords.decimal(days.rounded())) days, "
        + "\(QuantityWords.grouped(launches)) launches; groups: "
        + groups.map { "\($0.group.name) \(QuantityWords.percent($0.group.share))" }
        .joined(separator: ", ")
    ]
    if deviceShare < 1 {
      lines.append(
        "rows are more than memory holds: one device in \(Int(1 / deviceShare)) was read, chosen by a hash"
      )
    }
    if !counts.exclusions.isEmpty { lines.append("rows: \(counts.exclusions)") }
    if shortLogs > 0 {
      lines.append(
        "\(shortLogs) devices left out: fewer than \(DeviceRates.minLaunches) launches, or less than a day"
      )
    }
    if counts.versions.count > 1 {
      let versions = counts.versions.prefix(6).map { "\($0.name) \($0.rows) rows" }
      lines.append(
        "\(counts.versions.count) versions of the app, fitted together: \(versions.joined(separator: ", "))"
      )
    }
    lines.append(missing.words)
    lines.append("commits from sizes: \(model)")
    lines += stalls?.words ?? []
    lines.append(heldOut?.words ?? "no device was held out: there are too few")
    return lines
  }

  private func groupLines(_ group: DeviceGroup, _ fitted: FittedGroup) -> [String] {
    var lines = ["  \(group.name):"]
    func line(_ key: String, _ text: String) { lines.append("    \(key): \(text)") }
    func quantity(
      _ key: String, _ quantity: FittedQuantity?, _ distribution: QuantityDistribution,
      _ unit: QuantityWords.Unit, _ missing: String
    ) {
      lines.append("    # \(key): \(quantity?.evidence(unit) ?? missing)")
      line(key, QuantityWords.text(distribution, unit))
    }
    lines.append("    # about \(Int(fitted.devices.rounded())) devices")
    line("share", QuantityWords.percent(group.share))
    line("engine", group.engine)
    quantity("data", fitted.used, group.data, .bytes, "")
    line("value", QuantityWords.text(group.value, .bytes))
    quantity("growth", fitted.growth, group.growth, .bytes, "")
    quantity("commits", fitted.commits, group.commits, .count, "not in the log, assumed")
    line("writes", "\(group.writes)")
    if group.replaced > 0 { line("replaced", QuantityWords.percent(group.replaced)) }
    if let keys = group.keys.keyWords { line("keys", keys) }
    quantity("launches", fitted.launches, group.launches, .count, "")
    if let pins = group.pins {
      line(
        "pins",
        "{ take-every: \(pins.takeEveryCommits) commits, lifetime: \(pins.lifetime.lifetimeWords) }"
      )
    }
    if let available = group.available {
      quantity("available", fitted.available, available, .bytes, "not in the log, as stated")
    }
    if fitted.correlationError > Self.notableCorrelation {
      lines.append(
        "    # one activity misses a correlation between two quantities by \(QuantityWords.decimal(fitted.correlationError))"
      )
    }
    return lines
  }

  private static let notableCorrelation = 0.15
}

extension FittedQuantity {
  /// `median in [19_500 kB, 20_800 kB], sigma in [1.04, 1.12]`.
  fileprivate func evidence(_ unit: QuantityWords.Unit) -> String {
    guard let interval else {
      return distribution == .fixed(0)
        ? "none is seen beyond the error" : "from the mean and the variance over devices"
    }
    var text = "median in \(QuantityWords.interval(interval, unit))"
    if let sigmaInterval {
      text += ", sigma in \(QuantityWords.interval(sigmaInterval, .count))"
    }
    return text + " with 95 %"
  }
}

extension MissingLaunches {
  fileprivate var words: String {
    let percent = QuantityWords.percent(share)
    let error = QuantityWords.percent(2 * standardError)
    switch evidence {
    case .counted: return "missing launches: \(percent), by the app's count of \(count) launches"
    case .stated: return "missing launches: \(percent), as stated"
    case .compactions:
      return
        "missing launches: \(percent) ± \(error), of \(count) compactions those at launches that are not in the log"
    case .none: return "missing launches: taken as none, since the log does not show them"
    }
  }
}

extension HeldOutFit {
  /// `fit: p50 within 2 %, p99 within 6 % on 8,000 held-out devices`.
  package var words: String {
    let parts = comparisons.map { comparison in
      let percent = QuantityWords.percent(abs(comparison.relativeError))
      let name = "p\(QuantityWords.decimal(comparison.share * 100))"
      guard comparison.interval != nil else { return "\(name) off by \(percent), too few to judge" }
      return "\(name) off by \(percent), "
        + (comparison.agrees ? "within two standard errors" : "beyond two standard errors")
    }
    return
      "fit on \(QuantityWords.grouped(devices)) held-out devices, of used bytes at the last launch: "
      + parts.joined(separator: "; ")
  }
}
