// Where a reader's bytes come from: a file, or memory in tests, which can change between two reads.
package import SystemIO

/// Bytes that can be read at any offset.
package protocol ByteSource: AnyObject {
  var size: Int { get throws(SystemError) }

  /// Fills `buffer` from `offset` on, and returns the number of bytes read: fewer only at the end.
  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(SystemError) -> Int

  /// Whether the bytes of a range that was read are the file's, and not damaged so that nothing is known of them.
  func isReadable(_ range: Range<Int>) -> Bool
}

extension ByteSource {
  package func isReadable(_ range: Range<Int>) -> Bool { true }

  /// Returns `count` bytes from `offset` on: fewer only at the end.
  func bytes(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
    var failure: SystemError?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      do throws(SystemError) {
        filled = try read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }
}

/// A file. Takes no lock, and must not be used on a file that LMDB or SQLite has open in this process: closing any
/// descriptor of the file would release their locks.
package final class FileSource: ByteSource {
  private let reader: FileReader
  private let path: FilePath

  package init(_ path: FilePath) throws(SystemError) {
    reader = try FileReader(path)
    self.path = path
  }

  package var size: Int { get throws(SystemError) { try FileSystem.size(of: path).bytes } }

  package func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(SystemError) -> Int {
    try reader.read(into: buffer, at: offset)
  }
}

/// A database file and those beside it.
package struct SourceFamily {
  package let main: any ByteSource
  private let open: (SideName) throws(SystemError) -> (any ByteSource)?

  /// How the name of a file beside the database file is formed.
  package enum SideName: Hashable, Sendable {
    /// The database file's name with this behind it.
    case suffix(String)
    /// This name in the same folder, if the database file has the other.
    case sibling(String, of: String)
  }

  package init(
    main: any ByteSource, side: @escaping (SideName) throws(SystemError) -> (any ByteSource)?
  ) {
    self.main = main
    open = side
  }

  /// The file at `path`, links followed, since engines name the files beside it after the target.
  package init(_ path: FilePath) throws(SystemError) {
    let path = try FileSystem.resolved(path)
    self.init(main: try FileSource(path)) { (name) throws(SystemError) in
      let side: FilePath
      switch name {
      case .suffix(let suffix): side = FilePath(path.string + suffix)
      case .sibling(let name, let main):
        guard path.lastComponent?.string == main else { return nil }
        side = path.removingLastComponent().appending(name)
      }
      guard FileSystem.isFile(side) else { return nil }
      do throws(SystemError) { return try FileSource(side) } catch {
        if error.isNotFound { return nil }
        throw error
      }
    }
  }

  /// Returns a family with another source in place of the database file, and the same files beside it.
  func replacing(main: any ByteSource) -> SourceFamily { SourceFamily(main: main, side: open) }

  /// Returns the first of these files that exists.
  package func side(_ names: SideName...) throws(SystemError) -> (any ByteSource)? {
    for name in names {
      if let source = try open(name) { return source }
    }
    return nil
  }
}
