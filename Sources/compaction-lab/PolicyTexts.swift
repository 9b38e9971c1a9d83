// Policies that are given as texts, each with a name of its own.
import Policies
import PredicateLanguage

enum PolicyTexts {
  /// Reads the policies of `--policy`.
  static func parse(_ texts: [String]) throws -> [Policy] {
    var policies: [Policy] = []
    for text in texts {
      do throws(PredicateError) { policies.append(try Policy(parsing: text)) } catch {
        throw couldNotRun("--policy: \(error.report)")
      }
    }
    if let twice = Choice.firstDuplicate(in: policies.map(\.name)) {
      throw couldNotRun("--policy: \"\(twice)\" is given twice; leave one out, or give it a name")
    }
    return policies
  }
}
