// The decrypted bytes of an encrypted Realm file. Its pages are authenticated one by one, and those that are not authentic
// are remembered, so that nothing is read from them.
import Encryption
import SystemIO

/// The key of encrypted Realm files.
package struct RealmKey: Sendable {
  package static let size = RealmPageCipher.keySize
  let cipher: RealmPageCipher

  /// Nil unless there are `size` bytes.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.size else { return nil }
    cipher = RealmPageCipher(key: SecretBytes(bytes))
  }
}

final class RealmEncryptedSource: ByteSource {
  private typealias Layout = RealmPageLayout

  private let file: any ByteSource
  private let cipher: RealmPageCipher
  /// The entries that were read last.
  private var group: (index: Int, entries: [UInt8])?
  /// The pages that were not authentic when they were read last.
  private(set) var damaged: Set<Int> = []

  /// A writer stores the entry before the page: it is between the two for an instant.
  private static let attempts = 20

  init(_ file: any ByteSource, _ key: RealmKey) {
    self.file = file
    cipher = key.cipher
  }

  var fileBytes: Int { get throws(SystemError) { try file.size } }

  var size: Int { get throws(SystemError) { Layout.dataBytes(ofFile: try file.size) } }

  func isReadable(_ range: Range<Int>) -> Bool {
    damaged.isEmpty || range.isEmpty
      || !(range.lowerBound / Layout.pageBytes...(range.upperBound - 1) / Layout.pageBytes)
        .contains { damaged.contains($0) }
  }

  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(SystemError) -> Int {
    let end = min(try size, offset + buffer.count)
    var next = offset
    while next < end {
      let page = next / Layout.pageBytes
      let upTo = min(end, (page + 1) * Layout.pageBytes)
      let start = page * Layout.pageBytes
      let bytes = try read(page: page)
      UnsafeMutableRawBufferPointer(rebasing: buffer[next - offset..<upTo - offset])
        .copyBytes(from: bytes[next - start..<upTo - start])
      next = upTo
    }
    return max(0, end - offset)
  }

  /// Returns the contents of a page: zeros where it was never written or is not authentic.
  private func read(page: Int) throws(SystemError) -> [UInt8] {
    let zeros = [UInt8](repeating: 0, count: Layout.pageBytes)
    for attempt in 0..<Self.attempts {
      if attempt > 0 { group = nil }
      guard let entry = try entry(of: page) else { break }
      guard entry.isWritten else {
        damaged.remove(page)
        return zeros
      }
      let ciphertext = try bytes(at: Layout.fileOffset(ofPage: page))
      guard ciphertext.count == Layout.pageBytes else { break }
      if let counter = authenticCounter(of: ciphertext, entry) {
        damaged.remove(page)
        return cipher.decrypt(ciphertext, counter: counter, offset: page * Layout.pageBytes)
      }
      // Space that was cut off and given back: Realm Core takes it for space that was never written.
      if ciphertext == zeros {
        damaged.remove(page)
        return zeros
      }
    }
    damaged.insert(page)
    return zeros
  }

  private func authenticCounter(
    of ciphertext: [UInt8], _ entry: RealmPageEntry
  ) -> ArraySlice<UInt8>? {
    if cipher.authenticates(ciphertext, tag: entry.tag) { return entry.counter }
    guard entry.hasPrevious, cipher.authenticates(ciphertext, tag: entry.previousTag) else {
      return nil
    }
    return entry.previousCounter
  }

  private func entry(of page: Int) throws(SystemError) -> RealmPageEntry? {
    let index = page / Layout.pagesInGroup
    if group?.index != index {
      group = (index, try bytes(at: Layout.fileOffset(ofGroup: index)))
    }
    let offset = page % Layout.pagesInGroup * Layout.entryBytes
    guard let entries = group?.entries, entries.count >= offset + Layout.entryBytes else {
      return nil
    }
    return RealmPageEntry(entries[offset..<offset + Layout.entryBytes])
  }

  /// Returns a page of the file; fewer bytes only at the end.
  private func bytes(at offset: Int) throws(SystemError) -> [UInt8] {
    try file.bytes(at: offset, count: Layout.pageBytes)
  }

  /// Returns whether any of the first pages is authentic: not under another key.
  func hasAuthenticPage() throws(SystemError) -> Bool {
    for page in 0..<min(try size / Layout.pageBytes, Layout.pagesInGroup) {
      guard let entry = try entry(of: page), entry.isWritten else { continue }
      let ciphertext = try bytes(at: Layout.fileOffset(ofPage: page))
      if authenticCounter(of: ciphertext, entry) != nil { return true }
    }
    return false
  }
}
