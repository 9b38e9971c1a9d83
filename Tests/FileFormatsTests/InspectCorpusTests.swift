import SystemIO
import TestSupport
import Testing

@testable import FileFormats

@Suite("The corpus of the fuzzer of database files")
struct InspectCorpusTests {
  @Test("every input ends in an error or in a report, not in a trap")
  func corpus() throws {
    let folder = Repository.root.pushing("Tests/Fuzz/FormatCorpus")
    let names = try FileSystem.list(folder)
    var formats: Set<Int> = []
    for name in names {
      let input = try FileSystem.read(folder.appending(name))
      try input.withUnsafeBytes { bytes in
        let input = try #require(InspectCase(bytes), "\(name)")
        input.run()
      }
      formats.insert(Int(input[0]) % 4)
    }
    #expect(names.count >= 40)
    #expect(formats == [0, 1, 2, 3])
  }
}
