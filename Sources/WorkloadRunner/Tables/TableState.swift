// What the runner knows of a table: the keys that it holds, and where its values come from.
import EngineInterface
import Generators
import ScenarioModel
import SystemIO

/// A table of the scenario during a run. `keys` is used within write transactions only, under `lock`.
final class TableState: @unchecked Sendable {
  let index: TableIndex
  let spec: TableSpec
  let lock = ThreadMutex()
  var keys = KeySet()
  private let engine: any Engine

  init(_ index: TableIndex, _ spec: TableSpec, of engine: any Engine) {
    self.index = index
    self.spec = spec
    self.engine = engine
  }

  /// Holds the engine to the rows that the runner knows it was given.
  func expect(_ found: Bool, _ key: Int64) throws(EngineError) {
    guard !found, engine.capabilities.keepsRows else { return }
    throw EngineError(
      engine: engine.id, code: .corrupt, message: "row \(key) of table \(spec.name) is lost")
  }
}

/// Draws values for one stream of operations into a buffer of its own.
struct ValueWriter {
  private var sizes: SizeChooser
  private let source: ValueSource
  private let buffer: Buffer

  private final class Buffer {
    let bytes: UnsafeMutableRawBufferPointer
    init(_ count: Int) { bytes = .allocate(byteCount: max(count, 1), alignment: 16) }
    deinit { bytes.deallocate() }
  }

  init(_ sizes: SizeDistribution, seed: UInt64, label: String) {
    self.sizes = SizeChooser(sizes, seed: seed, label: "sizes/\(label)")
    source = ValueSource(seed: seed, label: "values/\(label)")
    buffer = Buffer(sizes.greatest)
  }

  /// The next value; valid until the one after it is drawn.
  mutating func next() -> UnsafeRawBufferPointer {
    let value = UnsafeMutableRawBufferPointer(rebasing: buffer.bytes[..<sizes.next()])
    source.fill(value)
    return UnsafeRawBufferPointer(value)
  }
}
