// One repetition of one cell, in the process that the `run` command starts for it. Hidden: its input is a job as JSON.
import ArgumentParser
import EngineInterface
import Experiments
import SystemIO
import WorkloadRunner

struct CellCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cell", abstract: "Runs one cell; used by the run command.", shouldDisplay: false)

  func run() throws {
    do {
      try CellProcess.serve(
        try Terminal.readInput(),
        engine: { id in
          switch EngineCatalog.named(id) {
          case .available(let engine): return engine
          case .unavailable(_, let reason): throw RunnerError("engine \(id): \(reason)")
          case nil: throw RunnerError("there is no engine \"\(id)\"")
          }
        },
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
