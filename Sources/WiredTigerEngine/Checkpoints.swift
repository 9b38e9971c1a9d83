// The checkpoints of a file, as its metadata lists them.

/// The checkpoints that have a name of their own. WiredTiger's have names that begin with its own.
struct Checkpoints {
  let names: [String]

  /// Reads `…,checkpoint=(WiredTigerCheckpoint.7=(addr="018…",order=7,…),before=(…)),…`.
  init(metadata: String) {
    guard let start = metadata.firstRange(of: "checkpoint=(") else {
      names = []
      return
    }
    var names: [String] = []
    var depth = 0
    var name = ""
    for character in metadata[start.upperBound...] {
      switch character {
      case "(":
        depth += 1
      case ")":
        if depth == 0 {
          self.names = names
          return
        }
        depth -= 1
      case "=" where depth == 0:
        if !name.hasPrefix("WiredTigerCheckpoint") { names.append(name) }
        name = ""
      case _ where depth == 0 && character != "," && character != "\"":
        name.append(character)
      default: break
      }
    }
    self.names = names
  }
}
