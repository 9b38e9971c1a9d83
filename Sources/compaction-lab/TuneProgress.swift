// The progress of `tune`: one line in a terminal, at most one a second in a pipe.
import SystemIO

final class TuneProgress {
  private let total: Int
  private let isQuiet: Bool
  private let start = Clock.monotonicNanoseconds()
  private let isTerminal = Terminal.isTerminal(.error)
  private var done = 0
  private var isDrawn = false
  private var printedAt: UInt64?

  init(total: Int, isQuiet: Bool) {
    self.total = total
    self.isQuiet = isQuiet
  }

  func begin(_ name: String) {
    guard !isQuiet else { return }
    let line = "[\(done)/\(total)] \(name)\(timeLeft)"
    if isTerminal {
      let width = Terminal.width(of: .error) - 1
      Console.draw("\r\u{1B}[K\(line.prefix(width))")
      isDrawn = true
      return
    }
    let now = Clock.monotonicNanoseconds()
    guard now - (printedAt ?? 0) >= 1_000_000_000 else { return }
    Console.error(line)
    printedAt = now
  }

  func end() { done += 1 }

  /// Removes the line from a terminal.
  func finish() {
    guard isDrawn else { return }
    Console.draw("\r\u{1B}[K")
    isDrawn = false
  }

  /// Estimated from the seeds so far.
  private var timeLeft: String {
    guard done > 0 else { return "" }
    let elapsed = Double(Clock.monotonicNanoseconds() - start) / 1e9
    let seconds = Int(elapsed / Double(done) * Double(total - done))
    let (minutes, rest) = seconds.quotientAndRemainder(dividingBy: 60)
    return " · \(minutes):\(rest < 10 ? "0" : "")\(rest) left"
  }
}
