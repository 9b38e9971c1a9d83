// A policy as a program: compacts where half of a file of at least 1 MB is free. Reads one line of JSON, prints one line.
// swiftc -O HalfFree.swift -o half-free
import Foundation

struct Observation: Decodable {
  var totalBytes: Int
  var usedBytes: Int?
}

let line = readLine() ?? ""
let seen = try JSONDecoder().decode(Observation.self, from: Data(line.utf8))
if let used = seen.usedBytes {
  let isDue = seen.totalBytes >= 1_000_000 && used * 2 < seen.totalBytes
  print("\(isDue ? "yes" : "no"): \(used) of \(seen.totalBytes) bytes are used")
} else {
  print("no: the engine does not report usedBytes")
}
