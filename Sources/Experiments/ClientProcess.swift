// A client of a cell in a process of its own: the same executable, called with `client`. The first line of its input is
// the job as JSON; each further line is a request, to which it responds with one line.
package import EngineInterface
import SystemIO
package import WorkloadRunner

import struct Foundation.Data
import class Foundation.JSONDecoder
import class Foundation.JSONEncoder

package enum ClientProcess {
  /// The name of the executable's command.
  package static let command = "client"

  static func program(_ executable: FilePath) -> OtherProgram {
    OtherProgram(executable, arguments: [command]) { job in
      String(decoding: try JSONEncoder().encode(job), as: UTF8.self)
    }
  }

  /// Returns the server of the job that the first line contains: the client's side.
  package static func server(
    _ line: String, engine: (String) throws -> any Engine
  ) throws -> ProcessServer {
    try ProcessServer(
      try JSONDecoder().decode(ProcessJob.self, from: Data(line.utf8)), engine: engine)
  }
}
