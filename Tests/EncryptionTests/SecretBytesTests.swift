// Keys are wiped: the memory that held one is zero before it is freed.
import Synchronization
import Testing

@testable import Encryption

@Suite("Keys in memory", .serialized)
struct SecretBytesTests {
  /// What was seen of the releases of some secrets; other suites release theirs at the same time.
  private final class Releases: Sendable {
    private struct State {
      var watched: [[UInt8]: Int] = [:]
      /// The secrets whose memory is about to be wiped, by address.
      var held: [UInt: [UInt8]] = [:]
      var residue: [UInt8] = []
    }

    private let state: Mutex<State>

    init(of secrets: [[UInt8]]) {
      state = Mutex(State(watched: Dictionary(uniqueKeysWithValues: secrets.map { ($0, 0) })))
    }

    func note(_ step: SecretBytes.Release, _ memory: UnsafeRawBufferPointer) {
      let address = UInt(bitPattern: memory.baseAddress)
      let bytes = Array(memory)
      state.withLock { state in
        switch step {
        case .willWipe:
          if state.watched[bytes] != nil { state.held[address] = bytes }
        case .didWipe:
          guard let secret = state.held.removeValue(forKey: address) else { return }
          state.watched[secret, default: 0] += 1
          state.residue += bytes.filter { $0 != 0 }
        }
      }
    }

    /// How often each secret was wiped.
    var counts: [[UInt8]: Int] { state.withLock { $0.watched } }
    /// The bytes that were left of them.
    var residue: [UInt8] { state.withLock { $0.residue } }
  }

  private func observing(_ secrets: [[UInt8]], _ body: (Releases) -> Void) {
    let releases = Releases(of: secrets)
    SecretBytes.observers.withLock { $0["\(Self.self)"] = { releases.note($0, $1) } }
    body(releases)
    SecretBytes.observers.withLock { $0["\(Self.self)"] = nil }
  }

  @Test("a secret is wiped when its last user releases it, and not before")
  func lastUser() {
    let bytes = (0..<64).map { UInt8($0) ^ 0xA5 }
    observing([bytes]) { releases in
      var first: SecretBytes? = SecretBytes(bytes)
      var second = first
      first = nil
      #expect(releases.counts[bytes] == 0)
      second?.withBytes { #expect(Array($0) == bytes) }
      second = nil
      #expect(releases.counts[bytes] == 1)
      #expect(releases.residue == [])
    }
  }

  @Test("a cipher wipes the master key, its own key and those of earlier openings with it")
  func cipher() {
    let master = (0..<UnitCipher.keySize).map { UInt8(truncatingIfNeeded: $0 * 7 + 1) }
    let identity = [UInt8](repeating: 0x5A, count: UnitCipher.identitySize)
    let plain = [UInt8](repeating: 1, count: 4096)
    var sealed = [[UInt8]](repeating: plain, count: 2)
    var entries = [[UInt8]](repeating: Array(repeating: 0, count: UnitCipher.entrySize), count: 2)
    func seal(_ cipher: UnitCipher, _ index: Int) {
      plain.withUnsafeBytes {
        cipher.seal($0, place: 1, version: 1, into: &sealed[index], entry: &entries[index])
      }
    }
    seal(UnitCipher(key: SecretBytes(master), identity: identity), 0)
    var cipher: UnitCipher? = UnitCipher(key: SecretBytes(master), identity: identity)
    cipher.map { seal($0, 1) }
    // As the cipher derives the key of an opening from the salt that is in each entry.
    let derived = entries.map { entry in
      KeyDerivation.derive(
        from: SecretBytes(master), salt: Array(entry[..<16]), info: identity + [2],
        count: AESGCMKey.size
      ).withBytes { Array($0) }
    }
    #expect(Set(derived).count == 2)
    observing([master] + derived) { releases in
      var opened = plain
      for index in 0..<2 {
        let isOpened = sealed[index].withUnsafeBytes {
          cipher?.open($0, entry: entries[index], place: 1, version: 1, into: &opened)
        }
        #expect(isOpened == true)
      }
      #expect(releases.counts == [master: 0, derived[0]: 0, derived[1]: 0])
      cipher = nil
      #expect(releases.counts == [master: 1, derived[0]: 1, derived[1]: 1])
      #expect(releases.residue == [])
    }
  }
}
