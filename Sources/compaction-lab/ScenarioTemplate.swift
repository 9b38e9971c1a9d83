// The scenario that `new` writes: small, complete, and with a comment on each part.

enum ScenarioTemplate {
  static func text(named name: String) -> String {
    """
    # A scenario: the data, the clients that work on it, when the database is compacted, and the expected outcome.
    # The language is described in Docs/Scenarios.md; compaction-lab validate prints every mistake in a file.
    scenario: \(name)
    question: What does one reader that holds its version cost while a thread keeps writing?

    # Tables and their initial rows. Sizes: 256 B, 4 kB, 100 B to 4 kB, and others.
    data:
      Item: { rows: 5_000, value: { size: 256 B } }

    # Clients. Kinds: writer, reader, queues, frozen, and others. A client runs in the phases that name it.
    clients:
      writer: { kind: writer, transaction: { update: 10 }, keys: uniform, rate: 100 per s }
      reader: { kind: reader, reads: 10, while-blocked: holds }

    # Arms: the first is what users do, the others are mitigations.
    arms:
      - blocked:
          summary: the reader holds its version while it is blocked
      - invalidate:
          summary: invalidate() before blocking
          clients: { reader: { while-blocked: invalidates } }

    # The parts of a launch, in order: the database is opened, goes through them, and is closed.
    phases:
      - warm-up:  { commits: 200, run: [writer] }
      - pinned:   { commits: 500, run: [writer, reader], launches: 1 }   # only in the first launch
      - trim:     { delete: 80 %, launches: 2 }
      - released: { commits: 300, run: [writer] }
    launches: { count: 3, gap: 8 h }

    engines: [native, lmdb, sqlite]

    # When to compact, one after the other.
    policies:
      - never
      - automatic
      - on-launch: totalBytes > 1 MB && usedBytes / totalBytes < 50 %

    sample: { every: 10 commits }

    # Expectations: where one is false, the run exits with 1.
    expect:
      - { in: pinned, arm: blocked, policy: never, engine: [lmdb, sqlite], that: grows }
      - { at: end, that: pins == 0 }

    """
  }
}
