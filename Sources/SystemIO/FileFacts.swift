// The identity and the sizes of a file, without its times. A call of stat(2) returns the times too and so makes the next
// durable commit slower (`cplatform_file_facts` has the reason): beside engines that write, files are looked at here.
import CPlatform

/// The identity and the sizes of a file.
struct FileFacts {
  let device: UInt64
  let node: UInt64
  let size: FileSize
  let isFolder: Bool

  init(of path: FilePath) throws(SystemError) {
    var facts = cplatform_file_facts()
    let code = cplatform_file_facts(-1, path.string, &facts)
    guard code == 0 else { throw SystemError(code: code, call: "stat", path: path.string) }
    self.init(facts)
  }

  init(ofOpen descriptor: Int32, _ path: FilePath) throws(SystemError) {
    var facts = cplatform_file_facts()
    let code = cplatform_file_facts(descriptor, nil, &facts)
    guard code == 0 else { throw SystemError(code: code, call: "fstat", path: path.string) }
    self.init(facts)
  }

  private init(_ facts: cplatform_file_facts) {
    (device, node) = (facts.device, facts.node)
    size = FileSize(bytes: Int(facts.size), allocatedBytes: Int(facts.allocated))
    isFolder = facts.is_folder
  }
}
