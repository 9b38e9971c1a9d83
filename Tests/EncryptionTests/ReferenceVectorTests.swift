import Foundation
import Testing

@testable import Encryption

@Suite("Reference vectors")
struct ReferenceVectorTests {
  private struct Row {
    var fields: [[UInt8]]
    var isValid: Bool
  }

  /// The rows of a file of hexadecimal fields, without comments and header.
  private func rows(_ name: String) throws -> [Row] {
    let url = try #require(
      Bundle.module.url(forResource: name, withExtension: "csv", subdirectory: "Reference"))
    let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
    return lines.filter { !$0.hasPrefix("#") }.dropFirst().map { line in
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      return Row(fields: fields.map(bytes), isValid: fields.last != "false")
    }
  }

  private func bytes(_ hexadecimal: Substring) -> [UInt8] {
    let digits = hexadecimal.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map {
      UInt8(digits[$0] << 4 | digits[$0 + 1])
    }
  }

  @Test("AES-256-GCM seals and opens NIST's vectors, and refuses those that NIST's refuse")
  func cipher() throws {
    let rows = try rows("nist-gcm-256")
    #expect(rows.count == 75 && rows.count { !$0.isValid } == 25)
    for row in rows {
      let key = AESGCMKey(SecretBytes(row.fields[0]))
      let (nonce, associated) = (row.fields[1], row.fields[3])
      let (plaintext, ciphertext, tag) = (row.fields[2], row.fields[4], row.fields[5])
      var opened = [UInt8](repeating: 7, count: ciphertext.count + 1)
      let isOpened = opened.withUnsafeMutableBytes { opened in
        ciphertext.withUnsafeBytes { ciphertext in
          associated.withUnsafeBytes {
            key.open(
              ciphertext, nonce: nonce, authenticating: $0, tag: tag, into: opened.baseAddress!)
          }
        }
      }
      #expect(isOpened == row.isValid)
      guard row.isValid else {
        #expect(
          opened.dropLast().allSatisfy { $0 == 0 } && opened.last == 7,
          "What does not open leaves zeros.")
        continue
      }
      #expect(opened.dropLast() == plaintext[...])
      var sealed = [UInt8](repeating: 0, count: plaintext.count + 1)
      var sealedTag = [UInt8](repeating: 0, count: AESGCMKey.tagSize)
      sealed.withUnsafeMutableBytes { sealed in
        plaintext.withUnsafeBytes { plaintext in
          associated.withUnsafeBytes {
            key.seal(
              plaintext, nonce: nonce, authenticating: $0, into: sealed.baseAddress!,
              tag: &sealedTag)
          }
        }
      }
      #expect(sealed.dropLast() == ciphertext[...] && sealedTag == tag)
    }
  }

  @Test("keys derived by HKDF with SHA-512 are those that Python derives")
  func keyDerivation() throws {
    let rows = try rows("hkdf-sha512")
    #expect(rows.count == 6)
    for row in rows.map(\.fields) {
      #expect(
        KeyDerivation.derive(
          from: SecretBytes(row[0]), salt: row[1], info: row[2], count: row[3].count)
          == SecretBytes(row[3]))
    }
  }

  @Test("many threads seal and open with one key, and no unit is lost")
  func threads() {
    let key = AESGCMKey(SecretBytes([UInt8](repeating: 3, count: AESGCMKey.size)))
    let plaintext = [UInt8](repeating: 5, count: 512)
    // Each thread its own: the thread sanitizer does not see `Synchronization.Mutex`.
    let opened = UnsafeMutableBufferPointer<Int>.allocate(capacity: 64)
    opened.initialize(repeating: 0)
    defer { opened.deallocate() }
    nonisolated(unsafe) let counts = opened
    DispatchQueue.concurrentPerform(iterations: 64) { thread in
      for round in 0..<50 {
        var nonce = [UInt8](repeating: 0, count: AESGCMKey.nonceSize)
        nonce[0] = UInt8(thread)
        nonce[1] = UInt8(round)
        var sealed = plaintext
        var tag = [UInt8](repeating: 0, count: AESGCMKey.tagSize)
        var result = [UInt8](repeating: 0, count: plaintext.count)
        plaintext.withUnsafeBytes {
          key.seal(
            $0, nonce: nonce, authenticating: UnsafeRawBufferPointer(start: nil, count: 0),
            into: &sealed, tag: &tag)
        }
        let isOpened = sealed.withUnsafeBytes {
          key.open(
            $0, nonce: nonce, authenticating: UnsafeRawBufferPointer(start: nil, count: 0),
            tag: tag, into: &result)
        }
        if isOpened && result == plaintext { counts[thread] += 1 }
      }
    }
    #expect(opened.allSatisfy { $0 == 50 })
  }
}
