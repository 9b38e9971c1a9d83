// The standard streams of a child: three streams, served by the thread that waits for the child, all at once, so that
// neither side waits for the other for ever.
import CPlatform

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The ends of a child's standard streams. Used by one thread.
struct ChildStreams: ~Copyable {
  /// The standard input of the child: a socket, because writing to a dead child must be an error and never a signal.
  private var input: (own: Int32, child: Int32) = (-1, -1)
  private var output: (own: Int32, child: Int32) = (-1, -1)
  private var errors: (own: Int32, child: Int32) = (-1, -1)

  init() throws(SystemError) {
    do throws(SystemError) {
      input = try Self.open("socketpair", cplatform_socket_pair)
      output = try Self.open("pipe", cplatform_pipe)
      errors = try Self.open("pipe", cplatform_pipe)
    } catch {
      closeAll()
      throw error
    }
    _ = fcntl(input.own, F_SETFL, O_NONBLOCK)
    #if !canImport(Glibc)
      var on: Int32 = 1
      setsockopt(input.own, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
    #endif
  }

  deinit { closeAll() }

  private static func open(
    _ call: String, _ make: (UnsafeMutablePointer<Int32>?) -> Int32
  ) throws(SystemError) -> (own: Int32, child: Int32) {
    var ends: [Int32] = [-1, -1]
    let code = make(&ends)
    guard code == 0 else { throw SystemError(code: code, call: call) }
    return (ends[0], ends[1])
  }

  private borrowing func closeAll() {
    for end in [input.own, input.child, output.own, output.child, errors.own, errors.child]
    where end >= 0 {
      close(end)
    }
  }

  /// Makes the child's ends its standard streams.
  borrowing func addActions(_ actions: inout posix_spawn_file_actions_t) {
    posix_spawn_file_actions_adddup2(&actions, input.child, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output.child, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, errors.child, STDERR_FILENO)
  }

  /// Closes the child's ends in this process, so that the end of the child's streams can be seen.
  mutating func closeChildEnds() {
    close(input.child)
    close(output.child)
    close(errors.child)
    (input.child, output.child, errors.child) = (-1, -1, -1)
  }

  /// Sends the input and passes on what the child writes, until it has closed both streams, or the request to stop comes
  /// first: then false. Throws where the child exceeds its limit.
  mutating func serve(
    _ bytes: [UInt8], _ cancellation: Cancellation?, _ bound: ChildBound?,
    onOutput: ([UInt8]) -> Void,
    onErrors: ([UInt8]) -> Void
  ) throws(SystemError) -> Bool {
    var rest = bytes[...]
    var received = 0
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      if rest.isEmpty { Self.end(&input.own) }
      guard output.own >= 0 || errors.own >= 0 else { return true }
      // An entry with a negative descriptor is passed over.
      var entries = [
        pollfd(fd: output.own, events: Int16(POLLIN), revents: 0),
        pollfd(fd: errors.own, events: Int16(POLLIN), revents: 0),
        pollfd(fd: input.own, events: Int16(POLLOUT), revents: 0),
        pollfd(fd: cancellation?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
      ]
      if bound?.hasPassed == true { throw ChildBound.timeout }
      if poll(&entries, nfds_t(entries.count), bound?.milliseconds ?? -1) < 0 {
        if errno == EINTR { continue }
        throw .last("poll")
      }
      if entries[3].revents != 0 { return false }
      if entries[0].revents != 0 { received += try Self.pass(&output.own, &piece, onOutput) }
      if entries[1].revents != 0 { received += try Self.pass(&errors.own, &piece, onErrors) }
      if let bound, received > bound.outputBytes { throw ChildBound.excess }
      if entries[2].revents != 0 { rest = rest.dropFirst(Self.send(rest, input.own)) }
    }
  }

  private static func end(_ descriptor: inout Int32) {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }

  private static func pass(
    _ descriptor: inout Int32, _ piece: inout [UInt8], _ to: ([UInt8]) -> Void
  ) throws(SystemError) -> Int {
    let from = descriptor
    let count = piece.withUnsafeMutableBytes { systemRead(from, $0) }
    guard count >= 0 else { throw .last("read") }
    if count == 0 { end(&descriptor) } else { to(Array(piece[..<count])) }
    return count
  }

  /// Sends bytes to the child and returns how many are done: all, if the child reads no more.
  private static func send(_ bytes: ArraySlice<UInt8>, _ socket: Int32) -> Int {
    #if canImport(Glibc)
      let flags = Int32(MSG_NOSIGNAL)
    #else
      let flags: Int32 = 0
    #endif
    let sent = bytes.withUnsafeBytes { sendBytes(socket, $0.baseAddress, $0.count, flags) }
    if sent >= 0 { return sent }
    return errno == EINTR || errno == EAGAIN ? 0 : bytes.count
  }
}

/// The C function: inside the type its name means the method.
private func sendBytes(
  _ socket: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32
) -> Int {
  send(socket, bytes, count, flags)
}
