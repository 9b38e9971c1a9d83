import SystemIO
import TestSupport
import Testing

@testable import StorageEngine

@Suite("The fuzzer's corpus")
struct FuzzCorpusTests {
  @Test("every input of the corpus ends in an error or in a sound file, not in a trap")
  func corpus() throws {
    let folder = FilePath(#filePath).removingLastComponent().removingLastComponent()
      .appending("Fuzz").appending("Corpus")
    let names = try FileSystem.list(folder)
    var outcomes: [String: Int] = [:]
    for name in names {
      let input = try FileSystem.read(folder.appending(name))
      let code = input.withUnsafeBytes { bytes in
        var input = FuzzCase(bytes)
        return input.run()
      }
      outcomes[code?.rawValue ?? "sound", default: 0] += 1
    }
    print("\(names.count) inputs of the corpus: \(outcomes)")
    #expect(names.count >= 20)
    #expect(outcomes.keys.contains("corrupt"))
  }

  @Test("random inputs end in an error or in a sound file, and an empty one leaves the file sound")
  func random() {
    var random = SeededRandom(seed: testSeed())
    var refused = 0
    for _ in 0..<400 {
      let input = [UInt8(random.below(3)), UInt8(random.below(8))] + random.bytes(random.below(40))
      let code = input.withUnsafeBytes { bytes in
        var input = FuzzCase(bytes)
        return input.run()
      }
      if code != nil { refused += 1 }
    }
    #expect(refused > 50)
    for image in 0..<UInt8(3) {
      let code = [image, 2].withUnsafeBytes { bytes in
        var input = FuzzCase(bytes)
        return input.run()
      }
      #expect(code == nil)
    }
  }
}
