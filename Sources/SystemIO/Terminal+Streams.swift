// The process's own streams, unbuffered: what was written is out, in order, also when the process is killed next.

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension Terminal {
  /// Prepares the standard streams, once, before anything is opened: a reader that goes away is an error of the write and
  /// no signal, and a stream that is closed gets a stand-in that refuses every byte, so that no file takes its number.
  package static func prepareStreams() {
    signal(SIGPIPE, SIG_IGN)
    for stream: Int32 in 0...2 where fcntl(stream, F_GETFD) < 0 {
      // The lowest free number is taken, which is this one.
      _ = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Writes all of the text; returns the error that cut it short.
  @discardableResult
  package static func write(_ text: String, to stream: Stream) -> SystemError? {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { systemWrite(stream.rawValue, $0) }
      if count < 0, errno == EAGAIN {
        // A process that shares the stream has made it non-blocking.
        var entry = pollfd(fd: stream.rawValue, events: Int16(POLLOUT), revents: 0)
        poll(&entry, 1, -1)
        continue
      }
      guard count >= 0 else { return .last("write", FilePath(stream.name)) }
      rest = rest.dropFirst(count)
    }
    return nil
  }

  /// Closes the stream, to which nothing is written any more; returns the error that an earlier write turns out to have had.
  package static func close(_ stream: Stream) -> SystemError? {
    closeDescriptor(stream.rawValue) == 0 ? nil : .last("close", FilePath(stream.name))
  }

  /// Reads standard input to its end, or until there are `limit` bytes.
  package static func readInput(atMost limit: Int = .max) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < limit {
      let count = piece.withUnsafeMutableBytes { systemRead(STDIN_FILENO, $0) }
      guard count >= 0 else { throw .last("read") }
      if count == 0 { break }
      bytes.append(contentsOf: piece[..<count])
    }
    return Array(bytes.prefix(limit))
  }
}

/// The C function: inside `Terminal` its name means the method.
private func closeDescriptor(_ descriptor: Int32) -> Int32 { close(descriptor) }
