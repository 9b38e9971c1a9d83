// Clocks, counters, random keys and medians, for all benchmarks.

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Nanoseconds on a clock that only goes forward.
package func nanoseconds() -> UInt64 {
  var now = timespec()
  clock_gettime(CLOCK_MONOTONIC, &now)
  return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
}

/// Nanoseconds of processor time that this process took, the system's work for it included: what the work costs where
/// others use the machine too.
package func processorNanoseconds() -> UInt64 {
  var spent = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent)
  return UInt64(spent.tv_sec) * 1_000_000_000 + UInt64(spent.tv_nsec)
}

/// Bytes that this process handed to `write` and its kin; nil where the kernel does not count. Not its `write_bytes`:
/// that counts whole folios, and one changed page of a file written in large pieces counts as a megabyte.
package func requestedBytes() -> Int? {
  number(after: "wchar:", in: "/proc/self/io")
}

/// Sectors of 512 bytes that reached the disk of the file system that holds `path` since the machine started, by the
/// kernel's count; nil where it has none. Whatever is written there is in it, so this is for a quiet machine, or for a file
/// system of its own.
package func sectorsWritten(onDiskOf path: String) -> Int? {
  var facts = stat()
  guard stat(path, &facts) == 0 else { return nil }
  let device = UInt64(truncatingIfNeeded: facts.st_dev)
  let major = device >> 8 & 0xFFF
  let minor = device & 0xFF | device >> 12 & 0xFFF00
  guard let line = text(after: "", in: "/sys/dev/block/\(major):\(minor)/stat") else { return nil }
  let fields = line.split(separator: " ")
  return fields.count > 6 ? Int(fields[6]) : nil
}

/// The most memory that this process had at once, in KiB.
package func peakMemory() -> Int? {
  text(after: "VmHWM:", in: "/proc/self/status").flatMap { Int($0.prefix { $0 != " " }) }
}

/// `close`, under a name that no method has.
package func closeDescriptor(_ descriptor: Int32) { close(descriptor) }

/// The length of a file; 0 where there is none.
package func lengthOfFile(_ path: String) -> Int {
  var facts = stat()
  return stat(path, &facts) == 0 ? Int(facts.st_size) : 0
}

/// The machine in one line.
package func machineLine() -> String {
  let model = text(after: "model name\t:", in: "/proc/cpuinfo") ?? "unknown processor"
  let system = text(after: "PRETTY_NAME=", in: "/etc/os-release") ?? "unknown system"
  let processors = sysconf(Int32(_SC_NPROCESSORS_ONLN))
  return "\(processors) × \(model), \(system.filter { $0 != "\"" })"
}

private func number(after word: String, in path: String) -> Int? {
  text(after: word, in: path).flatMap { Int($0) }
}

/// What follows `word` at the beginning of a line.
private func text(after word: String, in path: String) -> String? {
  guard let file = fopen(path, "r") else { return nil }
  defer { fclose(file) }
  var line = [CChar](repeating: 0, count: 4096)
  while fgets(&line, Int32(line.count), file) != nil {
    let text = line.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    if text.hasPrefix(word) {
      let rest = text.dropFirst(word.count).drop { $0 == " " || $0 == "\t" }
      return String(rest.prefix { $0 != "\n" })
    }
  }
  return nil
}

/// What the system or an engine refused.
package struct BenchError: Error, CustomStringConvertible {
  package let description: String

  package init(description: String) { self.description = description }

  package static func system(_ what: String) -> BenchError {
    BenchError(description: "\(what): \(String(cString: strerror(errno)))")
  }
}

/// To standard error, so that the table alone is on standard output.
package func say(_ text: String) {
  _ = Array(text.utf8).withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
}

/// Two digits behind the point, none where there are three in front of it.
package func rounded(_ value: Double) -> String {
  let hundredths = Int((value * 100).rounded())
  return value >= 100
    ? String(Int(value.rounded()))
    : "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
}

/// SplitMix64: the same numbers for everyone who begins with the same seed.
package struct KeyStream {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  package mutating func keys(_ count: Int, below rows: Int) -> [Int64] {
    (0..<count).map { _ in Int64(next() % UInt64(rows)) }
  }
}

/// A median with its range.
package struct Spread {
  package let low: Double
  package let median: Double
  package let high: Double

  package init(_ values: [Double]) {
    let sorted = values.sorted()
    low = sorted.first ?? .nan
    high = sorted.last ?? .nan
    let middle = sorted.count / 2
    if sorted.isEmpty {
      median = .nan
    } else if sorted.count % 2 == 1 {
      median = sorted[middle]
    } else {
      median = (sorted[middle - 1] + sorted[middle]) / 2
    }
  }
}
