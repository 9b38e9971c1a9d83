// Opening and writing without blocking the caller's thread: the file is opened, and compacted where that is asked for, on
// a thread of the system's, and so is the wait for the writer's place.
import Dispatch
import Foundation
import StorageEngine
import SystemIO

/// How long an opening took, in nanoseconds of the machine's clock.
public struct OpeningTimes: Sendable, Equatable {
  /// Until the caller's thread could do other things. Of a synchronous opening this is all of it.
  public var untilCallerIsFree: UInt64
  /// Until the realm could be used.
  public var untilReady: UInt64
}

extension Realm {
  /// Opens the realm for the main actor.
  @MainActor
  public init(configuration: Configuration = .defaultConfiguration) async throws {
    try await self.init(configuration: configuration, actor: MainActor.shared)
  }

  /// Opens the realm for an actor, local or global, which the caller is in.
  public init<A: Actor>(
    configuration: Configuration = .defaultConfiguration, actor: A
  ) async throws {
    let confinement = Confinement.on(actor)
    instance = try await Self.opened { try Realm(configuration, confinement).instance }.take()
  }

  /// The same on a file that somebody has open.
  init<A: Actor>(_ configuration: Configuration, on actor: A, using use: FileReference) async throws
  {
    let confinement = Confinement.on(actor)
    instance = try await Self.opened {
      try Realm(configuration, confinement, using: use).instance
    }.take()
  }

  /// How the opening of this instance went.
  public var openingTimes: OpeningTimes? { instance.openingTimes }

  private static func opened(
    _ open: @escaping @Sendable () throws -> OpenRealm
  ) async throws -> UnsafeTransfer<OpenRealm> {
    let began = Clock.monotonicNanoseconds()
    let free = LockedValue(UInt64(0))
    let handover: UnsafeTransfer<OpenRealm> = try await withCheckedThrowingContinuation {
      continuation in
      DispatchQueue.global(qos: .userInitiated).async {
        continuation.resume(
          with: Result {
            let instance = try open()
            let ready = Clock.monotonicNanoseconds()
            instance.openingTimes = OpeningTimes(
              untilCallerIsFree: free.withLock { $0 }, untilReady: ready &- began)
            return UnsafeTransfer(instance)
          })
      }
      free.withLock { $0 = Clock.monotonicNanoseconds() &- began }
    }
    return handover
  }

  /// Runs `block` in a write transaction on the caller's actor. The wait for the writer's place, and the commit's wait for
  /// the disk, do not block the actor's thread.
  @discardableResult
  public func asyncWrite<Result>(
    isolation: isolated (any Actor)? = #isolation, _ block: () throws -> Result
  ) async throws -> Result {
    try instance.checkOrThrow()
    try instance.checkWritable()
    try instance.file.checkNoNestedWrite()
    let turns = instance.file.turns
    await turns.take()
    defer { turns.leave() }
    let transaction = try await instance.beginWriteOnBackgroundThread()
    try instance.begin(transaction.take())
    let result: Result
    do { result = try block() } catch {
      if instance.writing != nil { instance.cancelWrite() }
      throw error
    }
    if instance.writing != nil { try instance.commitWrite() }
    return result
  }
}

extension OpenRealm {
  /// Waits for the writer's place on a thread of the system's.
  fileprivate func beginWriteOnBackgroundThread(
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> UnsafeTransfer<WriteTransaction> {
    let database = file.database
    let url = file.url
    return try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global(qos: .userInitiated).async {
        do throws(StorageError) {
          let transaction = try database.beginWrite()
          continuation.resume(returning: UnsafeTransfer(transaction))
        } catch {
          continuation.resume(throwing: Realm.Error(error, file: url))
        }
      }
    }
  }
}

/// Something that one thread has made for another and keeps nothing of.
struct UnsafeTransfer<Value>: @unchecked Sendable {
  private let value: Value

  init(_ value: Value) { self.value = value }

  func take() -> Value { value }
}
