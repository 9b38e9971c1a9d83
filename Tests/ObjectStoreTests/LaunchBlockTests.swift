// When the launch block is asked: where the process opens a file that it has not open, and never while anything of it is
// alive. Core does the same, which looks whether it has the file; "the first time during the life of a process" of its
// reference is that for a program that keeps the file open.
import Foundation
import Testing

@testable import ObjectStore

@Suite("When the launch block is asked")
struct LaunchBlockTests {
  private final class Asked: Sendable {
    private let count = LockedValue(0)
    var times: Int { count.withLock { $0 } }

    func configuration(_ folder: RealmFolder, _ answer: Bool = false) -> Realm.Configuration {
      folder.configuration([Note.self]) {
        $0.shouldCompactOnLaunch = { [self] total, used in
          #expect(used <= total)
          count.withLock { $0 += 1 }
          return answer
        }
      }
    }
  }

  /// A file that the process has not open.
  private func filled() throws -> RealmFolder {
    let folder = try RealmFolder()
    let realm = try folder.open([Note.self])
    try realm.write { realm.create(Note.self, value: ["text": "a"]) }
    return folder
  }

  @Test("a file that is not there yet is none to be asked about; the next opening asks")
  func newFile() throws {
    let folder = try RealmFolder()
    let asked = Asked()
    _ = try Realm(configuration: asked.configuration(folder)).isEmpty
    #expect(asked.times == 0)
    _ = try Realm(configuration: asked.configuration(folder)).isEmpty
    #expect(asked.times == 1)
  }

  @Test(
    "whatever keeps the file open keeps the block from being asked: results, an object, what is frozen, a reference"
  )
  func stillOpen() throws {
    let folder = try filled()
    let holders: [(Realm) -> Any?] = [
      { $0.objects(Note.self) }, { $0.objects(Note.self).first },
      { $0.objects(Note.self).first?.freeze() }, { $0.freeze() },
      { $0.objects(Note.self).first.map { ThreadSafeReference(to: $0) } },
    ]
    for (number, hold) in holders.enumerated() {
      let asked = Asked()
      var held: Any? = hold(try Realm(configuration: asked.configuration(folder)))
      #expect(held != nil)
      #expect(asked.times == 1)
      _ = try Realm(configuration: asked.configuration(folder)).isEmpty
      let elsewhere = try onAnotherThread {
        try Realm(configuration: asked.configuration(folder)).objects(Note.self).count
      }
      #expect(elsewhere == 1)
      #expect(asked.times == 1, "holder \(number)")
      held = nil
      _ = try Realm(configuration: asked.configuration(folder)).isEmpty
      #expect(asked.times == 2, "holder \(number)")
    }
  }

  @Test("of threads that open at once one is asked, and all others have what it left")
  func atOnce() throws {
    let folder = try filled()
    let asked = Asked()
    let configuration = asked.configuration(folder, true)
    // Keeps it open until all have looked.
    let inside = DispatchSemaphore(value: 0)
    let mayGo = DispatchSemaphore(value: 0)
    let counts = LockedValue<[Int]>([])
    let group = DispatchGroup()
    for _ in 0..<4 {
      group.enter()
      Thread {
        do {
          let realm = try Realm(configuration: configuration)
          let count = realm.objects(Note.self).count
          counts.withLock { $0.append(count) }
          inside.signal()
          mayGo.wait()
          withExtendedLifetime(realm) {}
        } catch { inside.signal() }
        group.leave()
      }.start()
    }
    for _ in 0..<4 { inside.wait() }
    for _ in 0..<4 { mayGo.signal() }
    group.wait()
    #expect(counts.withLock { $0 } == [1, 1, 1, 1])
    #expect(asked.times == 1)
  }

  @Test("it is asked before the classes are looked at: a migration that fails comes after it")
  func beforeMigration() throws {
    let folder = try filled()
    let asked = Asked()
    var configuration = asked.configuration(folder)
    configuration.objectTypes = [Renamed.Note.self]
    #expect(throws: Realm.Error.self) { try Realm(configuration: configuration) }
    #expect(asked.times == 1)
  }

  private enum Renamed {
    class Note: Object {
      @Persisted var words: String
    }
  }
}
