// `--shard I/N`: one part of a plan, for a scheduler that runs the others elsewhere.
import ArgumentParser
import Experiments
import MetricModel
import PredicateLanguage
import RecordModel
import SystemIO

struct ShardOption: ParsableArguments {
  @Option(
    name: .customLong("shard"),
    help: ArgumentHelp(
      """
      Runs part I of N of the cells, the same part on every machine, and writes no report: its journal is in the subfolder \
      shard-I-of-N, and `compaction-lab merge` makes the report of all parts.
      """, valueName: "i/n"))
  var text: String?

  var shard: Shard? { text.flatMap { Shard(parsing: $0) } }

  func validate() throws {
    guard let text, shard == nil else { return }
    throw ValidationError(
      "--shard \(abbreviated(text)) is no shard: write its number and the number of all, as in 3/7; the first is 1, and all "
        + "are at most \(grouped(Shard.maxCount))")
  }
}

extension OutputFolder {
  /// Checks the folder of a run, or of a shard of it: each has a folder of its own, so that all may have one `--output`.
  init(below output: String, _ names: [String], _ shard: Shard?) throws(OutputError) {
    try self.init(below: FilePath(output), names + (shard.map { [$0.folderName] } ?? []))
  }
}
