// Reading: random points with one reader and with two, and all rows in order. Every byte of every value is touched.
import Dispatch

struct ReadsPart {
  let bench: Bench
  let state: FileState
  let reads: Int

  func run() throws -> String {
    let engines = try bench.engines()
    for engine in engines {
      try bench.load(engine)
      if state == .churned { try bench.churn(engine, times: 10, seed: 7) }
      try engine.setMode(.durable)
      // Once through: blocks are verified and the page cache is warm.
      _ = try engine.scan()
    }
    let loop = UnsharedLoop(rows: bench.rows, value: bench.value.count)
    for _ in 0..<bench.pairs {
      let keys = bench.random.keys(reads, below: bench.rows)
      for engine in bench.shuffled(engines) {
        let one = try bench.seconds { _ = try engine.read(keys) }
        bench.table.add("point reads / s", engine.name, Double(reads) / one.wall)
        bench.table.add(
          "point reads: processor ns each", engine.name, one.processor / Double(reads) * 1e9,
          isCost: true)
        let all = try bench.seconds { _ = try engine.scan() }
        bench.table.add(
          "rows scanned in order / s", engine.name, Double(bench.rows) / all.wall)
        bench.table.add(
          "rows scanned in order: processor ns each", engine.name,
          all.processor / Double(bench.rows) * 1e9, isCost: true)
        guard engine.readsInParallel else { continue }
        let two = try bench.seconds { try inParallel(engine, keys) }.wall
        bench.table.add("point reads / s, two readers", engine.name, Double(2 * reads) / two)
        bench.table.add("two readers / one", engine.name, 2 * one.wall / two)
        bench.table.add(
          "the same ÷ that of a loop that shares nothing", engine.name,
          2 * one.wall / two / (try loop.scaling(bench, keys)))
      }
    }
    for engine in engines { try engine.close() }
    return bench.table.markdown
  }

  private func inParallel(_ engine: any BenchEngine, _ keys: [Int64]) throws {
    nonisolated(unsafe) let engine = engine
    DispatchQueue.concurrentPerform(iterations: 2) { reader in
      let mine = reader == 0 ? keys : keys.reversed()
      guard (try? engine.read(mine)) != nil else { preconditionFailure("A reader failed.") }
    }
  }
}
