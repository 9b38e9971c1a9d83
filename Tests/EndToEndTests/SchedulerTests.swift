// The commands of Docs/Schedulers.md, as they stand there, with the schedulers themselves.
import Foundation
import SystemIO
import TestSupport
import Testing

@Suite("Schedulers", .timeLimit(.minutes(HangGuard.minutes)))
struct SchedulerTests {
  private static let page = "Docs/Schedulers.md"

  private static let scenario = """
    scenario: my-app
    question: Does a run that a scheduler cuts into shards lose anything?
    data:
      Item: { rows: 5_000, value: { size: 200 B } }
    clients:
      writer: { kind: writer, transaction: { update: 10 } }
    phases:
      - work: { commits: 300, run: [writer] }
      - trim: { delete: 30 %, launches: 3 }
    launches: 3
    engines: [native, lmdb, sqlite]
    policies:
      - never
      - every-launch
      - on-launch: totalBytes > 1 MB && usedBytes / totalBytes < 50 %
    sample: { every: 50 commits }

    """

  /// A folder with the scenario and, as `whole`, the report of one run; PATH has the command in `bash`.
  private func withApp<R>(_ body: (FilePath) async throws -> R) async throws -> R {
    try await BuiltCommand.withFolder { folder in
      try FileSystem.write(text: Self.scenario, to: folder.appending("my-app.yml"))
      try await bash(
        """
        mkdir bin && ln -s "$lab" bin/compaction-lab
        compaction-lab run my-app.yml --schedule stepped --output whole --quiet
        """, in: folder)
      return try await body(folder)
    }
  }

  @discardableResult
  private func bash(
    _ text: String, in folder: FilePath, environment: [String: String?] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> ChildProcess.Outcome {
    let outcome = try await BuiltCommand.script(
      "set -e; PATH=\(folder.string)/bin:$PATH; \(text)", in: folder, environment: environment)
    try #require(
      outcome.ending.isSuccess, "\(outcome.outputText)\(outcome.errorText)",
      sourceLocation: sourceLocation)
    return outcome
  }

  private func expectWhole(
    _ merged: String, in folder: FilePath, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let (one, other) = (folder.appending("whole/my-app"), folder.pushing(FilePath(merged)))
    for name in ["samples.csv", "events.csv", "curves.csv"] {
      let (first, second) = (
        try FileSystem.read(one.appending(name)), try FileSystem.read(other.appending(name))
      )
      #expect(first == second, "\(name)", sourceLocation: sourceLocation)
    }
    #expect(
      try ShardTests.exactCells(one) == ShardTests.exactCells(other),
      sourceLocation: sourceLocation)
  }

  @Test(
    "GNU parallel runs the shards, and again those that failed and no others",
    .enabled("GNU parallel is installed") { ChildProcess.findExecutable("parallel") != nil })
  func parallel() async throws {
    try await withApp { folder in
      let script = try #require(
        try DocumentedExample.blocks(of: "sh", under: "GNU parallel", in: Self.page).first)
      // The third shard fails, as its machine may: its folder's name is that of a file.
      let cut = try await BuiltCommand.script(
        """
        PATH=$PWD/bin:$PATH; mkdir -p Reports/my-app; touch Reports/my-app/shard-3-of-7
        \(script)
        """, in: folder)
      #expect(cut.ending == .exited(2), "\(cut.errorText)")
      #expect(cut.errorText.contains("shard 3"), "\(cut.errorText)")
      let again = try await bash("rm Reports/my-app/shard-3-of-7; \(script)", in: folder)
      #expect(!again.outputText.contains("shard 2/7"), "\(again.outputText)")
      #expect(again.outputText.contains("shard 3/7 has ended"), "\(again.outputText)")
      try expectWhole("Reports/my-app", in: folder)
    }
  }

  @Test(
    "a Slurm array's report is that of one run, and a task that was requeued in the middle goes on",
    .enabled("\(SlurmCluster.problem ?? "Slurm runs here")") { SlurmCluster.problem == nil })
  func slurm() async throws {
    try await withApp { folder in
      let array = try #require(
        try DocumentedExample.blocks(of: "bash", under: "Slurm", in: Self.page).first)
      try FileSystem.write(text: array, to: folder.appending("shards.sbatch"))
      let submission = try #require(
        try DocumentedExample.blocks(of: "sh", under: "Slurm", in: Self.page).first)
      let lines = submission.split(separator: "\n", maxSplits: 1).map(String.init)
      try await SlurmCluster.with { cluster in
        // Between the page's two commands: the first task is taken back when its journal has a result.
        _ = try await bash(
          """
          \(lines[0])
          until [ "$(cat Reports/my-app/shard-1-of-7/run.journal 2> /dev/null | wc -l)" -ge 2 ]; do
            squeue --noheader --jobs "$shards" | grep -q . || exit 9
          done
          scontrol requeue "${shards}_1"
          \(lines[1])
          """, in: folder, environment: cluster.environment)
      }
      let log = try FileSystem.readText(folder.appending("shard-1.log"))
      #expect(log.contains("DUE TO JOB REQUEUE"), "\(log)")
      #expect(log.contains("resumes the run that was begun at"), "\(log)")
      #expect(!log.contains("failed"), "\(log)")
      try expectWhole("Reports/my-app", in: folder)
    }
  }

  @Test(
    "the steps of a GitHub Actions matrix, run in folders of their own, give the report of one run")
  func matrix() async throws {
    try await withApp { folder in
      let workflow = try #require(
        try DocumentedExample.blocks(of: "yaml", under: "GitHub Actions", in: Self.page).first)
      let commands = workflow.split(separator: "\n").compactMap { line in
        line.firstRange(of: "- run: ").map { String(line[$0.upperBound...]) }
      }
      let shards = try #require(
        workflow.split(separator: "\n").first { $0.contains("shard: [") }?
          .split { !$0.isNumber }.map(String.init))
      try #require(commands.count == 2 && shards.count == 7)
      for shard in shards {
        let step = commands[0].replacing("${{ matrix.shard }}", with: shard)
          .replacing("${{ strategy.job-total }}", with: "\(shards.count)")
        #expect(!step.contains("${{"))
        // Each job has a machine of its own; the artifact is what the action would store.
        try await bash(
          """
          mkdir -p job artifacts; cp my-app.yml job; (cd job && \(step))
          mv job/Reports artifacts/shard-\(shard); rm -r job
          """, in: folder)
      }
      try await bash(
        "mkdir report; mv artifacts report/shards; cd report; \(commands[1])", in: folder)
      try expectWhole("report/Reports/my-app", in: folder)
    }
  }
}
