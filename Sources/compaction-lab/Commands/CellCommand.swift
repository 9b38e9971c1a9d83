// Runs one repetition of one cell, in a process that `run` starts. Hidden: its input is a job as JSON.
import ArgumentParser
import EngineInterface
import Engines
import Experiments
import SystemIO
import WorkloadRunner

struct CellCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cell", abstract: "Runs one cell; used by the run command.", shouldDisplay: false)

  @Flag(help: .hidden) var tryDisk = false

  /// The process that started this one; when it ends, this one ends too.
  @Option(help: .hidden) var parent: Int32?

  func run() throws {
    do {
      if let parent { ChildProcess.endWithParent(parent) }
      if tryDisk { return try CellProcess.tryDisk() }
      try CellProcess.serve(
        try Terminal.readInput(),
        engine: EngineCatalog.available,
        progress: { sample in
          let line = ProgressLine(sample).text + "\n"
          Terminal.write(line, to: .output)
          return line.utf8.count
        })
    } catch {
      Console.error("\(error)")
      throw ExitCode.couldNotRun
    }
  }
}
