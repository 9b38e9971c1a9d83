// The kept orders of turns, one file for each repetition of each cell.
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
      let words = [cell.engine, cell.policy, cell.arm, "\(repetition)"].map(Self.word)
      let text = order.text(about: [
        "scenario \(scenario.name), seed \(seed)",
        "engine \(cell.engine), policy \(cell.policy), arm \(cell.arm), repetition \(repetition)",
      ])
      try output.write(
        Array(text.utf8), to: "\(Self.folder)/\(words.joined(separator: "_")).txt")
    }
  }

  /// The text as part of a file's name. Where characters had to be replaced or left out, eight digits of its digest make
  /// it differ from other texts, or one order would replace another.
  private static func word(_ text: String) -> String {
    let word = String(
      text.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") ? $0 : "-" }.prefix(40))
    guard word != text else { return word }
    var digest = SampleDigest()
    digest.feed(text.utf8)
    return "\(word)-\(digest.hex.suffix(8))"
  }
}
