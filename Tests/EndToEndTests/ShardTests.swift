// Runs in shards: their merged report is that of one run in every exact figure, and what is wrong with a shard is named.
import Foundation
import RecordModel
import RunJournal
import SystemIO
import TestSupport
import Testing

@Suite("Shards of runs", .timeLimit(.minutes(HangGuard.minutes)))
struct ShardTests {
  private func withSmall<R>(_ body: (FilePath) async throws -> R) async throws -> R {
    try await BuiltCommand.withFolder { folder in
      try FileSystem.write(text: RunTests.small, to: folder.appending("small.yml"))
      return try await body(folder)
    }
  }

  /// Runs the script, and expects its exit code.
  @discardableResult
  private func script(
    _ text: String, in folder: FilePath, code: Int32 = 0,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> ChildProcess.Outcome {
    let outcome = try await BuiltCommand.script(text, in: folder)
    #expect(
      outcome.ending == .exited(code), "\(outcome.errorText)", sourceLocation: sourceLocation)
    return outcome
  }

  static func record(_ folder: FilePath) throws -> RunRecord {
    try RunRecord(json: Data(try FileSystem.read(folder.appending("record.json"))))
  }

  /// Everything of the cells that must not depend on the machine.
  static func exactCells(_ folder: FilePath) throws -> [String] {
    try record(folder).cells.map { cell in
      "\(cell.key) \(cell.status) "
        + cell.repetitions.map {
          "\($0.index) \($0.exact) \($0.events) \($0.phases) \($0.pins) \($0.refusals ?? [])"
        }.joined(separator: "\n")
    }
  }

  private func expectSame(_ names: [String], _ first: FilePath, _ second: FilePath) throws {
    for name in names {
      let (one, other) = (first.appending(name), second.appending(name))
      #expect(try FileSystem.read(one) == FileSystem.read(other), "\(name)")
    }
  }

  @Test("seven shards, with different numbers of cells at a time, give the bytes of one run")
  func run() async throws {
    try await withSmall { folder in
      try await script(
        """
        run='"$lab" run small.yml --schedule stepped --repetitions 2 --record-interleavings'
        eval "$run -q --output whole" || exit
        for i in 7 3 1 2 6 4 5; do
          eval "$run --output parts --jobs $((i % 3 + 1)) --shard $i/7" || exit
        done
        mv parts/small/shard-3-of-7 elsewhere
        "$lab" merge parts elsewhere -q --output merged
        """, in: folder)
      let (whole, merged) = (folder.appending("whole/small"), folder.appending("merged/small"))
      #expect(try FileSystem.list(whole) == FileSystem.list(merged))
      try expectSame(["samples.csv", "events.csv", "curves.csv"], whole, merged)
      let orders = try FileSystem.list(whole.appending("interleavings"))
      #expect(orders.count == 12)
      try expectSame(orders.map { "interleavings/\($0)" }, whole, merged)
      #expect(try Self.exactCells(whole) == Self.exactCells(merged))
      let (one, many) = try (Self.record(whole).provenance, Self.record(merged).provenance)
      #expect(one.plan == many.plan && one.shards == nil)
      #expect(many.shards?.map(\.shard.description) == (1...7).map { "\($0)/7" })
      #expect(!many.command.contains("--shard"))
      let report = try FileSystem.readText(merged.appending("report.md"))
      #expect(report.contains("| machine of shards 1, 2, 3, 4, 5, 6, 7 of 7 | "))
    }
  }

  @Test(
    "with both schedules each block on threads is of one shard, and stepped figures are those of one run"
  )
  func both() async throws {
    try await withSmall { folder in
      try await script(
        """
        run='"$lab" run small.yml --engine native --engine null --repetitions 4 --certify'
        eval "$run -q --output whole" || exit
        for i in 1 2 3; do eval "$run -q --output parts --shard $i/3" || exit; done
        "$lab" merge parts --output parts -q
        """, in: folder)
      let (whole, merged) = (folder.appending("whole/small"), folder.appending("parts/small"))
      #expect(try Self.exactCells(whole) == Self.exactCells(merged))
      let record = try Self.record(merged)
      let blocks = record.provenance.shards?.map(\.blocks) ?? []
      #expect(blocks.joined().sorted() == [2, 3, 4, 5] && blocks.allSatisfy { $0.count < 4 })
      for cell in record.cells where cell.status == .measured {
        #expect(cell.threadedRepetitions?.map(\.index) == [2, 3, 4, 5])
        #expect(cell.controls?.map(\.repetition).sorted() == [2, 3, 4, 5])
      }
    }
  }

  @Test("a sweep in five shards has the sweep.csv of one sweep")
  func sweep() async throws {
    try await withSmall { folder in
      try await script(
        """
        sweep() { "$lab" sweep small.yml --vary 'data.Item.rows=500..2000 lin 3' --vary 'seed=3,4' \
          --engine native --engine null -q --output "$@"; }
        sweep whole || exit
        for i in 5 4 3 2 1; do sweep parts --shard $i/5 || exit; done
        "$lab" merge parts --output merged
        """, in: folder)
      let (whole, merged) = (
        folder.appending("whole/small-sweep"), folder.appending("merged/small-sweep")
      )
      try expectSame(["sweep.csv"], whole, merged)
      #expect(try FileSystem.list(whole) == FileSystem.list(merged))
      for name in try FileSystem.list(whole.appending("plots")) {
        try expectSame(["plots/\(name)"], whole, merged)
      }
      let page = try FileSystem.readText(merged.appending("sweep.md"))
      #expect(page.contains("| machine of shards 1, 2, 3, 4, 5 of 5 | "), "\(page)")
    }
  }

  @Test("cells that run twice are compared by merge as by one run")
  func twice() async throws {
    try await withSmall { folder in
      let outcome = try await script(
        """
        run='"$lab" run small.yml --engine native --engine null --schedule stepped --twice'
        eval "$run --output whole" 2> /dev/null | grep twice: > whole.txt || exit
        for i in 1 2; do eval "$run -q --output parts --shard $i/2" || exit; done
        "$lab" merge parts --output merged | grep twice: > merged.txt || exit
        cmp whole.txt merged.txt
        """, in: folder)
      #expect(outcome.ending == .exited(0), "\(outcome.outputText)")
      #expect(
        try Self.exactCells(folder.appending("whole/small"))
          == Self.exactCells(folder.appending("merged/small")))
    }
  }

  @Test("a replay and an agreement in two shards give the tables of one")
  func others() async throws {
    try await withSmall { folder in
      try await script(
        """
        "$lab" record small.yml small.trace --output record > /dev/null || exit
        replay() { "$lab" replay small.trace --engine native --engine lmdb -q --output "$@"; }
        replay whole && replay parts --shard 1/2 && replay parts --shard 2/2 || exit
        "$lab" merge parts --output merged || exit
        agree() { "$lab" agreement small.yml --engine native --reference native-objects -q --output "$@"; }
        agree whole-pages; code=$?
        agree part-pages --shard 1/2 && agree part-pages --shard 2/2 || exit
        "$lab" merge part-pages --output pages; [ $? = $code ]
        """, in: folder)
      let name = "small-replayed"
      try expectSame(
        ["samples.csv", "events.csv"], folder.appending("whole").appending(name),
        folder.appending("merged").appending(name))
      // Its rows have the time at which the run was begun.
      func table(_ folder: FilePath) throws -> String {
        try FileSystem.readText(folder.appending("agreement.csv"))
          .replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/, with: "")
      }
      let whole = try table(folder.appending("whole-pages"))
      #expect(whole.contains("native-objects"))
      #expect(try table(folder.appending("pages")) == whole)
    }
  }

  @Test(
    "shards without anything to do end with success, and are merged; a finished shard is not run again"
  )
  func empty() async throws {
    try await withSmall { folder in
      let outcome = try await script(
        """
        part() { "$lab" run small.yml --engine null --policy never --schedule stepped --repetitions 1 -q \
          --output parts --shard $1; }
        for i in 1 2 3 4; do part $i/4 || exit; done
        part 2/4 || exit
        "$lab" merge parts --output merged
        """, in: folder)
      #expect(
        outcome.errorText.contains("parts/small/shard-2-of-4: finished already, and not run again"))
      #expect(outcome.outputText.components(separatedBy: "with 0 runs").count == 3)
      let cells = try Self.record(folder.appending("merged/small")).cells
      #expect(cells.map(\.repetitions.count) == [1])
    }
  }

  @Test("a shard that is killed goes on where it was, and loses nothing")
  func killed() async throws {
    try await withSmall { folder in
      let outcome = try await script(
        """
        run='"$lab" run small.yml --schedule stepped --repetitions 40 -q'
        eval "$run --output whole" || exit
        eval "exec $run --output parts --shard 1/2" & run1=$!
        await $run1 '[ $(wc -l < parts/small/shard-1-of-2/run.journal) -gt 3 ]'
        kill -KILL $run1; wait $run1
        "$lab" merge parts --output merged; [ $? = 2 ] || exit 9
        for i in 1 2; do eval "$run --output parts --shard $i/2" || exit; done
        "$lab" merge parts --output merged
        """, in: folder)
      #expect(outcome.errorText.contains("shard 2/2 is missing; run: compaction-lab run small.yml"))
      #expect(outcome.errorText.contains("shard 1/2 has not ended"), "\(outcome.errorText)")
      #expect(outcome.errorText.contains("resumes the run"), "\(outcome.errorText)")
      try expectSame(
        ["samples.csv", "events.csv", "curves.csv"], folder.appending("whole/small"),
        folder.appending("merged/small"))
    }
  }

  @Test(
    "a lost, doubled, truncated, changed or foreign shard is named, with exit code 2 and no report")
  func refused() async throws {
    try await withSmall { folder in
      try await script(
        """
        part() { "$lab" run small.yml --engine native --schedule stepped --repetitions 1 -q "$@"; }
        for i in 1 2 3; do part --output parts --shard $i/3 || exit; done
        part --output other --seed 9 --shard 2/3 && part --output four --shard 4/4 || exit
        """, in: folder)
      let second = "bad/small/shard-2-of-3"
      let faults: [(String, [String])] = [
        ("rm -r \(second)", ["shard 2/3 is missing; run: compaction-lab run small.yml"]),
        ("cp -r \(second) bad/again", ["shard 2/3 is there 2 times", "bad/again/run.journal"]),
        ("sed -i '$d' \(second)/run.journal", ["\(second)/run.journal: shard 2/3 has not ended"]),
        (
          "truncate -s -9 \(second)/run.journal",
          ["\(second)/run.journal:", "this line was changed or truncated"]
        ),
        (
          "sed -i '2s/\"highWater\":./\"highWater\":9/' bad/small/*/run.journal",
          ["/run.journal:2: this line was changed or truncated"]
        ),
        (
          "rm -r \(second); cp -r other/small/shard-2-of-3 bad/small",
          ["\(second)/run.journal: shard 2/3 is of another plan", "seed (3 there, 9 here)"]
        ),
        ("cp -r four/small/* bad/small", ["shard 4/4 is not one of 3"]),
        ("rm -r bad/*", ["contains no run.journal"]),
      ]
      for (fault, messages) in faults {
        let outcome = try await script(
          "rm -rf bad; cp -r parts bad; \(fault); \"$lab\" merge bad --output merged", in: folder,
          code: 2)
        for message in messages {
          #expect(outcome.errorText.contains(message), "\(fault): \(outcome.errorText)")
        }
        #expect(!FileSystem.exists(folder.appending("merged")), "\(fault)")
      }
      try await script("\"$lab\" merge parts --output merged", in: folder)
    }
  }

  @Test(
    "cells that fail in shards are failed cells of the record; the same commands run them again")
  func failed() async throws {
    try await withSmall { folder in
      let outcome = try await script(
        """
        run() { "$lab" run small.yml --schedule stepped --repetitions 1 --engine native --engine null -q "$@"; }
        for i in 1 2; do (ulimit -f 600; run --output parts --shard $i/2); [ $? = 2 ] || exit 9; done
        "$lab" merge parts --output failed; [ $? = 2 ] || exit 8
        run --output whole || exit
        for i in 1 2; do run --output parts --shard $i/2 || exit; done
        "$lab" merge parts --output merged
        """, in: folder)
      let failed = try Self.record(folder.appending("failed/small")).cells.filter {
        if case .failed = $0.status { true } else { false }
      }
      #expect(failed.map(\.key.engine) == ["native", "native"])
      #expect(outcome.errorText.contains("resumes the run"), "\(outcome.errorText)")
      let (whole, merged) = (folder.appending("whole/small"), folder.appending("merged/small"))
      #expect(try Self.exactCells(whole) == Self.exactCells(merged))
    }
  }

  @Test(
    "texts that are no shard are wrong usage, with a shard as example",
    arguments: ["0/3", "4/3", "1/0", "x"])
  func usage(_ text: String) async throws {
    for command in [
      ["run", "x.yml"], ["replay", "x"], ["sweep", "x.yml", "--vary", "seed=1,2"],
      ["agreement", "x.yml"],
    ] {
      let outcome = try await BuiltCommand.run(command + ["--shard", text])
      #expect(outcome.code == 64)
      #expect(
        outcome.errors.contains("--shard \(text) is no shard") && outcome.errors.contains("3/7"))
    }
  }
}
