// One thread of a client of lookups: its keys, its snapshot and its latencies.
import EngineInterface
import Generators
import ScenarioModel
import SystemIO

/// Used by one thread at a time.
final class LookupThread {
  private let name: String
  private let number: Int
  private let spec: LookupSpec
  private let table: TableState
  private let context: ClientContext
  private let recorder: LookupRecorder
  private let latencies = LookupLatencies()
  private var executor: LookupExecutor
  private var work: LookupWork
  private let reader: any LookupReader
  /// The transactions that read the current version, and the commits before the first of them.
  private var transactions = 0
  private var commitsAtBegin = 0
  /// How many commits each snapshot lived, since they were last passed on.
  private var lives: [Int] = []

  init(
    _ name: String, number: Int, _ spec: LookupSpec, _ table: TableState, _ context: ClientContext,
    keys: KeyChooser
  ) {
    self.name = name
    self.number = number
    self.spec = spec
    self.table = table
    self.context = context
    recorder = context.recorder.lookups
    executor = LookupExecutor(spec, table: table.index, keys: keys)
    work = LookupWork(storesRows: table.storesRows)
    reader =
      spec.transactionsPerSnapshot == 1
      ? BriefReader(context.session, name) : KeptReader(context.recorded, name)
    recorder.add(name, thread: number, latencies)
  }

  /// Makes one transaction and records it. `dueNanoseconds` is its scheduled beginning on the machine's clock, nil on the
  /// virtual clock and in a closed loop.
  func transact(dueNanoseconds: UInt64? = nil) throws {
    let stage = recorder.stage
    let start = Clock.monotonicNanoseconds()
    var operations = 0
    do throws(EngineError) {
      if transactions == 0 {
        commitsAtBegin = recorder.commits
        try reader.begin()
      }
      operations = try executor.operate(reader.snapshot, on: table.publishedKeys.range)
      transactions += 1
      if transactions == spec.transactionsPerSnapshot { endSnapshot() }
    } catch {
      endSnapshot()
      guard context.isRefusal(error) else { throw error }
      return context.recorder.record(lookupRefusal: error)
    }
    let end = Clock.monotonicNanoseconds()
    work.span = (work.span?.lowerBound ?? start)...end
    work.operations += operations
    let transaction = LookupTransaction(
      end: end, service: end - start, intended: dueNanoseconds.map { end - min($0, end) },
      stage: stage,
      operations: operations)
    if latencies.add(transaction, &executor.latencies) { pass() }
  }

  private func endSnapshot() {
    guard transactions > 0 || reader.isOpen else { return }
    reader.end()
    transactions = 0
    lives.append(recorder.commits - commitsAtBegin)
    if lives.count == Self.maxLives { passLives() }
  }

  /// Ends its part of the phase: releases its snapshot, and passes on what it recorded.
  func end() {
    if transactions > 0 { endSnapshot() }
    reader.close()
    work.missing = executor.missing
    passLives()
    pass()
    recorder.record(work: work, of: name, thread: number)
  }

  private func pass() { recorder.pass(latencies) }

  private func passLives() {
    recorder.record(snapshotCommits: lives, of: name)
    lives.removeAll(keepingCapacity: true)
  }

  private static let maxLives = 1024
}
