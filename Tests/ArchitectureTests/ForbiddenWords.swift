// Words that this project does not use, each with the word that the field uses, and the search for them in a text.

/// A word or phrase that is not to be used, and what is written in its place.
struct ForbiddenWord {
  /// Identifiers as they stand in code, or phrases of lower-case words separated by spaces.
  var forms: [String]
  var replacement: String

  /// Names of code that a storage engineer would have to translate.
  static let identifiers: [ForbiddenWord] = [
    .init(
      forms: ["takeWriterPlace", "leaveWriterPlace"],
      replacement: "acquireWriteLock, releaseWriteLock"),
    .init(forms: ["writersVisit"], replacement: "writerEpoch"),
    .init(forms: ["vault"], replacement: "encryptedFile"),
    .init(forms: ["FirstTouch"], replacement: "VerifiedBlockBitmap"),
    .init(forms: ["RetiredExtents"], replacement: "DeferredFreeExtents"),
    .init(forms: ["KeptExtents"], replacement: "PinnedExtents"),
    .init(forms: ["isLookedAt"], replacement: "hasActiveReaders"),
    .init(forms: ["noteReaders"], replacement: "syncReaderTable"),
    .init(forms: ["Onlookers"], replacement: "ActiveReaders"),
    .init(forms: ["isSettled"], replacement: "isContentSynced"),
    .init(forms: ["checkFoundations"], replacement: "validateRoots"),
    .init(forms: ["letGoOfStore", "letGo"], replacement: "detachStore, release"),
    .init(forms: ["plantSeed"], replacement: "copySeedFile"),
    .init(forms: ["goOn"], replacement: "continue…, resume…"),
    .init(forms: ["IdleTurns"], replacement: "IdleGate"),
    .init(forms: ["hasToldDelay"], replacement: "didReportDelay"),
    .init(forms: ["writeAside"], replacement: "writeDirect"),
    .init(forms: ["ConversingProcess"], replacement: "InteractiveProcess"),
    .init(forms: ["WriterHand"], replacement: "TransactionExecutor"),
    .init(forms: ["PeakKeeper"], replacement: "PeakPreservingDownsampler"),
    .init(forms: ["hindranceToRecording", "hindrance"], replacement: "unsupportedReason"),
    .init(forms: ["patience"], replacement: "busyTimeout"),
    .init(forms: ["sways"], replacement: "oscillates"),
    .init(forms: ["Deed"], replacement: "Action"),
    .init(forms: ["cures"], replacement: "mitigations"),
    .init(forms: ["guests"], replacement: "optionalEngines"),
    .init(forms: ["onlooker", "onlookers"], replacement: "reader, observer"),
  ]

  /// Phrases of comments, messages and documents.
  static let phrases: [ForbiddenWord] = [
    .init(forms: ["whoever"], replacement: "the thread, the process, the caller that …"),
    .init(forms: ["nobody"], replacement: "no thread, no process, no reader"),
    .init(forms: ["somebody"], replacement: "a thread, a process, a reader"),
    .init(forms: ["let go", "lets go", "letting go"], replacement: "release"),
    .init(forms: ["who keeps it", "who holds it"], replacement: "held by"),
    .init(forms: ["disk room"], replacement: "disk space"),
    .init(forms: ["a room", "the room", "rooms", "no room"], replacement: "module; space"),
    .init(forms: ["in hands"], replacement: "held"),
    .init(forms: ["condemned"], replacement: "pending eviction"),
    .init(forms: ["behaviour"], replacement: "behavior"),
    .init(forms: ["colour", "colours"], replacement: "color"),
    .init(forms: ["favour"], replacement: "favor"),
    .init(forms: ["neighbour", "neighbours"], replacement: "neighbor"),
    .init(forms: ["analyse", "analysed"], replacement: "analyze"),
    .init(forms: ["initialise", "initialised"], replacement: "initialize"),
    .init(forms: ["optimise", "optimised"], replacement: "optimize"),
    .init(forms: ["recognise", "recognised"], replacement: "recognize"),
    .init(forms: ["catalogue"], replacement: "catalog"),
    .init(forms: ["grey"], replacement: "gray"),
    .init(forms: ["centre"], replacement: "center"),
  ]

  /// Uses that stay: names that stored records and scenarios have, by which random streams are drawn, and old keys, which an
  /// error still names.
  static let exemptions: [String: Set<String>] = [
    "Sources/ScenarioModel/ClientSpec.swift": ["leastPermille", "mostPermille"],
    "Sources/ScenarioModel/LimitSpec.swift": ["patience"],
    "Sources/ScenarioParser/ArmKeys.swift": ["patience"],
    "Sources/ScenarioParser/WriterKeys.swift": ["sways"],
    "Scenarios/log/parked-log.yml": ["nobody"],
    "Scenarios/pins/observers.yml": ["nobody"],
    "Scenarios/README.md": ["nobody"],
  ]

  /// Words with which no doc comment begins: it returns, reports or stores, or it names the thing.
  static let openings: Set<String> = [
    "who", "whoever", "nobody", "somebody", "answers", "says", "tells", "knows", "keeps",
  ]
}

/// A use of a forbidden word.
struct WordFinding: Equatable, CustomStringConvertible {
  var line: Int
  var word: String
  var replacement: String

  var description: String { "line \(line): \"\(word)\"; write \(replacement)" }
}

/// Finds forbidden words. Words that a hyphen joins are a name, and no phrase. Texts are cut into words once and looked up:
/// five megabytes of sources take a second.
struct WordSearch {
  private let identifiers: [String: String]
  /// Phrases by their first word.
  private let phrases: [String: [(rest: ArraySlice<String>, replacement: String)]]

  init() {
    var identifiers: [String: String] = [:]
    for word in ForbiddenWord.identifiers {
      for form in word.forms { identifiers[form] = word.replacement }
    }
    var phrases: [String: [(ArraySlice<String>, String)]] = [:]
    for word in ForbiddenWord.phrases {
      for form in word.forms {
        let parts = form.split(separator: " ").map(String.init)
        phrases[parts[0], default: []].append((parts.dropFirst(), word.replacement))
      }
    }
    self.identifiers = identifiers
    self.phrases = phrases
  }

  func findings(inSwift text: String) -> [WordFinding] {
    lines(of: text).flatMap { number, line in
      let words = words(of: line)
      return codeFindings(words, line: number) + phraseFindings(line, line: number)
        + openingFindings(line, words, line: number)
    }
  }

  func findings(inDocument text: String) -> [WordFinding] {
    lines(of: text).flatMap { number, line in phraseFindings(line, line: number) }
  }

  /// Names of the standard library.
  private var standardNames: Set<String> { ["leastNormalMagnitude", "leastNonzeroMagnitude"] }

  private func codeFindings(_ words: [String], line: Int) -> [WordFinding] {
    words.enumerated().compactMap { index, word in
      if let replacement = identifiers[word] {
        return WordFinding(line: line, word: word, replacement: replacement)
      }
      for (prefix, better) in [("most", "max…"), ("least", "min…")] {
        let next = word.dropFirst(prefix.count).first
        if word.hasPrefix(prefix), next?.isUppercase == true, !standardNames.contains(word) {
          return WordFinding(line: line, word: word, replacement: better)
        }
      }
      let declaresPlace = word == "place" && index > 0 && ["let", "var"].contains(words[index - 1])
      let endsInPlace = word.hasSuffix("Place") || word.hasSuffix("Places")
      if declaresPlace || (endsInPlace && !word.lowercased().hasSuffix("inplace")) {
        return WordFinding(line: line, word: word, replacement: "…Index, …Offset, …Length, …Lock")
      }
      return nil
    }
  }

  private func phraseFindings(_ text: Substring, line: Int) -> [WordFinding] {
    let words = words(of: text, hyphenated: true).map { $0.lowercased() }
    return words.indices.flatMap { index in
      (phrases[words[index]] ?? []).compactMap { phrase in
        guard words[(index + 1)...].starts(with: phrase.rest) else { return nil }
        return WordFinding(
          line: line, word: ([words[index]] + phrase.rest).joined(separator: " "),
          replacement: phrase.replacement)
      }
    }
  }

  /// Doc comments open a declaration: their first line is the one behind a line that is none.
  private func openingFindings(_ text: Substring, _ words: [String], line: Int) -> [WordFinding] {
    guard text.drop(while: { $0 == " " }).hasPrefix("/// "), let first = words.first,
      ForbiddenWord.openings.contains(first.lowercased()), first.first?.isUppercase == true
    else { return [] }
    return [
      WordFinding(
        line: line, word: first, replacement: "Returns…, Reports…, Stores…, or the thing's name")
    ]
  }

  private func lines(of text: String) -> [(Int, Substring)] {
    text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { ($0 + 1, $1) }
  }

  private func words(of line: Substring, hyphenated: Bool = false) -> [String] {
    line.utf8.split { byte in
      !(UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
        || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
        || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: "_")
        || (hyphenated && byte == UInt8(ascii: "-")))
    }.map { String(Substring($0)) }
  }
}
