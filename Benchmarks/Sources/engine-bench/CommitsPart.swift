// Commits of a few random updates, durable and not, on fresh files, after long churn, or with very many free extents.
import ArgumentParser
import BenchSupport
import CommitFloor

enum FileState: String, CaseIterable, ExpressibleByArgument {
  /// As loaded.
  case fresh
  /// After updates of ten times the rows.
  case churned
  /// After every second of 400,000 more rows was deleted: 200,000 free extents in the native file.
  case fragmented
  /// As loaded, opened anew before each turn, and not in the page cache: the first commits of an app that starts.
  case cold
}

struct CommitsPart {
  let bench: Bench
  let state: FileState
  let durable: Int
  let unsynced: Int

  func run() throws -> String {
    let engines = try bench.engines()
    for engine in engines { try prepare(engine) }
    var notes = ""
    if state == .fragmented, let native = engines.first as? NativeBench {
      notes = "\n\nFree extents of the native file: \(try native.freeExtents())."
    }
    for mode in CommitMode.allCases where state != .cold {
      let those = engines.filter { $0.modes.contains(mode) || mode == .twoSyncs }
      for engine in those where engine.modes.contains(mode) { try engine.setMode(mode) }
      for engine in those where !engine.modes.contains(mode) { try engine.setMode(.durable) }
      let count = mode == .unsynced ? unsynced : durable
      for engine in those {
        _ = try bench.commits(engine, bench.batches(count / 4 + 1, of: bench.updates))
      }
      var floors: [String: CommitFloor] = [:]
      if mode != .unsynced {
        for engine in those { floors[engine.name] = CommitFloor() }
      }
      for _ in 0..<bench.pairs { try pair(those, mode, count, floors) }
    }
    if state == .cold {
      for _ in 0..<bench.pairs {
        try pair(engines, .durable, durable, [:]) { try bench.settle($0) }
      }
    }
    for engine in engines {
      bench.table.add("file at the end, bytes", engine.name, bench.fileBytes(engine), isCost: true)
      try engine.close()
    }
    return bench.table.markdown + notes
  }

  private func prepare(_ engine: any BenchEngine) throws {
    try bench.load(engine)
    if state == .churned { try bench.churn(engine, times: 10, seed: 7) }
    if state == .fragmented {
      let first = Int64(1) << 40
      let value = [UInt8](repeating: 3, count: 600)
      try value.withUnsafeBytes { try engine.load(first..<first + 400_000, value: $0) }
      try engine.delete((0..<200_000).map { first + 2 * Int64($0) + 1 })
    }
    try bench.settle(engine)
  }

  private func pair(
    _ engines: [any BenchEngine], _ mode: CommitMode, _ count: Int, _ floors: [String: CommitFloor],
    preparing prepare: (any BenchEngine) throws -> Void = { _ in }
  ) throws {
    let name =
      switch mode {
      case .durable: "durable commits / s"
      case .twoSyncs: "durable commits / s, native with two syncs"
      case .unsynced: "commits without sync / s"
      }
    let batches = bench.batches(count, of: bench.updates)
    for engine in bench.shuffled(engines) {
      try prepare(engine)
      let sectors = sectorsWritten(onDiskOf: bench.folder)
      let handed = requestedBytes()
      let floor = floors[engine.name]
      let (seconds, calls) =
        try floor?.record { try bench.commits(engine, batches) }
        ?? (try bench.commits(engine, batches), [])
      bench.table.add(name, engine.name, Double(count) / seconds.wall)
      bench.table.add(
        name.replacing(" / s", with: "") + ": processor µs each", engine.name,
        seconds.processor / Double(count) * 1e6, isCost: true)
      let after = sectorsWritten(onDiskOf: bench.folder)
      let handedAfter = requestedBytes()
      if let floor, !calls.isEmpty {
        let pages = CommitFloor.pages(of: calls, commits: count)
        let commit = name.replacing("commits / s", with: "commit")
        bench.table.add("pages / " + commit, engine.name, pages.pages, isCost: true)
        bench.table.add("groups of pages / " + commit, engine.name, pages.groups, isCost: true)
        let least = try floor.replay(calls)
        bench.table.add(
          name.replacing(" / s", with: "") + ": time ÷ that of their writes and syncs alone",
          engine.name, seconds.wall / least, isCost: true)
        bench.table.add(
          name.replacing("commits / s", with: "writes and syncs alone / s"), engine.name,
          Double(count) / least)
      }
      guard mode == .durable else { continue }
      if let sectors, let after {
        bench.table.add(
          "bytes at the device / durable commit", engine.name,
          Double((after - sectors) * 512) / Double(count), isCost: true)
      }
      if let handed, let after = handedAfter {
        bench.table.add(
          "bytes handed to the system / durable commit", engine.name,
          Double(after - handed) / Double(count), isCost: true)
      }
    }
  }
}
