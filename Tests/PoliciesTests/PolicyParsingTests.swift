// The one-line form: what reads back, what is refused and where.
import Foundation
import MetricModel
import Policies
import TestSupport
import Testing

import struct PredicateLanguage.Predicate
import struct PredicateLanguage.PredicateError

@Suite("Policy texts")
struct PolicyParsingTests {
  @Test(
    "a text reads as its policy and names it",
    arguments: [
      ("never", "never"), (" automatic ", "automatic"), ("automatic(eager)", "automatic(eager)"),
      ("automatic( realm-compatible )", "automatic(realm-compatible)"),
      ("automatic(idle)", "automatic(idle)"),
      (
        "automatic(documented) + on-launch: pins == 0",
        "automatic(documented) + on-launch: pins == 0"
      ),
      ("every-launch", "every-launch"),
      ("automatic + every-launch", "automatic + every-launch"),
      ("automatic+every-launch", "automatic + every-launch"),
      ("automatic + on-launch : pins == 0", "automatic + on-launch: pins == 0"),
      ("on-launch: always", "every-launch"), ("on-launch:never", "never"),
      ("automatic(eager) + on-launch: always", "automatic(eager) + every-launch"),
      ("on-launch: totalBytes > 100 MB", "on-launch: totalBytes > 100 MB"),
      ("on-launch:  totalBytes>100MB\n", "on-launch: totalBytes>100MB"),
      (
        "automatic + on-launch: totalBytes > 100 MB && usedBytes / totalBytes < 50%",
        "automatic + on-launch: totalBytes > 100 MB && usedBytes / totalBytes < 50%"
      ),
      (
        "on-launch: let m = 20 * 1024 * 1024 // 20 MB\nreturn (realmFileSizeInBytes > m)",
        "on-launch: realmFileSizeInBytes > 20 * 1024 * 1024"
      ),
    ])
  func reads(text: String, name: String) throws {
    let policy = try Policy(parsing: text)
    #expect(policy.name == name)
    #expect(policy.rule == name)
    #expect(try Policy(parsing: name).rule == name)
  }

  @Test("the fixed policies are what their names read as")
  func fixed() throws {
    #expect(try Policy(parsing: "never") == .never)
    #expect(try Policy(parsing: "automatic") == .automatic)
    #expect(try Policy(parsing: "every-launch") == .everyLaunch)
    let predicate = try Predicate(observed: "pins == 0")
    #expect(try Policy(parsing: "on-launch: pins == 0") == .onLaunch(predicate))
    #expect(
      try Policy(parsing: "automatic + on-launch: pins == 0")
        == .onLaunch(predicate, automatic: true))
  }

  @Test("a closure as it stands in an app is the policy that decides at launch by it")
  func closure() throws {
    let closure = "{ totalBytes, usedBytes in return totalBytes > 50 * 1024 * 1024 }"
    let policy = try Policy(parsing: " \(closure)\n")
    #expect(policy.name == "on-launch: totalBytes > 50 * 1024 * 1024" && policy.rule == policy.name)
    #expect(try Policy(parsing: closure) == Policy(parsing: "on-launch: \(closure)"))
    do {
      _ = try Policy(parsing: "{ usedByte > 5 }")
      Issue.record("an unknown name is read")
    } catch { #expect("\(error)".contains("usedByte")) }
  }

  @Test("a label stands for the rule in the name alone")
  func labels() throws {
    let policy = try Policy(parsing: "half-free = on-launch: usedBytes / totalBytes < 50 %")
    #expect(policy.name == "half-free")
    #expect(policy.rule == "on-launch: usedBytes / totalBytes < 50 %")
    #expect(try Policy(parsing: "none = never").name == "none")
    #expect(try Policy(parsing: "always=every-launch").rule == "every-launch")
    #expect(Policy.onLaunch(try Predicate(observed: "true"), name: "x").name == "x")
  }

  @Test(
    "a mistake is told where it is",
    arguments: [
      (
        "on-launch: totalBytes > 100 MB && usedByte / totalBytes < 50%",
        """
        1:35: unknown variable "usedByte"; did you mean "usedBytes"?
        on-launch: totalBytes > 100 MB && usedByte / totalBytes < 50%
                                          ^^^^^^^^
        """
      ),
      (
        "automatic + on-launch: totalBytes",
        """
        1:24: a condition is needed, and this is a number; compare it with something, as in totalBytes > 100 MB
        automatic + on-launch: totalBytes
                               ^^^^^^^^^^
        """
      ),
      (
        "on-launch:",
        """
        1:11: the text is empty; write a condition, as in totalBytes > 100 MB
        on-launch:
                  ^
        """
      ),
      (
        "on-launch",
        """
        1:1: on-launch needs a predicate; write on-launch: totalBytes > 100 MB, or every-launch
        on-launch
        ^^^^^^^^^
        """
      ),
      (
        "automtic",
        """
        1:1: unknown policy "automtic"; did you mean "automatic"?
        automtic
        ^^^^^^^^
        """
      ),
      (
        "automatic(egaer) + every-launch",
        """
        1:11: unknown way of automatic compaction "egaer"; did you mean "eager"?
        automatic(egaer) + every-launch
                  ^^^^^
        """
      ),
      (
        "automatic(nightly",
        """
        1:11: unknown way of automatic compaction "nightly"; there are documented, \
        realm-compatible, eager, idle, leveled, universal, fifo
        automatic(nightly
                  ^^^^^^^
        """
      ),
      (
        "sometimes",
        """
        1:1: unknown policy "sometimes"; there are never, automatic, every-launch, on-launch: <predicate>, \
        exec: <program>, rent-or-buy(8 h), square-root(20 MB), multiple(2)
        sometimes
        ^^^^^^^^^
        """
      ),
      (
        "never + automatic",
        """
        1:7: unexpected "+ automatic"; nothing may follow the policy
        never + automatic
              ^^^^^^^^^^^
        """
      ),
      (
        "automatic + never",
        """
        1:13: never cannot stand here; after automatic + comes on-launch: … or every-launch
        automatic + never
                    ^^^^^
        """
      ),
      (
        "automatic, every-launch",
        """
        1:10: unexpected ", every-launch"; join two rules as in automatic + on-launch: …
        automatic, every-launch
                 ^^^^^^^^^^^^^^
        """
      ),
      (
        "automatic +",
        """
        1:12: a policy is missing; there are never, automatic, every-launch, on-launch: <predicate>
        automatic +
                   ^
        """
      ),
      (
        "",
        """
        1:1: a policy is missing; there are never, automatic, every-launch, on-launch: <predicate>

        ^
        """
      ),
      (
        "totalBytes > 5",
        """
        1:1: unknown policy "totalBytes"; there are never, automatic, every-launch, on-launch: <predicate>, \
        exec: <program>, rent-or-buy(8 h), square-root(20 MB), multiple(2)
        totalBytes > 5
        ^^^^^^^^^^
        """
      ),
    ])
  func mistakes(text: String, report: String) {
    let error = #expect(throws: PredicateError.self) { try Policy(parsing: text) }
    #expect(error?.report == report)
  }

  @Test("a policy is encoded with its predicate's text and decodes to an equal one")
  func codable() throws {
    for text in [
      "never", "automatic(realm-compatible)",
      "automatic + on-launch: pins == 0 && usedBytes < 1 MB", "x = automatic",
    ] {
      let policy = try Policy(parsing: text)
      let data = try JSONEncoder().encode(policy)
      #expect(try JSONDecoder().decode(Policy.self, from: data) == policy)
    }
    let text = String(decoding: try JSONEncoder().encode(Policy.everyLaunch), as: UTF8.self)
    #expect(text.contains("every-launch"))
  }

  @Test("every variable of the table may be asked for, by each of its names")
  func variables() throws {
    let space = SpaceUsage(
      file: ByteCount(100), live: ByteCount(40), free: ByteCount(20), pinned: ByteCount(15),
      pending: ByteCount(10), overhead: ByteCount(15), sidecar: ByteCount(7))
    var observation = Observation(
      time: VirtualTime(seconds: 90), launch: 2, commits: 300, space: space, liveVersions: 3,
      pins: 1, oldestPinLag: 12, oldestPinAge: VirtualTime(seconds: 30))
    observation.work = WorkDone(
      written: ByteCount(77), rewritten: ByteCount(11), compactions: 4)
    observation.freeDisk = ByteCount(9)
    observation.history = LaunchHistory(
      launches: 2, commits: 13, time: VirtualTime(seconds: 60), rewritten: ByteCount(6), waste: 70,
      peakPinned: ByteCount(8))
    observation.opening = Opening(number: 3, moment: .charging)
    let values: [String: String] = [
      "totalBytes": "100", "realmFileSizeInBytes": "100", "fileBytes": "100", "usedBytes": "55",
      "liveBytes": "40", "freeBytes": "20", "pinnedBytes": "15", "pendingBytes": "10",
      "overheadBytes": "15", "sidecarBytes": "7", "allBytes": "107", "liveVersions": "3",
      "pins": "1", "pinLag": "12", "pinAge": "30 s", "commits": "300", "launch": "2",
      "time": "1.5 min", "writtenBytes": "77", "rewrittenBytes": "11", "compactions": "4",
      "refusals": "0", "freeDiskBytes": "9", "launchesSinceCompaction": "2",
      "commitsSinceCompaction": "13", "timeSinceCompaction": "60 s",
      "rewrittenSinceCompaction": "6", "wasteSinceCompaction": "70 B * 1 s", "peakPinnedBytes": "8",
      "isIdle": "0", "isCharging": "1", "opening": "3",
    ]
    #expect(Set(values.keys) == Set(ObservedVariable.names))
    for (name, value) in values {
      let predicate = try Predicate(observed: "\(name) == \(value)")
      #expect(predicate.evaluate(observation) == .yes, "\(name)")
    }
  }

  @Test("every condition and policy in Docs/Predicates.md reads, and its mistake is told as shown")
  func manual() throws {
    let text = try Repository.text("Docs/Predicates.md")
    // Between fences: every second part.
    let parts = text.components(separatedBy: "```")
    let blocks = stride(from: 1, to: parts.count, by: 2).map { parts[$0] }
    #expect(blocks.count == 5)
    for block in blocks {
      let (language, body) = try #require(
        block.firstIndex(of: "\n").map {
          (
            block[..<$0],
            String(block[block.index(after: $0)...]).trimmingSuffix(while: \.isNewline)
          )
        })
      let lines = body.split(separator: "\n").map(String.init)
      if language.isEmpty, lines.count == 3 {
        let error = #expect(throws: PredicateError.self) { try Predicate(observed: lines[1]) }
        #expect(error?.report == body)
      } else {
        #expect(try Predicate(observed: body).variables == ["totalBytes", "usedBytes"])
      }
    }
    let section = text.components(separatedBy: "## Policies on one line")[1]
      .components(separatedBy: "##")[0]
    let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }
    #expect(
      rows.map(String.init) == PolicyForm.all.map { "| `\($0.text)` | \($0.meaning) |" })
    for row in rows {
      let policy = String(row.split(separator: "`")[1])
        .replacing("<predicate>", with: "pins == 0")
      #expect(throws: Never.self) { try Policy(parsing: policy) }
    }
  }
}

extension String {
  fileprivate func trimmingSuffix(while isTrimmed: (Character) -> Bool) -> String {
    String(reversed().drop(while: isTrimmed).reversed())
  }
}
