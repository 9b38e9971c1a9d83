// What a scenario's words become.
import Generators
import MetricModel
import Policies
import ScenarioModel
import ScenarioParser
import Testing

@Suite("Meaning of scenario files")
struct MeaningTests {
  private func parse(_ changes: [(String, String)] = [], adding more: String = "") throws
    -> Scenario
  {
    var text = """
      scenario: sample
      question: What does it cost?
      data:
        Item: { rows: 40_000, value: { size: 256 B } }
      clients:
        writer: { kind: writer, transaction: { update: 10 } }
        other: { kind: reader }
      phases:
        - work: { commits: 2_000, run: [writer, other] }
      policies:
        - never

      """
    for (old, new) in changes {
      #expect(text.contains(old))
      text = text.replacing(old, with: new)
    }
    return try ScenarioParser.parse(text + more, file: "sample.yml")
  }

  private func client(_ text: String) throws -> ClientSpec.Kind {
    let scenario = try parse([("{ kind: reader }", text)])
    return try #require(scenario.arms.first?.clients.last?.kind)
  }

  @Test("what is left out has the documented default")
  func defaults() throws {
    let scenario = try parse()
    #expect(scenario.seed == 1)
    #expect(!scenario.isDurable)
    #expect(scenario.launches == 1)
    #expect(scenario.gapBetweenLaunches == VirtualTime(seconds: 8 * 3600))
    #expect(scenario.engines == ["native", "lmdb", "sqlite"])
    #expect(scenario.sampling == SamplingSpec(everyCommits: 50, everyMilliseconds: 100))
    #expect(scenario.arms.map(\.name) == ["default"])
    #expect(scenario.arms[0].policies == nil)
    #expect(scenario.expectations.isEmpty)
    #expect(scenario.tables == [TableSpec(name: "Item", rows: 40_000, valueSize: .fixed(256))])
    #expect(
      scenario.phases == [
        PhaseSpec(name: "work", commits: 2000, clients: ["writer", "other"])
      ])
  }

  @Test("a writer may do the table anew, with sizes of its own, in an arm's own number of commits")
  func writerWork() throws {
    let text =
      "{ kind: writer, transaction: { reload: in two transactions }, value: { size: 1 kB to 2 kB } }"
    var writer = WriterSpec(table: "Item")
    writer.reload = .inTwoTransactions
    writer.valueSize = .uniform(low: 1000, high: 2000)
    #expect(try client(text) == .writer(writer))
    let arms = try parse(
      adding: """
        arms:
          - plain:
          - few: { commits: { work: 10 } }

        """
    )
    #expect(arms.arms.map { $0.commits(in: arms.phases[0]) } == [2000, 10])
    #expect(arms.clientCommits == 2000)
  }

  @Test("an arm may be limited, in some launches or in all")
  func limits() throws {
    let arms = try parse(
      [("policies:", "launches: 3\npolicies:")],
      adding: """
        arms:
          - free:
          - limited: { limits: { versions: 8, address-space: 4 MiB, disk: 20 MB, launches: 2 to 3 } }

        """
    ).arms
    let limits = LimitSpec(
      versions: 8, addressSpace: 4 << 20, disk: 20_000_000, launches: [2, 3])
    #expect(arms.map(\.limits) == [nil, limits])
    #expect((1...3).map { arms[1].limits(inLaunch: $0) } == [nil, limits, limits])
  }

  @Test("pins have lifetimes of every shape, and holders")
  func pins() throws {
    let lifetimes: [(String, LifetimeDistribution)] = [
      ("200 commits", .fixed(commits: 200)), ("10 to 200 commits", .uniform(low: 10, high: 200)),
      ("exponential 200 commits", .exponential(mean: 200)),
      ("log-normal 200 commits 0.5", .logNormal(median: 200, sigmaPermille: 500)),
      ("pareto 50 commits", .pareto(least: 50, alphaPermille: 1000)), ("never", .never),
    ]
    for (text, lifetime) in lifetimes {
      let kind = try client("{ kind: pins, lifetime: \(text), held-by: actor, max-held: 8 }")
      #expect(
        kind == .pins(PinsSpec(table: "Item", maxHeld: 8, lifetime: lifetime, heldBy: .actor)))
    }
  }

  @Test("observers, writers in line and other processes have what was written")
  func pinningClients() throws {
    #expect(
      try client("{ kind: observers, observers: 3, stalls: after 5 commits for 1_000 commits }")
        == .observers(
          ObserverSpec(
            table: "Item", observers: 3, stallsAfterCommits: 5, stallsForCommits: 1000)))
    #expect(
      try client("{ kind: queued-writers, transaction: { update: 1 }, while-queued: invalidates }")
        == .queuedWriters(
          QueuedWriterSpec(
            writer: WriterSpec(table: "Item", updates: 1), holdsWhileQueued: false)))
    #expect(
      try client(
        "{ kind: process, does: pins, ends: killed after 50 commits, open-until: next launch }")
        == .process(
          ProcessSpec(
            table: "Item", work: .pins, ending: .killed, endsAfterCommits: 50,
            openUntil: .nextLaunch)))
    #expect(
      try client("{ kind: queues, targeted: true, release: when idle for 50 commits }")
        == .queues(
          QueueSpec(table: "Item", isTargeted: true, release: .idle(forCommits: 50))))
  }

  @Test(
    "sizes are decimal with kB and MB, binary with KiB and MiB",
    arguments: [
      ("256 B", SizeDistribution.fixed(256)), ("300", .fixed(300)), ("2kB", .fixed(2000)),
      ("1.5 KiB", .fixed(1536)), ("1 MB", .fixed(1_000_000)), ("1 MiB", .fixed(1_048_576)),
      ("100 B to 4 kB", .uniform(low: 100, high: 4000)),
    ])
  func sizes(_ text: String, _ size: SizeDistribution) throws {
    #expect(try parse([("256 B", text), ("40_000", "10")]).tables[0].valueSize == size)
  }

  @Test("the engine null needs no quotes, although YAML reads the word as nothing")
  func nullEngine() throws {
    for text in ["null", "[native, null]", "[native, \"null\"]"] {
      let scenario = try parse(adding: "engines: \(text)\n")
      #expect(scenario.engines.last == "null", "\(text)")
    }
    #expect(throws: (any Error).self) { try parse(adding: "engines: [~]\n") }
    let expecting = try parse(
      adding: "engines: null\nexpect:\n  - { at: end, engine: null, that: totalBytes >= 0 }\n")
    #expect(expecting.expectations.map(\.engine) == ["null"])
  }

  @Test(
    "a share is a percentage or a fraction",
    arguments: [("85 %", 0.85), ("85%", 0.85), ("0.85", 0.85), ("1", 1.0), ("7 %", 0.07)])
  func shares(_ text: String, _ share: Double) throws {
    let scenario = try parse([("commits: 2_000", "commits: 2_000, delete: \(text)")])
    #expect(scenario.phases[0].deleteShare == share)
  }

  @Test(
    "times have units",
    arguments: [("8 h", 28_800_000_000), ("10 ms", 10_000), ("1.5 d", 129_600_000_000)]
  )
  func times(_ text: String, _ microseconds: Int) throws {
    let scenario = try parse(adding: "launches: { count: 2, gap: \(text) }\n")
    #expect(scenario.gapBetweenLaunches.microseconds == microseconds)
    #expect(scenario.launches == 2)
  }

  @Test(
    "rates are per second",
    arguments: [("100 per s", 100.0), ("5 per 10 ms", 500), ("30/min", 0.5)])
  func rates(_ text: String, _ rate: Double) throws {
    let scenario = try parse([("kind: writer,", "kind: writer, rate: \(text),")])
    guard case .writer(let writer) = scenario.arms[0].clients[0].kind else {
      Issue.record("no writer")
      return
    }
    #expect(writer.load == LoadSpec(rate: .perSecond(rate)))
  }

  @Test("readers hold, invalidate or refresh")
  func readers() throws {
    #expect(try client("{ kind: reader }") == .reader(ReaderSpec(table: "Item")))
    #expect(
      try client("{ kind: reader, while-blocked: invalidates, reads: 3, keys: sequential }")
        == .reader(
          ReaderSpec(table: "Item", reads: 3, keys: .sequential, whileBlocked: .invalidates)))
    #expect(
      try client("{ kind: reader, while-blocked: refreshes every 1_00 commits, keys: latest 0.8 }")
        == .reader(
          ReaderSpec(
            table: "Item", keys: .latest(thetaPermille: 800),
            whileBlocked: .refreshes(everyCommits: 100))))
  }

  @Test("queues release at the end of the block, late, or never")
  func queues() throws {
    #expect(
      try client("{ kind: queues, queues: 2, concurrent: true, job-every: 5, release: never }")
        == .queues(
          QueueSpec(
            table: "Item", queues: 2, isConcurrent: true, jobEveryCommits: 5, release: .never)))
    #expect(
      try client("{ kind: queues, release: after 200 commits, keys: zipfian }")
        == .queues(
          QueueSpec(
            table: "Item", keys: .zipfian(thetaPermille: 990), release: .late(afterCommits: 200))))
    #expect(
      try client("{ kind: queues, release: at end of block }")
        == .queues(QueueSpec(table: "Item", release: .atEndOfBlock)))
  }

  @Test("frozen objects have a window, or none")
  func frozen() throws {
    #expect(
      try client("{ kind: frozen, take-every: 1 commit, window: 7 }")
        == .frozen(FrozenSpec(table: "Item", takeEveryCommits: 1, window: 7)))
    #expect(
      try client("{ kind: frozen, window: unlimited }")
        == .frozen(FrozenSpec(table: "Item", window: 0)))
  }

  @Test("an arm has all clients in full, with its own keys in place of theirs")
  func arms() throws {
    let scenario = try parse(
      adding: """
        arms:
          - blocked:
          - cured:
              summary: invalidate() before blocking
              clients: { other: { while-blocked: invalidates } }
              policies: never
          - alone: { clients: { other: none } }

        """)
    #expect(scenario.arms.map(\.name) == ["blocked", "cured", "alone"])
    let writer = ClientSpec(name: "writer", kind: .writer(WriterSpec(table: "Item", updates: 10)))
    let reader = {
      ClientSpec(name: "other", kind: .reader(ReaderSpec(table: "Item", whileBlocked: $0)))
    }
    #expect(scenario.arms[0].clients == [writer, reader(.holds)])
    #expect(scenario.arms[1].clients == [writer, reader(.invalidates)])
    #expect(scenario.arms[1].policies == ["never"])
    #expect(scenario.arms[1].summary == "invalidate() before blocking")
    #expect(scenario.arms[2].clients == [writer])
  }

  @Test("policies are words, conditions, pasted closures, and combinations")
  func policies() throws {
    let scenario = try parse(
      adding: """
        """)
    #expect(scenario.policies == [.never])
    let more = """
      - automatic
        - every-launch
        - automatic + every-launch
        - on-launch: totalBytes > 1 MB
        - automatic + on-launch: totalBytes > 2 MB
        - { name: both, automatic: true, on-launch: totalBytes > 3 MB }
        - name: pasted
          on-launch: |
            let limit = 20 * 1024 * 1024
            return totalBytes > limit
        - { name: eager, on-launch: always }
      """
    let policies = try parse([("- never", more)]).policies
    #expect(
      policies.map(\.name) == [
        "automatic", "every-launch", "automatic + every-launch", "on-launch: totalBytes > 1 MB",
        "automatic + on-launch: totalBytes > 2 MB", "both", "pasted", "eager",
      ])
    #expect(policies.map(\.automatic) == [true, false, true, false, true, true, false, false])
    #expect(policies[7].onLaunch == .always)
    let observation = Observation(space: SpaceUsage(file: ByteCount(20 << 20)))
    #expect(!policies[6].decideAtLaunch(observation).compact)
    #expect(policies[3].decideAtLaunch(observation).compact)
  }

  @Test("phases take place in the launches that are named")
  func launches() throws {
    let scenario = try parse(
      [
        (
          "  - work: { commits: 2_000, run: [writer, other] }",
          """
            - work: { commits: 2_000, run: [writer, other], launches: 1 to 2 }
            - trim: { delete: 85 %, batch: 500, launches: [2, 3 to 4] }
            - again: { refill: true, launches: 4 }
          """
        )
      ], adding: "launches: 4\n")
    #expect(scenario.phases.map(\.onlyInLaunches) == [[1, 2], [2, 3, 4], [4]])
    #expect(scenario.phases[1].deleteBatch == 500)
    #expect(scenario.phases[2].refill)
    #expect(scenario.phases(inLaunch: 2).map(\.name) == ["work", "trim"])
  }

  @Test("an expectation may speak of an engine that is run only where that is asked for")
  func optionalEngines() throws {
    let scenario = try parse(
      adding: """
        engines: [native]
        expect:
          - { in: work, that: plateau, engine: [native, native-objects, realm-core] }

        """)
    #expect(scenario.engines == ["native"])
    #expect(
      scenario.expectations.map(\.engine) == ["native", "native-objects", "realm-core"])
  }

  @Test("expectations are told apart, and one entry may speak of several engines")
  func expectations() throws {
    let scenario = try parse(
      adding: """
        expect:
          - { in: work, that: plateau }
          - { in: work, that: grows, of: realmFileSizeInBytes, engine: [lmdb, sqlite] }
          - { at: end, that: slope > 0 }
          - { in: work, that: totalBytes > 0 }
          - { in: work, that: pins == 0 eventually }
          - { at: end, that: totalBytes <= 3 * liveBytes   within 2_000 commits, arm: default, policy: never }

        """)
    let all = scenario.expectations
    #expect(all.map(\.engine) == [nil, "lmdb", "sqlite", nil, nil, nil, nil])
    #expect(
      all.map(\.text) == [
        "plateau", "grows (totalBytes)", "grows (totalBytes)", "slope > 0", "totalBytes > 0",
        "pins == 0 eventually", "totalBytes <= 3 * liveBytes within 2_000 commits",
      ])
    #expect(all[0].condition == .plateau(variable: "allBytes"))
    #expect(all[1].condition == .grows(variable: "totalBytes"))
    #expect(all[3].condition == .grows(variable: "allBytes"))
    #expect(all[3].scope == .atEnd)
    guard case .always(let always) = all[4].condition,
      case .eventually(let eventual, nil) = all[5].condition,
      case .eventually(let within, 2000) = all[6].condition
    else {
      Issue.record("\(all)")
      return
    }
    #expect(always.source == "totalBytes > 0")
    #expect(eventual.source == "pins == 0")
    #expect(within.source == "totalBytes <= 3 * liveBytes")
    #expect(all[6].policy == "never")
    #expect(all.map(\.line) == [13, 14, 14, 15, 16, 17, 18])
  }

  @Test(
    "shapes of curves, and predicates with their time",
    arguments: [
      (
        "slope <= 40 B/commit over the last third",
        .slope(variable: "allBytes", .atMost, perCommit: 40)
      ),
      ("slope > -1.5 kB per commit", .slope(variable: "allBytes", .above, perCommit: -1500)),
      ("high-water <= 20 MB", .highWater(variable: "allBytes", .atMost, .value(20_000_000))),
      (
        "high-water <= 2.5 × liveBytes",
        .highWater(variable: "allBytes", .atMost, .times(2.5, variable: "liveBytes"))
      ),
      (
        "reclaimed within 1_000 commits after release",
        .reclaimed(variable: "pinnedBytes", withinCommits: 1000)
      ),
      ("rebound <= 1.5", .rebound(variable: "allBytes", atMost: 1.5)),
    ] as [(String, ScenarioModel.Expectation.Condition)])
  func shapes(_ text: String, _ condition: ScenarioModel.Expectation.Condition) throws {
    let scenario = try parse(adding: "expect:\n  - { in: work, that: \(text) }\n")
    #expect(scenario.expectations.map(\.condition) == [condition])
    #expect(scenario.expectations.map(\.text) == [text])
  }

  @Test("a figure of the whole run is named by its column, and compared as a curve is")
  func figures() throws {
    for (text, condition) in [
      ("peak_disk_bytes <= 60 MB", .figure(column: "peak_disk_bytes", .atMost, .value(60_000_000))),
      (
        "peak_disk_bytes < 2 * final_bytes",
        .figure(column: "peak_disk_bytes", .below, .times(2, variable: "final_bytes"))
      ),
      (
        "final_bytes >= final_live_bytes",
        .figure(column: "final_bytes", .atLeast, .times(1, variable: "final_live_bytes"))
      ),
      ("operations > 0", .figure(column: "operations", .above, .value(0))),
    ] as [(String, ScenarioModel.Expectation.Condition)] {
      let scenario = try parse(adding: "expect:\n  - { at: end, that: \(text) }\n")
      #expect(scenario.expectations.map(\.condition) == [condition])
      #expect(scenario.expectations.map(\.text) == [text])
    }
  }

  @Test("a predicate may be forbidden, or asked for after an event")
  func timed() throws {
    let all = try parse(
      adding: """
        expect:
          - { in: work, that: never   totalBytes > 1 MB }
          - { in: work, that: pinnedBytes == 0 within 50 commits of release }

        """
    ).expectations
    guard case .never(let never) = all[0].condition,
      case .following(.release, let following, 50) = all[1].condition
    else {
      Issue.record("\(all)")
      return
    }
    #expect(never.source == "totalBytes > 1 MB")
    #expect(following.source == "pinnedBytes == 0")
  }

  @Test("a phase changes a client on top of what the arm changes, in that phase alone")
  func phaseChanges() throws {
    let scenario = try parse(
      [
        (
          "  - work: { commits: 2_000, run: [writer, other] }",
          """
            - import: { commits: 20, run: [writer: { transaction: { insert: 5_000 } }] }
            - work: { commits: 2_000, run: [writer, other: { reads: 7 }] }
          """
        )
      ],
      adding: """
        arms:
          - plain:
          - cured: { clients: { other: { while-blocked: invalidates } } }
          - alone: { clients: { other: none } }

        """)
    #expect(scenario.phases.map(\.clients) == [["writer"], ["writer", "other"]])
    let writer = ClientSpec(name: "writer", kind: .writer(WriterSpec(table: "Item", updates: 10)))
    let importer = ClientSpec(
      name: "writer", kind: .writer(WriterSpec(table: "Item", inserts: 5000)))
    func reader(_ behavior: ReaderSpec.WhileBlocked) -> ClientSpec {
      ClientSpec(
        name: "other",
        kind: .reader(ReaderSpec(table: "Item", reads: 7, whileBlocked: behavior)))
    }
    let (first, second) = (scenario.phases[0], scenario.phases[1])
    #expect(scenario.arms.map { $0.clients(in: first) } == [[importer], [importer], [importer]])
    #expect(
      scenario.arms.map { $0.clients(in: second) } == [
        [writer, reader(.holds)], [writer, reader(.invalidates)], [writer],
      ])
  }

  @Test("a phase cannot change what a client is, nor a client that there is not")
  func phaseChangeMistakes() {
    func problem(_ run: String) -> [String] {
      do {
        _ = try parse([("[writer, other]", run)])
        return []
      } catch {
        return (error as? ScenarioProblems)?.problems.map(\.message) ?? ["\(error)"]
      }
    }
    #expect(
      problem("[writer, other: { kind: writer }]") == [
        "an arm or a phase changes how a client behaves, not its kind"
      ])
    #expect(problem("[writer, other, { othr: { reads: 2 } }]") == ["unknown client \"othr\""])
    #expect(problem("[writer, other: { raeds: 2 }]") == ["unknown key \"raeds\""])
    #expect(problem("[writer, other, other]") == ["client \"other\" is there already"])
  }
}
