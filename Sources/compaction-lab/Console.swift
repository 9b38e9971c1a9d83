// The two streams of a command. Written whole lines at a time and at once, so that a pipe sees them in order.
import SystemIO

enum Console {
  static func print(_ text: String) { Terminal.write(text + "\n", to: .output) }
  static func error(_ text: String) { Terminal.write(text + "\n", to: .error) }
  /// Without a line end: progress that is drawn over.
  static func draw(_ text: String) { Terminal.write(text, to: .error) }
}
