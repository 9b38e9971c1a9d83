// Rows loaded in key order in one durable transaction: how fast, and how large the files are then and once closed.

struct LoadPart {
  let bench: Bench

  func run() throws -> String {
    for _ in 0..<bench.pairs {
      let engines = try bench.engines()
      for engine in bench.shuffled(engines) {
        let seconds = try bench.seconds { try bench.load(engine) }
        bench.table.add("bulk load, rows / s", engine.name, Double(bench.rows) / seconds.wall)
        bench.table.add(
          "bulk load: processor ns a row", engine.name,
          seconds.processor / Double(bench.rows) * 1e9, isCost: true)
      }
      for engine in engines {
        if let native = engine as? NativeBench {
          let account = native.account
          bench.table.add(
            "live + overhead, bytes", engine.name, Double(account.live + account.overhead),
            isCost: true)
        }
        bench.table.add(
          "file after load, bytes", engine.name, bench.fileBytes(engine), isCost: true)
        try engine.close()
        bench.table.add(
          "file once closed, bytes", engine.name, bench.fileBytes(engine), isCost: true)
      }
    }
    return bench.table.markdown
  }
}
