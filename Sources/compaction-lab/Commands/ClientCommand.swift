// A second process with a cell's database open, which the cell's process starts and controls line by line. Hidden.
import ArgumentParser
import Engines
import Experiments
import SystemIO
import WorkloadRunner

struct ClientCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: ClientProcess.command,
    abstract: "Runs a client process of a cell; used by the run command.",
    shouldDisplay: false)

  func run() throws {
    ChildProcess.endWithParent()
    guard let job = readLine() else { throw ExitCode.couldNotRun }
    let server: ProcessServer
    do {
      server = try ClientProcess.server(job, engine: EngineCatalog.available)
    } catch { throw couldNotRun("\(error)") }
    // The end of the input is the end of who asks: what is open then is left as it is.
    while let line = readLine(), let answer = server.respond(to: line) {
      Terminal.write(answer + "\n", to: .output)
    }
    InteractiveProcess.exitAtOnce()
  }
}
