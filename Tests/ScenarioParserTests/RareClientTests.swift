// Clients and arms that few scenarios have, and cells that are held against each other.
import Generators
import MetricModel
import ScenarioModel
import ScenarioParser
import Testing

@Suite("Rare clients in scenario files")
struct RareClientTests {
  /// What every scenario here begins with.
  private static let head = """
    scenario: sample
    question: What does it cost?
    data:
      Item: { rows: 1_000, value: { size: 256 B } }

    """

  private static func parse(_ rest: String) throws -> Scenario {
    try ScenarioParser.parse(head + rest, file: "sample.yml")
  }

  @Test(
    "a table oscillates, a savepoint is dropped in a phase, a thread opens the database, an arm deletes what is oldest"
  )
  func rareClients() throws {
    let scenario = try Self.parse(
      """
      clients:
        writer: { kind: writer, transaction: { read: 1 }, oscillates: 20 % to 60 % over 100 commits }
        keeper: { kind: savepoint }
        viewer: { kind: process, does: idles, is: another thread }
      arms:
        - usual: { deleted-rows: first }
      phases:
        - work: { commits: 10, delete: 50 %, run: [writer, keeper, viewer] }
        - end:  { commits: 10, run: [writer, keeper: { does: drops }] }
      policies: [never, automatic]
      expect:
        - { in: work, policy: automatic, against: never, of: writtenBytes, that: rise <= 1.5 times }
        - { in: work, that: high-water > 2 * liveBytes }
      """)
    let arm = scenario.arms[0]
    #expect(arm.deletedRows == .first)
    guard case .writer(let writer) = arm.clients[0].kind,
      case .process(let viewer) = arm.clients[2].kind
    else {
      Issue.record("clients of other kinds: \(arm.clients)")
      return
    }
    #expect(
      writer.oscillation == RowOscillation(minPermille: 200, maxPermille: 600, periodCommits: 100))
    #expect(viewer.isThread)
    #expect(arm.clients(in: scenario.phases[0])[1].kind == .savepoint(SavepointSpec()))
    #expect(
      arm.clients(in: scenario.phases[1])[1].kind == .savepoint(SavepointSpec(action: .drops)))
    let expectations = scenario.expectations
    #expect(expectations[0].against == .policy("never"))
    #expect(
      expectations[0].condition == .rise(variable: "writtenBytes", .atMost, .timesOther(1.5)))
    #expect(
      expectations[1].condition
        == .highWater(variable: "allBytes", .above, .times(2, variable: "liveBytes")))
  }

  @Test("an arm's rows are divided over files; one file is as none named")
  func files() throws {
    let scenario = try Self.parse(
      """
      clients:
        writer: { kind: writer, transaction: { update: 1 } }
        viewer: { kind: process, does: idles }
      arms:
        - usual:
        - one: { files: 1 }
        - many: { files: 64, clients: { viewer: none } }
      phases:
        - work: { commits: 10, run: [writer, viewer] }
      policies: [never]
      """)
    #expect(scenario.arms.map(\.files) == [nil, nil, 64])
  }

  @Test("a log is kept in ways of its own, and moved into the file by clients")
  func logs() throws {
    let scenario = try Self.parse(
      """
      clients:
        writer: { kind: writer, transaction: { update: 1 } }
        once: { kind: checkpoints, mode: truncate }
        often: { kind: checkpoints, mode: passive, every: 50 commits }
      arms:
        - usual:
        - small: { log: { checkpoint-pages: 100, size-limit: 0 B } }
        - never: { log: { checkpoint-pages: never }, clients: { once: none, often: { mode: restart } } }
      phases:
        - work: { commits: 10, run: [writer, once, often] }
      policies: [never]
      """)
    #expect(
      scenario.arms.map(\.log) == [
        nil, LogSpec(checkpointPages: 100, sizeLimit: 0), LogSpec(checkpointPages: 0),
      ])
    #expect(
      scenario.arms[0].clients.dropFirst().map(\.kind) == [
        .checkpoints(CheckpointSpec(mode: .truncate)),
        .checkpoints(CheckpointSpec(mode: .passive, everyCommits: 50)),
      ])
    #expect(
      scenario.arms[2].clients.dropFirst().map(\.kind)
        == [.checkpoints(CheckpointSpec(mode: .restart, everyCommits: 50))])
    #expect(scenario.arms.allSatisfy { $0.needsLog })
  }

  @Test(
    "lookups are closed or open loops, on versions of their own or kept, and phases of them end")
  func lookups() throws {
    let scenario = try Self.parse(
      """
      clients:
        writer: { kind: writer, transaction: { update: 1 } }
        few: { kind: lookups, read: 3, think-time: 5 ms, timed: each operation }
        many:
          kind: lookups
          threads: 64
          scan: 2
          scan-length: 7
          keys: zipfian
          snapshot: kept for 50 transactions
          rate: 80 % of maximum
          arrivals: poisson
          wave: 50 % over 1 min
      phases:
        - beside: { commits: 10, run: [writer, few, many] }
        - alone: { transactions: 1_000, run: [few: { threads: 4 }] }
        - timed: { lasts: 30 s, run: [many] }
      policies: [never]
      """)
    let few = LookupSpec(
      table: "Item", reads: 3,
      load: LoadSpec(arrivals: .afterEach(think: VirtualTime(microseconds: 5000))),
      timing: .operations)
    let wave = RateWave(swingPermille: 500, periodMicroseconds: 60_000_000)
    let many = LookupSpec(
      table: "Item", threads: 64, scans: 2, scanLength: 7, keys: .zipfian(thetaPermille: 990),
      load: LoadSpec(arrivals: .scheduled(.poisson, wave), rate: .shareOfMaximum(0.8)),
      transactionsPerSnapshot: 50)
    #expect(scenario.arms[0].clients.map(\.kind).dropFirst() == [.lookups(few), .lookups(many)])
    #expect(
      scenario.phases.map(\.lookupExtent) == [
        nil, .transactions(1000), .time(VirtualTime(seconds: 30)),
      ])
    var four = few
    four.threads = 4
    #expect(scenario.arms[0].clients(in: scenario.phases[1]).map(\.kind) == [.lookups(four)])
  }

  @Test("a file has a journal, bounds, steps and a busy timeout, and a phase shortens it")
  func growth() throws {
    let scenario = try Self.parse(
      """
      clients:
        writer: { kind: writer, transaction: { update: 1 } }
      arms:
        - usual:
        - journal: { log: { journal: persist, size-limit: 0 B }, limits: { busy-timeout: 0 ms } }
        - bounds:
            geometry: { lower: 1 MiB, upper: 64 MiB, growth-step: 64 KiB, shrink-threshold: 1 MiB }
        - uncut: { geometry: { shrink-threshold: never } }
        - asked: { auto-vacuum: incremental, limits: { busy-timeout: 2 s } }
      phases:
        - work: { commits: 10, run: writer }
        - some: { shorten: 1 MiB }
        - rest: { shorten: all }
      policies: [never]
      """)
    #expect(
      scenario.arms.map(\.log) == [nil, LogSpec(sizeLimit: 0, journal: .persist), nil, nil, nil])
    #expect(scenario.arms[1].log?.isRollback == true && scenario.arms[1].needsLog)
    #expect(scenario.arms.map { $0.limits?.busyTimeout } == [nil, 0, nil, nil, 2000])
    #expect(
      scenario.arms.map(\.geometry) == [
        nil, nil,
        GeometrySpec(
          lower: 1 << 20, upper: 64 << 20, growthStep: 64 << 10, shrinkThreshold: 1 << 20),
        GeometrySpec(shrinkThreshold: 0), nil,
      ])
    #expect(scenario.arms.map(\.autoVacuum) == [nil, nil, nil, nil, .incremental])
    #expect(scenario.phases.map(\.shortens) == [nil, .atMost(1 << 20), .all])
  }

  @Test("a phase compacts, or copies, under another key where an arm is encrypted")
  func newKeys() throws {
    let text =
      Self.head + """
        clients:
          writer: { kind: writer, transaction: { update: 1 } }
        arms:
          - usual: { encrypted: true }
        phases:
          - work: { commits: 10, run: [writer] }
          - compacts: { new-key: compaction }
          - copies: { new-key: copy }
        policies: [never]

        """
    let scenario = try ScenarioParser.parse(text, file: "sample.yml")
    #expect(scenario.phases.map(\.newKey) == [nil, .compaction, .copy])
    let messages = MistakeTests.problems(text.replacing("encrypted: true", with: "summary: plain"))
      .map(\.message)
    #expect(messages.count == 2)
    #expect(messages.allSatisfy { $0.hasPrefix("no arm is encrypted") })
  }

  @Test("a probe looks at another database or at this one; files share addresses")
  func probes() throws {
    let scenario = try Self.parse(
      """
      clients:
        writer: { kind: writer, transaction: { update: 1 } }
        probe: { kind: probe, of: another database, does: reads, rate: 500 per s }
      arms:
        - usual:
        - this: { clients: { probe: { of: this database, does: opens } } }
        - files: { files: 8, limits: { address-space: 8 MiB } }
      phases:
        - work: { commits: 10, run: [writer, probe] }
      policies: [never]
      """)
    #expect(
      scenario.arms.map { $0.clients[1].kind } == [
        .probe(ProbeSpec(table: "Item", target: .another, work: .reads, ratePerSecond: 500)),
        .probe(ProbeSpec(table: "Item", target: .this, work: .opens, ratePerSecond: 500)),
        .probe(ProbeSpec(table: "Item", target: .another, work: .reads, ratePerSecond: 500)),
      ])
    #expect(scenario.arms.map(\.hasOtherProcesses) == [false, true, false])
    #expect(scenario.arms[2].limits?.addressSpace == 8 << 20)
  }

  @Test("an expectation of one size, or of the stepped schedule's turns, is held only there")
  func heldWhere() throws {
    let scenario = try Self.parse(
      """
      clients:
        writer: { kind: writer, transaction: { update: 1 } }
      phases:
        - work: { commits: 10, run: [writer] }
      policies: [never]
      expect:
        - { in: work, that: plateau }
        - { in: work, size: ci, that: high-water <= 1 MB }
        - { in: work, size: full, that: high-water <= 9 MB }
        - { in: work, schedule: stepped, that: pinLag <= 3 }
      """)
    #expect(scenario.expectations.map(\.size) == [nil, .ci, .full, nil])
    #expect(scenario.expectations.map(\.isOfTurns) == [false, false, false, true])
    #expect(scenario.sized(.ci).expectations.map(\.size) == [nil, .ci, nil])
    #expect(scenario.sized(.full).expectations.map(\.size) == [nil, .full, nil])
    #expect(scenario.onThreads().expectations.map(\.size) == [nil, .ci, .full])
  }
}
