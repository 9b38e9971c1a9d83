// Some hundred commits on the storage engine and nothing beside: what a comparison of a program with itself is made of
// where many are wanted. It starts in a few milliseconds, since it takes no library but the engine's.
//
//     commit-loop COMMITS
import StorageEngine

@main
struct CommitLoop {
  static func main() throws {
    let commits = Int(CommandLine.arguments.dropFirst().first ?? "") ?? 500
    let database = try Database.open(
      path: "loop.native", options: DatabaseOptions(durability: .none))
    let value = [UInt8](repeating: 7, count: 100)
    var key: Int64 = 0
    for _ in 0..<commits {
      let transaction = try database.beginWrite()
      let table = try transaction.table("rows")
      for _ in 0..<10 {
        // A step without a common factor with the number of rows goes through all of them, far apart.
        key = (key + 617) % 1000
        try value.withUnsafeBytes { try transaction.put(table, key, $0) }
      }
      try transaction.commit()
    }
    try database.close()
  }
}
