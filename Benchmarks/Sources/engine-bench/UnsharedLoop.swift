// Readers that share nothing: the same number of random rows, each reader in memory of its own. By how much two of them are
// faster than one is what the machine allows at that moment.
import BenchSupport
import Dispatch

final class UnsharedLoop {
  private let value: Int
  private let rows: Int
  private let memories: [UnsafeMutableRawBufferPointer]

  init(rows: Int, value: Int) {
    (self.rows, self.value) = (rows, value)
    memories = (0..<2).map { reader in
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: rows * value, alignment: 64)
      for index in memory.indices {
        memory[index] = UInt8(truncatingIfNeeded: index &* 31 + reader)
      }
      return memory
    }
  }

  deinit { for memory in memories { memory.deallocate() } }

  func read(_ keys: [Int64], reader: Int) -> UInt64 {
    var total: UInt64 = 0
    for key in keys {
      let row = UnsafeRawBufferPointer(
        rebasing: memories[reader][Int(key) * value..<(Int(key) + 1) * value])
      total &+= sum(row)
    }
    return total
  }

  /// Returns how many times as fast two readers are as one.
  func scaling(_ bench: Bench, _ keys: [Int64]) throws -> Double {
    var checksum: UInt64 = 0
    let one = bench.seconds { checksum &+= read(keys, reader: 0) }.wall
    nonisolated(unsafe) let loop = self
    nonisolated(unsafe) var sums: (UInt64, UInt64) = (0, 0)
    let two = bench.seconds {
      DispatchQueue.concurrentPerform(iterations: 2) { reader in
        if reader == 0 {
          sums.0 = loop.read(keys, reader: 0)
        } else {
          sums.1 = loop.read(keys, reader: 1)
        }
      }
    }.wall
    guard sums.0 == checksum else { throw BenchError(description: "A loop read other bytes.") }
    return 2 * one / two
  }
}
