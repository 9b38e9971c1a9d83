// What `watch` shows: rows of samples.csv; in a terminal a block for each file that is drawn over the one before; in a pipe a
// line for each reading.
import MetricModel
import RecordModel
import ReportRendering
import SystemIO

struct WatchDisplay {
  let isCSV: Bool
  private let isTerminal = Terminal.isTerminal(.output)
  private var drawnLines = 0

  init(isCSV: Bool) {
    self.isCSV = isCSV
    if isCSV { Console.write(SampleCSV.header) }
  }

  /// Shows the newest samples of all files.
  mutating func show(_ files: [WatchedFile], at time: VirtualTime) {
    if isCSV {
      Console.write(files.map(Self.row).joined())
    } else if isTerminal {
      let lines = files.flatMap { Self.block($0, at: time, width: Terminal.width(of: .output)) }
      let up = drawnLines > 0 ? "\u{1B}[\(drawnLines)A\u{1B}[J" : ""
      Console.write(up + lines.joined(separator: "\n") + "\n")
      drawnLines = lines.count
    } else {
      for file in files { Console.print(Self.line(file, at: time)) }
    }
  }

  private static func row(_ file: WatchedFile) -> String {
    let key = CellKey(engine: file.format, policy: "watch", arm: file.path.string)
    let rows = CellRows(key: key, repetition: 1, rows: file.samples.suffix(1))
    return String(decoding: SampleCSV.lines(rows), as: UTF8.self)
  }

  static func line(_ file: WatchedFile, at time: VirtualTime) -> String {
    let lead = "\(clock(time))  \(file.path)"
    guard let state = file.state, let sample = file.samples.last else {
      return "\(lead): \(file.absence ?? "not read yet")"
    }
    let space = state.observation.space
    var parts = ["\(space.total)"]
    if let live = space.live { parts.append("live \(live)") }
    if let free = space.free { parts.append("free \(free)") }
    if space.sidecar > .zero { parts.append("log \(space.sidecar)") }
    if let readers = readers(state) { parts.append(readers) }
    if !sample.events.isEmpty { parts.append(sample.events) }
    return "\(lead): \(parts.joined(separator: ", "))"
  }

  /// A heading, and a line with a curve for each figure.
  static func block(_ file: WatchedFile, at time: VirtualTime, width: Int) -> [String] {
    let heading = "\(file.path) · \(file.format) · \(clock(time))"
    guard let state = file.state else {
      return [heading, "  \(file.absence ?? "not read yet")", ""]
    }
    let curveWidth = max(8, min(60, width - 36))
    func row(_ name: String, _ value: String, _ figure: (Sample) -> Double?) -> String {
      let curve = Sparkline.text(file.samples.map { figure($0) ?? 0 }, width: curveWidth)
      let left = TextColumn.pad("  \(name)", to: 17, right: false)
      return left + TextColumn.pad(value, to: 14, right: true) + "  " + curve
    }
    func bytes(_ value: ByteCount?) -> String { value.map { "\($0)" } ?? "n/a" }
    func number(_ value: ByteCount?) -> Double? { value.map { Double($0.bytes) } }
    let space = state.observation.space
    var lines = [heading]
    lines.append(row("all files", bytes(space.total)) { number($0.observation.space.total) })
    lines.append(row("live", bytes(space.live)) { number($0.observation.space.live) })
    lines.append(row("free", bytes(space.free)) { number($0.observation.space.free) })
    if let pinned = space.pinned, pinned > .zero {
      lines.append(row("pinned", bytes(pinned)) { number($0.observation.space.pinned) })
    }
    if space.sidecar > .zero {
      lines.append(row("log", bytes(space.sidecar)) { number($0.observation.space.sidecar) })
    }
    if let readers = readers(state) {
      lines.append(row("versions held", "") { Double($0.observation.oldestPinLag) })
      lines.append("    \(readers)")
    }
    let last = file.samples.last(where: { !$0.events.isEmpty })
    if let last { lines.append("  \(clock(last.observation.time)) \(last.events)") }
    return lines + [""]
  }

  /// The readers and the oldest version that they hold; nil where no file names them.
  private static func readers(_ state: WatchedState) -> String? {
    guard let readers = state.readers else { return nil }
    guard readers > 0, let oldest = state.oldestVersion else { return "no reader" }
    let lag = state.newestVersion.map { $0 - min($0, oldest) } ?? 0
    return "\(readers == 1 ? "1 reader" : "\(readers) readers"), oldest version \(oldest), "
      + "\(grouped(Int(clamping: lag))) behind"
  }

  /// Hours, minutes and seconds since the watch began.
  static func clock(_ time: VirtualTime) -> String {
    let seconds = Int(time.seconds)
    let parts = [seconds / 3600, seconds / 60 % 60, seconds % 60]
    return parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }
}
