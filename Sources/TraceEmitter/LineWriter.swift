// The thread that turns events into lines and writes them. It holds no reference to the emitter, so that the emitter can go.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

final class LineWriter: @unchecked Sendable {
  private let queue: EventQueue
  private let file: LineFile
  private let milliseconds: Int
  private var text = LineText()
  private var thread: pthread_t?

  /// A write of so many bytes at once.
  private static let pieceLength = 1 << 16

  /// Creates the file and writes the header.
  init(
    _ path: String, _ queue: EventQueue, _ options: TraceEmitter.Options
  ) throws(TraceEmitterError) {
    self.queue = queue
    milliseconds = max(1, options.flushMilliseconds)
    file = try LineFile(path)
    text.append(header: options, seed: TraceSecret().low)
    try flush()
  }

  /// Starts the thread.
  func start(_ path: String) {
    var thread: pthread_t?
    let address = Unmanaged.passRetained(self).toOpaque()
    #if canImport(Darwin)
      let code = pthread_create(&thread, nil, { run($0) }, address)
    #else
      var handle = pthread_t()
      let code = pthread_create(&handle, nil, { run($0!) }, address)
      thread = handle
    #endif
    guard code == 0 else {
      Unmanaged<LineWriter>.fromOpaque(address).release()
      return queue.fail(TraceEmitterError(call: "pthread_create", path: path, code: code))
    }
    self.thread = thread
  }

  /// Waits until everything is written.
  func join() {
    if let thread { pthread_join(thread, nil) }
    thread = nil
  }

  fileprivate func writeAll() {
    do throws(TraceEmitterError) {
      while let batch = queue.next(waiting: milliseconds) {
        try write(batch)
        queue.written(batch)
      }
      guard queue.error == nil else { return }
      text.appendEnd()
      try flush()
      try file.sync()
    } catch { queue.fail(error) }
  }

  private func write(_ batch: EventBatch) throws(TraceEmitterError) {
    if batch.dropped > 0 { text.append(dropped: batch.dropped) }
    for chunk in batch.chunks {
      for event in chunk.events {
        text.append(event, texts: batch.texts)
        if text.bytes.count >= Self.pieceLength { try flush() }
      }
    }
    try flush()
  }

  private func flush() throws(TraceEmitterError) {
    guard !text.bytes.isEmpty else { return }
    try file.write(text.bytes)
    text.removeAll()
  }
}

private func run(_ address: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
  Unmanaged<LineWriter>.fromOpaque(address).takeRetainedValue().writeAll()
  return nil
}
