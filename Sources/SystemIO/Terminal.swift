// Whether a person is looking, and how wide their window is.

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The terminal that this process writes to, if it does.
package enum Terminal {
  /// A stream of the process.
  package enum Stream: Int32, Sendable {
    case output = 1
    case error = 2

    /// The name of the stream in messages.
    package var name: String { self == .output ? "standard output" : "standard error" }
  }

  /// Whether the stream goes to a terminal rather than to a file or a pipe.
  package static func isTerminal(_ stream: Stream) -> Bool { isatty(stream.rawValue) == 1 }

  /// The window's columns: asked of the terminal, else `$COLUMNS`, else 80.
  package static func width(of stream: Stream = .output) -> Int {
    var window = winsize()
    if ioctl(stream.rawValue, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0 {
      return Int(window.ws_col)
    }
    let columns = getenv("COLUMNS").flatMap { Int(String(cString: $0)) }
    return columns.flatMap { $0 > 0 ? $0 : nil } ?? 80
  }
}
