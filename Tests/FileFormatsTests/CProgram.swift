// Programs in C that make database files with the engines' own libraries, and print what these report of the files.
import Foundation
import SystemIO
import TestSupport

/// A line that a program prints: the file's number, a key, and values.
typealias ReportedLines = [Int: [[String]]]

enum CProgram {
  private static let folder = Repository.root.pushing("Tests/FileFormatsTests/Programs")

  /// Compiles a program into `folder` and runs it there; an error with what the compiler or the program printed.
  static func run(
    _ name: String, flags: String, in workFolder: FilePath, _ arguments: String
  ) throws -> ReportedLines {
    let source = folder.appending("\(name).c")
    let output = try ShellOutput.of(
      "cc -O1 -o ./\(name) '\(source)' \(flags) && ./\(name) . \(arguments) && echo done",
      in: URL(filePath: workFolder.string))
    guard output.hasSuffix("done\n") else { throw CProgramError(output: output) }
    var lines: ReportedLines = [:]
    for line in output.split(separator: "\n").dropLast() {
      let words = line.split(separator: " ").map(String.init)
      guard let file = Int(words[0]) else { throw CProgramError(output: String(line)) }
      lines[file, default: []].append(Array(words.dropFirst()))
    }
    return lines
  }

  static let hasCompiler: @Sendable () -> Bool = { ChildProcess.findExecutable("cc") != nil }
}

struct CProgramError: Error {
  let output: String
}

extension [[String]] {
  /// The last number that was printed for a key.
  func number(_ key: String) -> Int? {
    last { $0[0] == key && $0.count == 2 }.flatMap { Int($0[1]) }
  }

  /// The numbers of the last line for a key and a name.
  func numbers(_ key: String, _ name: String) -> [Int]? {
    last { $0[0] == key && $0.count > 2 && $0[1] == name }?.dropFirst(2).compactMap { Int($0) }
  }

  /// The names for which lines of a key were printed.
  func names(_ key: String) -> Set<String> {
    Set(filter { $0[0] == key && $0.count > 2 }.map { $0[1] })
  }
}
