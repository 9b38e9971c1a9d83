// The time that the threads of a client of lookups took together.
import Testing

@testable import WorkloadRunner

@Suite("Time of lookups on several threads")
struct LookupTimeTests {
  private static func time(_ spans: [(thread: Int, span: ClosedRange<UInt64>?)]) -> [Int?] {
    let figures = LookupClientFigures()
    for (thread, span) in spans {
      figures.makeThread(thread)
      figures.add(LookupWork(span: span), thread: thread)
    }
    let found = figures.figures(of: "reads")
    return [found.together.nanoseconds] + found.threads.map(\.nanoseconds)
  }

  @Test("what threads did at the same time counts once")
  func overlap() {
    #expect(Self.time([(0, 100...300), (1, 200...450)]) == [350, 200, 250])
    #expect(Self.time([(1, 120...130), (0, 100...300)]) == [200, 200, 10])
  }

  @Test("threads that work one after the other take the sum of their times")
  func oneAfterTheOther() {
    #expect(Self.time([(0, 100...110), (1, 110...130), (2, 130...135)]) == [35, 10, 20, 5])
  }

  @Test("the time between phases, and a thread without a transaction, count nothing")
  func gaps() {
    #expect(Self.time([(0, 100...200), (0, 1000...1050), (1, nil)]) == [150, 150, 0])
  }
}
