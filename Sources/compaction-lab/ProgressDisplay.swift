// The progress of a run: in a terminal one line that is overwritten, with the time left; in a pipe at most one line a second.
import Experiments
import MetricModel
import RecordModel
import ReportRendering
import SystemIO

/// Shows a run's progress on standard error. Safe to call from any thread.
final class ProgressDisplay: Sendable {
  private struct State {
    var done = 0
    var total = 0
    var cell: CellKey?
    /// The file sizes of each running cell.
    var curves: [CellKey: [Double]] = [:]
    var drawn = false
    /// The newest line for a pipe, not printed yet.
    var pending: String?
    var printedAt: UInt64?
  }

  private let lock = ThreadMutex()
  private nonisolated(unsafe) var state = State()
  private let start = Clock.monotonicNanoseconds()
  private let isTerminal = Terminal.isTerminal(.error)
  private let totalCommits: Int
  private let launches: Int
  private let isQuiet: Bool

  init(totalCommits: Int, launches: Int, isQuiet: Bool = false) {
    self.totalCommits = totalCommits
    self.launches = launches
    self.isQuiet = isQuiet
  }

  func show(_ progress: RunProgress) {
    lock.withLock {
      switch progress {
      case .failed(let cell, let reason):
        clear()
        Console.error("\(Self.name(cell)): failed: \(reason)")
      case _ where isQuiet: break
      case .began(let cell, _, let done, let total):
        (state.cell, state.done, state.total) = (cell, done, total)
        state.curves[cell] = []
        if isTerminal { draw(nil) }
      case .moved(let cell, let line):
        guard isTerminal else { return }
        state.cell = cell
        state.curves[cell, default: []].append(Double(line.totalBytes))
        draw(line)
      case .ended(let cell, let repetition, let done, let total):
        (state.done, state.total) = (done, total)
        state.curves[cell] = nil
        if isTerminal {
          draw(nil)
        } else {
          let rest = done < total ? ", \(timeLeft())" : ""
          state.pending =
            "[\(done)/\(total)] \(Self.name(cell)), repetition \(repetition): done\(rest)"
          printPending(isDue: false)
        }
      }
    }
  }

  /// Removes the line from a terminal; prints the newest line into a pipe.
  func finish() {
    lock.withLock {
      clear()
      printPending(isDue: true)
    }
  }

  private func printPending(isDue: Bool) {
    let now = Clock.monotonicNanoseconds()
    guard let line = state.pending, isDue || now - (state.printedAt ?? 0) >= 1_000_000_000 else {
      return
    }
    Console.error(line)
    state.pending = nil
    state.printedAt = now
  }

  private func clear() {
    guard state.drawn else { return }
    Console.draw("\r\u{1B}[K")
    state.drawn = false
  }

  private func draw(_ line: ProgressLine?) {
    var parts = [bar(), "\(state.done)/\(state.total)", timeLeft()]
    if let cell = state.cell { parts.append(Self.name(cell)) }
    if let line {
      parts.append("launch \(line.launch)/\(launches)")
      parts.append("\(line.phase) \(line.commits)/\(totalCommits)")
      let curve = state.cell.flatMap { state.curves[$0] } ?? []
      parts.append("\(ByteCount(line.totalBytes)) \(Sparkline.text(curve, width: 10))")
    }
    let width = Terminal.width(of: .error) - 1
    Console.draw("\r\u{1B}[K\(String(parts.joined(separator: "  ").prefix(width)))")
    state.drawn = true
  }

  private func bar() -> String {
    let filled = state.total == 0 ? 0 : 20 * state.done / state.total
    return String(repeating: "█", count: filled) + String(repeating: "░", count: 20 - filled)
  }

  /// Returns an estimate from the time that the repetitions took so far; unknown before the first has ended.
  private func timeLeft() -> String {
    guard state.done > 0 else { return "  …  left" }
    let elapsed = Double(Clock.monotonicNanoseconds() - start) / 1e9
    let seconds = Int(elapsed / Double(state.done) * Double(state.total - state.done))
    let (minutes, rest) = seconds.quotientAndRemainder(dividingBy: 60)
    return "\(minutes):\(rest < 10 ? "0" : "")\(rest) left"
  }

  private static func name(_ cell: CellKey) -> String {
    "\(cell.engine) · \(cell.policy) · \(cell.arm)"
  }
}
