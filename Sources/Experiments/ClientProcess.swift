// A client of a cell in a process of its own: the same executable, called with `client`. The first line that it reads is
// the job as JSON; what follows are requests, each answered with a line.
package import EngineInterface
import SystemIO
package import WorkloadRunner

import struct Foundation.Data
import class Foundation.JSONDecoder
import class Foundation.JSONEncoder

package enum ClientProcess {
  /// The command of the executable.
  package static let command = "client"

  static func program(_ executable: FilePath) -> OtherProgram {
    OtherProgram(executable, arguments: [command]) { job in
      String(decoding: try JSONEncoder().encode(job), as: UTF8.self)
    }
  }

  /// The client's side: who answers, by the job that the first line holds.
  package static func server(
    _ line: String, engine: (String) throws -> any Engine
  ) throws -> ProcessServer {
    try ProcessServer(
      try JSONDecoder().decode(ProcessJob.self, from: Data(line.utf8)), engine: engine)
  }
}
