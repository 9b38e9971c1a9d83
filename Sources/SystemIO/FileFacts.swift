// What is known of a file without its times. Whoever asks the kernel for a file's times makes the next write to it slower,
// see `cplatform_file_facts`: so sizes and identities are taken here while engines write.
import CPlatform

/// The identity and the sizes of a file.
struct FileFacts {
  let device: UInt64
  let node: UInt64
  let size: FileSize

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
  }
}
