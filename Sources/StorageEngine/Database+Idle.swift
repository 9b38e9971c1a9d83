// Automatic compaction while no transaction is open: a sequence of commits that change no row, as long as each advances
// it. The thread of `DatabaseOptions.idleCompaction` executes the same steps as `reclaimWhileIdle`, so tests that
// execute them one by one cover the thread too.

extension Database {
  private enum IdleStep {
    case made(moved: Int, hasMore: Bool)
    case idle(AutomaticCondition)
    case writerWaiting
  }

  /// Advances automatic compaction while no transaction is open, in steps. Each step is a commit without changes that
  /// moves at most `idleCompaction.stepBytes` bytes (the default if the option is nil), so that a writer that arrives
  /// meanwhile waits for one step at most. Returns when there is nothing to do, a condition prevents progress, a writer
  /// arrives, or `budget` bytes are moved.
  ///
  /// Errors: those of a commit, including `tooManyVersions`, `readOnly` and `closed`.
  public func reclaimWhileIdle(budget: Int = .max) throws(StorageError) -> IdleReclamation {
    var done = IdleReclamation(end: .budgetSpent)
    while done.moved < budget {
      switch try idleStep() {
      case .idle(let condition): done.end = .idle(condition)
      case .writerWaiting: done.end = .writerWaiting
      case .made(let moved, let hasMore):
        done.steps += 1
        done.moved += moved
        if hasMore { continue }
        done.end = .writerWaiting
      }
      return done
    }
    return done
  }

  private func idleStep() throws(StorageError) -> IdleStep {
    guard idleGate.tryEnter() else { return .writerWaiting }
    defer { idleGate.leave() }
    return try withStore { (store) throws(StorageError) in
      let readers = store.readers
      guard var access = try store.beginWriteIfFree() else { return .writerWaiting }
      access.writer.collectNewlyFree()
      access.writer.truncateTail(atMost: .max, readers.withLock { $0.syncReaderTable() })
      guard evacuation.isDue(access.writer) else { return .idle(evacuation.condition(readers)) }
      let before = (evacuation.condition(readers), readers.account.file)
      evacuation.minBudget = (options.idleCompaction ?? IdleCompaction()).stepBytes
      defer { evacuation.minBudget = 0 }
      try commit(&access.writer)
      let work = evacuation.work
      // A step without progress is the last.
      guard work.copied > 0 || before != (evacuation.condition(readers), readers.account.file)
      else {
        return .idle(evacuation.condition(readers))
      }
      return .made(moved: work.copied, hasMore: !store.lock.isAwaited)
    }
  }

  /// Starts the thread if the options request it. Called once, when the database is open.
  func startIdleThread() {
    guard let idle = options.idleCompaction, options.automaticCompaction != nil,
      !options.readOnly
    else { return }
    idleThread = IdleThread(afterMilliseconds: idle.afterMilliseconds) { [weak self] in
      self?.workWhileIdle() ?? .never
    }
  }

  private func workWhileIdle() -> IdleThread.Next {
    do {
      switch try idleStep() {
      case .made(_, let hasMore): return hasMore ? .soon : .later
      case .writerWaiting: return .later
      case .idle(.pinned), .idle(.blockedByReaders), .idle(.blockedBySnapshot): return .later
      case .idle: return .whenWritten
      }
    } catch {
      // A commit will meet the same error, and can report it.
      return error.code == .closed ? .never : .whenWritten
    }
  }
}
