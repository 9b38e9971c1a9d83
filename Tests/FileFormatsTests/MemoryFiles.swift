// Files in memory: damage is done to a copy in no time, and a file can change between two reads.
import FileFormats
import SystemIO

final class MemorySource: ByteSource {
  var bytes: [UInt8]
  /// Called before each read, with the number of reads so far.
  var beforeRead: ((MemorySource, Int) -> Void)?
  private(set) var readCount = 0
  private(set) var readBytes = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var size: Int { bytes.count }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
    beforeRead?(self, readCount)
    readCount += 1
    guard offset < bytes.count else { return 0 }
    let count = min(buffer.count, bytes.count - offset)
    bytes.withUnsafeBytes { raw in
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: raw[offset..<offset + count]))
    }
    readBytes += count
    return count
  }
}

extension SourceFamily {
  /// A database file in memory, with files beside it by their suffix.
  init(memory main: MemorySource, _ sides: [String: MemorySource] = [:]) {
    self.init(main: main) { name in
      switch name {
      case .suffix(let suffix): sides[suffix]
      case .sibling: nil
      }
    }
  }
}
