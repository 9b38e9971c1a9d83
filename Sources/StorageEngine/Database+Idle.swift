// Automatic compaction while nobody writes: commits that change no row, one after another, as long as each brings it on.
// The thread of `DatabaseOptions.idleCompaction` makes the same steps as a program that calls `reclaimWhileIdle`, so that
// what is tested step by step is what runs by itself.

extension Database {
  private enum IdleStep {
    case made(moved: Int, hasMore: Bool)
    case idle(AutomaticCondition)
    case writerWaiting
  }

  /// Brings automatic compaction on while nobody writes, in steps: each is a commit without changes that moves at most
  /// `idleCompaction.stepBytes` (those of its defaults where the option is nil), so that a writer that comes meanwhile
  /// waits for one step at most. Returns when there is nothing to do, something stands in the way, a writer came, or
  /// `budget` bytes are moved.
  ///
  /// Errors: those of a commit; `tooManyVersions`, `readOnly` and `closed` among them.
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
    guard idleTurns.begin() else { return .writerWaiting }
    defer { idleTurns.end() }
    return try withStore { (store) throws(StorageError) in
      guard try store.beginWriteIfFree() else { return .writerWaiting }
      defer { store.leaveWriterPlace() }
      store.collectNewlyFree()
      store.cutTail(atMost: .max, store.mutex.withLock { store.noteReaders() })
      guard evacuation.isDue(store) else { return .idle(evacuation.condition(store)) }
      let before = (evacuation.condition(store), store.account.file)
      evacuation.leastBudget = (options.idleCompaction ?? IdleCompaction()).stepBytes
      defer { evacuation.leastBudget = 0 }
      try commit(store)
      let work = evacuation.work
      // A step that brings nothing on is the last.
      guard work.copied > 0 || before != (evacuation.condition(store), store.account.file) else {
        return .idle(evacuation.condition(store))
      }
      return .made(moved: work.copied, hasMore: !store.isWriterWaiting)
    }
  }

  /// Starts the thread that the options ask for. Called once, when the database is open.
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
      // Commits meet the same, and have somebody to tell it to.
      return error.code == .closed ? .never : .whenWritten
    }
  }
}
