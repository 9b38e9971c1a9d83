// Another process with a realm, for tests of what processes do to each other. It does what it is told in lines on its
// standard input, one after the other, and answers each with a line: `ok …`, or `error <code>`.
import Foundation
import ObjectStore

/// As the tests have it: a file knows a class by its name and its properties.
class Note: Object {
  @Persisted var text: String
  @Persisted var order: Int
}

@main
enum RealmProcess {
  static func main() {
    var work = Work()
    while let line = readLine() {
      let words = line.split(separator: " ", maxSplits: 1).map(String.init)
      var answer: String
      do { answer = "ok " + (try work.carryOut(words[0], words.count > 1 ? words[1] : "")) } catch {
        answer = "error \((error as? Realm.Error)?.failure.rawValue ?? 0) \(error)"
      }
      answer = answer.replacingOccurrences(of: "\n", with: " ")
      FileHandle.standardOutput.write(Data((answer + "\n").utf8))
    }
  }
}

/// The realm, and what is held of it.
private struct Work {
  private struct UnknownWord: Error { var word: String }

  private var realm: Realm?

  mutating func carryOut(_ word: String, _ rest: String) throws -> String {
    if word == "open" || word == "open-encrypted" {
      var configuration = Realm.Configuration(
        fileURL: URL(fileURLWithPath: rest), objectTypes: [Note.self])
      if word != "open" { configuration.encryptionKey = Data(repeating: 7, count: 64) }
      realm = try Realm(configuration: configuration)
      return ""
    }
    guard let realm else { throw UnknownWord(word: "\(word) before open") }
    switch word {
    // The first look pins the version.
    case "count": return "\(realm.objects(Note.self).count)"
    case "begin": realm.beginWrite()
    case "commit": try realm.commitWrite()
    case "add": try realm.write { _ = realm.create(Note.self, value: ["text": rest]) }
    case "refresh": return "\(realm.refresh())"
    case "close": self.realm = nil
    default: throw UnknownWord(word: word)
    }
    return ""
  }
}
