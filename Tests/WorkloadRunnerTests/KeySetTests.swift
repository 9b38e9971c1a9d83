import Generators
import Testing
import WorkloadRunner

@Suite("Keys of a table")
struct KeySetTests {
  @Test("selection, removal and growth agree with an array, in 20,000 random steps")
  func agreesWithArray() {
    var stream = RandomStream(seed: 7)
    var set = KeySet()
    var model: [Int64] = []
    for step in 0..<20_000 {
      if model.isEmpty || stream.next(below: 100) < 52 {
        model.append(set.appendNext())
      } else {
        let rank = stream.next(below: model.count)
        #expect(set.key(rank: rank) == model[rank])
        #expect(set.remove(rank: rank) == model.remove(at: rank))
      }
      #expect(set.count == model.count)
      if step.isMultiple(of: 1000) {
        #expect((0..<set.count).map { set.key(rank: $0) } == model)
      }
    }
  }

  @Test("what was removed is missing, and comes back by its own key")
  func missing() {
    var set = KeySet()
    for _ in 0..<10 { _ = set.appendNext() }
    let removed = set.removeAll { $0.isMultiple(of: 3) }
    #expect(removed == [0, 3, 6, 9])
    #expect(set.missing(below: 10) == removed)
    for key in removed { set.append(key) }
    #expect(set.missing(below: 10).isEmpty)
    #expect(set.appendNext() == 10)
  }
}
