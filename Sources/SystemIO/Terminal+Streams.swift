// The process's own streams, unbuffered: what was written is out, in order, also when the process is killed next.

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension Terminal {
  /// Writes all of the text; a reader that went away is not an error of the writer.
  package static func write(_ text: String, to stream: Stream) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { systemWrite(stream.rawValue, $0) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// All of standard input.
  package static func readInput() throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = piece.withUnsafeMutableBytes { systemRead(STDIN_FILENO, $0) }
      guard count >= 0 else { throw .last("read") }
      if count == 0 { return bytes }
      bytes.append(contentsOf: piece[..<count])
    }
  }
}
