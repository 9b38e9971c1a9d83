// Functions of Kotlin and JavaScript are read as they stand in an app, and decide as they do there.
import PredicateLanguage
import Testing

@Suite("Pasted functions of Kotlin and JavaScript")
struct PastedClosureTests {
  private static func value(_ name: String) -> Double? {
    ["totalBytes": 1000, "usedBytes": 250, "liveBytes": 0, "pinAge": 0.5][name]
  }

  private func check(_ source: String, _ typing: Typing, _ expected: Evaluation) throws {
    let predicate = try Predicate(source, variables: measured)
    #expect(predicate.typing == typing)
    #expect(predicate.evaluate(Self.value) == expected)
    let again = try Predicate(predicate.oneLine, variables: measured)
    #expect(again.evaluate(Self.value) == expected, "\(predicate.oneLine)")
    #expect(!predicate.oneLine.contains("\n"))
  }

  @Test(
    "functions of Kotlin",
    arguments: [
      (
        "compactOnLaunch { totalBytes, usedBytes -> usedBytes.toDouble() / totalBytes < 0.3 }", .yes
      ),
      (
        """
        val config = RealmConfiguration.Builder(schema = setOf(Person::class))
            .name("app.realm")  // "quotes" and :: are not read
            .compactOnLaunch { totalBytes, usedBytes ->
                val limit = 100 * 1_024L
                if (totalBytes > limit) return@compactOnLaunch true
                (usedBytes.toDouble() / totalBytes.toDouble()) < 0.5
            }
            .build()
        """, .yes
      ),
      (
        "fun shouldCompact(totalBytes: Long, usedBytes: Long): Boolean = totalBytes > 500 && usedBytes / totalBytes < 1",
        .yes
      ),
      (
        """
        private fun shouldCompact(totalBytes: Long, usedBytes: Long): Boolean {
            val free: Long = totalBytes - usedBytes
            return free > 749L
        }
        """, .yes
      ),
      ("compactOnLaunch { totalSize, usedSize -> totalSize - usedSize > 750 }", .no),
      ("{ totalBytes: Long, usedBytes: Long -> usedBytes / totalBytes == 0 }", .yes),
      // Long is signed, divides without a fraction, and becomes Double beside one.
      ("{ totalBytes, usedBytes -> usedBytes - totalBytes < 0 }", .yes),
      ("{ totalBytes, usedBytes -> usedBytes * 1.0 / totalBytes == 0.25 }", .yes),
      ("{ totalBytes, usedBytes -> 7 / 2 * 1.0 > 3.2 }", .no),
      ("{ totalBytes, usedBytes -> totalBytes / 3.toDouble() > 333.3 }", .yes),
      ("{ totalBytes, usedBytes -> (totalBytes / 3).toDouble() > 333 }", .no),
      ("{ totalBytes, usedBytes -> (totalBytes * 1.5).toLong() / 1000 == 1L }", .yes),
      ("{ totalBytes, usedBytes -> totalBytes > 2147483648 || usedBytes < 300 }", .yes),
      ("{ totalBytes, usedBytes -> minOf(totalBytes, usedBytes) == 250L }", .yes),
      ("{ totalBytes, usedBytes -> if (totalBytes > 5) { usedBytes > 5 } else { false } }", .yes),
      ("{ totalBytes, usedBytes -> kotlin.math.sqrt(4.0 * usedBytes) > 31 }", .yes),
      ("val half = 0.5\nusedBytes.toDouble() / totalBytes < half", .yes),
    ] as [(String, Evaluation)])
  func kotlin(source: String, expected: Evaluation) throws {
    try check(source, .kotlin, expected)
  }

  @Test(
    "functions of JavaScript and TypeScript compute with real numbers",
    arguments: [
      ("(totalBytes, usedBytes) => usedBytes / totalBytes < 0.3", .yes),
      ("shouldCompact: (totalBytes, usedBytes) => totalBytes / 3 > 333.3,", .yes),
      (
        """
        const realm = await Realm.open({
          schema: [Person, 'Dog'],
          shouldCompact: (totalBytes, usedBytes) => {
            const limit = 100 * 1024;
            let share = usedBytes / totalBytes;
            return totalBytes > limit || share < 0.3;
          },
          path: "my.realm",
        });
        """, .yes
      ),
      ("function (totalSize, usedSize) { return totalSize - usedSize === 750; }", .yes),
      (
        "export function shouldCompact(totalBytes: number, usedBytes: number): boolean { return usedBytes !== 250 }",
        .no
      ),
      (
        "{ shouldCompact(totalBytes, usedBytes) { if (totalBytes > 5) return true; return false; } }",
        .yes
      ),
      ("const f = (totalBytes: number, usedBytes: number): boolean => usedBytes > 1_000;", .no),
      ("(totalBytes, usedBytes) => Math.min(totalBytes, usedBytes) == 250", .yes),
      ("const half = 0.5; return usedBytes / totalBytes === half / 2;", .yes),
    ] as [(String, Evaluation)])
  func javaScript(source: String, expected: Evaluation) throws {
    try check(source, .real, expected)
  }

  @Test("a function of C# has the numbers of C")
  func cSharp() throws {
    try check(
      "config.ShouldCompactOnLaunch = (totalBytes, usedBytes) =>\n"
        + "  totalBytes > 48UL && (double)usedBytes / (double)totalBytes < 0.3;",
      .c, .yes)
  }

  @Test(
    "what would end or mislead the app is refused with the reason",
    arguments: [
      ("{ totalBytes, usedBytes -> totalBytes / liveBytes > 2 }", "1000 / 0 of Long has no value"),
      (
        "{ totalBytes, usedBytes -> totalBytes * 10_000_000_000_000_000 > 2 }",
        "10000000000000000000 is above what Long holds"
      ),
    ])
  func refused(source: String, reason: String) throws {
    let predicate = try Predicate(source, variables: measured)
    #expect(predicate.evaluate(Self.value) == .refused(reason))
  }

  @Test(
    "mistakes are named",
    arguments: [
      ("{ totalBytes, usedBytes -> totalBytes > 4 * 1024 * 1024 * 1024 }", "above what Int holds"),
      (
        "{ totalBytes, usedBytes -> val x: Double = 5\ntotalBytes > x }",
        "Kotlin does not take Int for Double"
      ),
      (
        "{ totalBytes, usedBytes -> val x: Long = 5.5\ntotalBytes > x }",
        "Kotlin does not take Double for Long"
      ),
      ("(totalBytes, usedBytes) => Math.log(totalBytes) > 5", "this function of Math is not known"),
      (
        "(totalBytes, usedBytes) => Math.pow(totalBytes, 2) > 5",
        "this function of Math is not known"
      ),
      (
        "{ totalBytes, usedBytes -> Math.floor(totalBytes) > 5 }",
        "this function of Math is not known"
      ),
      ("(usedBytes, totalBytes) => usedBytes > 5", "the size of the file comes first"),
      ("{ usedBytes, totalBytes -> usedBytes > 5 }", "the size of the file comes first"),
      ("(total, used) => total > 5", "unknown variable \"total\""),
      ("(totalBytes, usedBytes) => { return totalBytes > 5", "the { is never closed"),
      ("totalBytes > 5 && (totalBytes, usedBytes) => usedBytes > 5", "expected ) but found \",\""),
      ("(totalBytes, usedBytes) => usedBytes > 5 $", "unexpected \"$\""),
      ("(totalBytes, usedBytes) => usedBytes > 5) || (totalBytes > 3", "unexpected"),
      ("{ totalBytes, usedBytes -> totalBytes.coerceAtLeast(5) > 5 }", "unexpected \".\""),
    ])
  func mistakes(source: String, message: String) {
    let error = #expect(throws: PredicateError.self) {
      try Predicate(source, variables: measured)
    }
    #expect(error?.report.contains(message) == true, "\(error?.report ?? "no error")")
  }

  @Test("no text brings the reader down, cut anywhere")
  func cut() {
    let sources = [
      "x.compactOnLaunch { totalBytes, usedBytes -> if (totalBytes > 5L) return@x true\n usedBytes.toDouble() < 0.5 }",
      "const c = { schema: [A], shouldCompact: (totalBytes, usedBytes) => { return Math.min(usedBytes, 5) === 5; } }",
      "private fun f(totalBytes: Long, usedBytes: Long): Boolean { val x = 5; return totalBytes > x }",
      "export default function (totalSize, usedSize) { return totalSize !== 3; }",
    ]
    var read = 0
    for source in sources {
      for end in source.indices {
        for text in [source[..<end], source[end...]] {
          if (try? Predicate(String(text), variables: measured)) != nil { read += 1 }
        }
      }
    }
    #expect(read > 4)
  }
}
