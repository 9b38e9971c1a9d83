// Writes recorded interleavings: one file for each repetition of each cell.
import Experiments
import RecordModel
import ScenarioModel

enum InterleavingFiles {
  static let folder = "interleavings"

  static func write(
    _ orders: [(cell: CellKey, repetition: Int, order: Interleaving)], of scenario: Scenario,
    seed: UInt64, to output: OutputFolder
  ) throws {
    for (cell, repetition, order) in orders {
      let words = [cell.engine, cell.policy, cell.arm, "\(repetition)"].map(fileNamePart)
      let text = order.text(about: [
        "scenario \(scenario.name), seed \(seed)",
        "engine \(cell.engine), policy \(cell.policy), arm \(cell.arm), repetition \(repetition)",
      ])
      try output.write(
        Array(text.utf8), to: "\(Self.folder)/\(words.joined(separator: "_")).txt")
    }
  }

  /// Returns the text as part of a file name. Where characters are replaced or cut off, eight digits of the text's digest
  /// follow, so that two different texts never give the same name.
  private static func fileNamePart(_ text: String) -> String {
    let word = String(
      text.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") ? $0 : "-" }.prefix(40))
    guard word != text else { return word }
    var digest = SampleDigest()
    digest.feed(text.utf8)
    return "\(word)-\(digest.hex.suffix(8))"
  }
}
