// Reads the distributions of operations over rows and of the sizes of values. ScenarioManual+Values describes their words.
import Generators

extension Field {
  private static let keyWords = [
    "uniform", "sequential", "zipfian", "scrambled", "latest", "hotspot", "fifo", "histogram",
  ]

  /// Returns a distribution over rows: `uniform`, `zipfian 0.9`, `hotspot 80 % on 20 %`, `histogram keys.csv`.
  func keyDistribution() -> KeyDistribution? {
    let expected = "uniform, sequential, fifo, zipfian 0.99 or another distribution of keys"
    guard let text = text(expected) else { return nil }
    let words = text.split(separator: " ").map(String.init)
    let theta = words.count == 2 ? QuantityText.decimal(words[1][...]) : 0.99
    switch (words.first, words.count, theta) {
    case ("uniform", 1, _): return .uniform
    case ("sequential", 1, _): return .sequential
    case ("fifo", 1, _): return .fifo
    case ("zipfian", 1...2, .some(let theta)):
      return permille(theta).map(KeyDistribution.zipfian(thetaPermille:))
    case ("scrambled", 1...2, .some(let theta)):
      return permille(theta).map(KeyDistribution.scrambledZipfian(thetaPermille:))
    case ("latest", 1...2, .some(let theta)):
      return permille(theta).map(KeyDistribution.latest(thetaPermille:))
    case ("hotspot", 2..., _): return hotspot(text)
    case ("histogram", 2, _): return histogram(words[1]).map(KeyDistribution.histogram)
    default:
      let hint =
        suggestion(words[0], Self.keyWords) ?? "there are \(listed(Self.keyWords, "and"))"
      report("expected \(expected), found \"\(shortened(text))\"", hint: hint)
      return nil
    }
  }

  private func permille(_ theta: Double) -> Int? {
    if (0.001...0.999).contains(theta) { return Int((theta * 1000).rounded()) }
    report("θ is out of range", hint: "from 0.001 to 0.999; 0.99 is customary")
    return nil
  }

  private func hotspot(_ text: String) -> KeyDistribution? {
    let shares = text.dropFirst("hotspot ".count).components(separatedBy: " on ")
      .compactMap { QuantityText.share(String(QuantityText.trimmed($0))) }
    guard shares.count == 2, shares.allSatisfy({ 0.001...1 ~= $0 }) else {
      report(
        "expected hotspot 80 % on 20 %, found \"\(shortened(text))\"",
        hint: "the operations' share, then the rows', each from 0.1 % to 100 %")
      return nil
    }
    let permille = shares.map { Int(($0 * 1000).rounded()) }
    return .hotspot(operationsPermille: permille[0], rowsPermille: permille[1])
  }

  /// Returns the histogram in a file beside the scenario.
  private func histogram(_ name: String) -> MeasuredHistogram? {
    let isName = name.allSatisfy { $0.isLetter || $0.isNumber || "-_.".contains($0) }
    guard isName, !name.hasPrefix("."), name.hasSuffix(".csv") else {
      report(
        "\"\(shortened(name))\" is no name of a histogram's file",
        hint: "a .csv file in the scenario's own folder, named without a path")
      return nil
    }
    do {
      return try MeasuredHistogram(parsing: try collector.companion(name))
    } catch let mistake as MeasuredHistogram.Mistake {
      report("\(name), line \(mistake.line): \(mistake.message)")
    } catch {
      report("\(name) cannot be read: \(error)")
    }
    return nil
  }

  /// Returns a distribution of sizes: `256 B`, `100 B to 4 kB`, `log-normal 256 B sigma 1.2`, `90 % 200 B and 10 % 16 kB`,
  /// `histogram sizes.csv`.
  func sizeDistribution() -> SizeDistribution? {
    let expected = "a size such as 256 B, 4 kB, 1 MiB or 256 B to 4 kB"
    guard let text = text(expected) else { return nil }
    let size: SizeDistribution?
    if text.hasPrefix("histogram ") {
      guard let measured = histogram(String(text.dropFirst("histogram ".count))) else { return nil }
      size = .histogram(measured)
    } else if text.hasPrefix("log-normal ") {
      size = Self.logNormal(String(text.dropFirst("log-normal ".count)))
    } else if text.contains(" and ") {
      size = Self.mixture(text)
    } else {
      size = Self.range(text).map { $0 == $1 ? .fixed($0) : .uniform(low: $0, high: $1) }
    }
    guard let size else {
      report("expected \(expected), found \"\(shortened(text))\"", hint: Self.sizeHint(text))
      return nil
    }
    if size.smallest < 1 || size.greatest > Limits.valueBytes {
      report("the size is out of range", hint: "from 1 B to 16 MiB")
      return nil
    }
    return isConsistent(size) ? size : nil
  }

  private static func sizeHint(_ text: String) -> String? {
    if text.hasPrefix("log-n") { return "log-normal 256 B sigma 1.2, perhaps up to 64 kB" }
    return text.contains(" and ") ? "90 % 200 B and 10 % 4 kB to 16 kB" : nil
  }

  private func isConsistent(_ size: SizeDistribution) -> Bool {
    switch size {
    case .uniform(let low, let high) where low > high:
      report("the first size is larger than the second", hint: "write the smaller one first")
    case .mixture(let parts) where parts.contains { $0.low > $0.high }:
      report("the first size is larger than the second", hint: "write the smaller one first")
    case .mixture(let parts) where parts.reduce(0, { $0 + $1.shareMillionths }) != 1_000_000:
      report("the shares do not make 100 % together")
    case .logNormal(let median, let sigma, let greatest):
      if !(1...5000).contains(sigma) {
        report("sigma is out of range", hint: "from 0.001 to 5; 1 is usual for sizes")
      } else if median > greatest {
        report("the median is above the largest size", hint: "up to is the largest size")
      } else {
        return true
      }
    default: return true
    }
    return false
  }

  /// Parses a size or a range: `256 B` or `100 B to 4 kB`.
  private static func range(_ text: String) -> (Int, Int)? {
    let parts = text.components(separatedBy: " to ")
    let sizes = parts.compactMap { QuantityText.size(String(QuantityText.trimmed($0))) }
    guard sizes.count == parts.count, sizes.count <= 2, let low = sizes.first else { return nil }
    return (low, sizes.last ?? low)
  }

  /// Parses a log-normal distribution: `256 B sigma 1.2 up to 64 kB`.
  private static func logNormal(_ text: String) -> SizeDistribution? {
    let parts = text.components(separatedBy: " up to ")
    let halves = parts[0].components(separatedBy: " sigma ")
    guard parts.count <= 2, halves.count == 2,
      let median = QuantityText.size(String(QuantityText.trimmed(halves[0]))), median > 0,
      let sigma = QuantityText.decimal(QuantityText.trimmed(halves[1])), sigma < 1000
    else { return nil }
    let permille = Int((sigma * 1000).rounded())
    if parts.count == 1 {
      return .logNormal(median: median, sigmaPermille: permille, maxSize: Limits.valueBytes)
    }
    return QuantityText.size(String(QuantityText.trimmed(parts[1]))).map {
      .logNormal(median: median, sigmaPermille: permille, greatest: $0)
    }
  }

  /// Parses a mixture: `90 % 200 B and 10 % 4 kB to 16 kB`.
  private static func mixture(_ text: String) -> SizeDistribution? {
    let texts = text.components(separatedBy: " and ")
    let parts = texts.compactMap { text -> SizePart? in
      let halves = text.components(separatedBy: "%")
      guard halves.count == 2,
        let percent = QuantityText.decimal(QuantityText.trimmed(halves[0])),
        let (low, high) = range(String(QuantityText.trimmed(halves[1]))), percent <= 100
      else { return nil }
      return SizePart(
        shareMillionths: Int((percent * 10_000).rounded()), low: low, high: high)
    }
    return parts.count == texts.count ? .mixture(parts) : nil
  }
}

extension String {
  fileprivate func components(separatedBy separator: String) -> [String] {
    split(separator: separator, omittingEmptySubsequences: false).map(String.init)
  }
}

extension Substring {
  fileprivate func components(separatedBy separator: String) -> [String] {
    String(self).components(separatedBy: separator)
  }
}
