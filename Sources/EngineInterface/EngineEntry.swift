// What an adapter declares of its engine for the catalog: enough to list, document and recognize the engine on a machine
// that does not have its library.
package import MetricModel
package import SystemIO

/// An engine's entry in the catalog.
package struct EngineEntry: Sendable {
  package let id: EngineIdentifier
  /// The bytes by which the engine's files are recognized, so that commands for other files can refuse them.
  package let fileMark: FileMark?
  /// The same for a database that is a folder.
  package let folderMark: FolderMark?
  /// The capabilities that the adapter declares without opening the library: the version is empty.
  package let declared: EngineCapabilities
  private let request: @Sendable () -> LibraryRequest?
  private let make: @Sendable () throws(LibraryAbsence) -> any Engine

  package init(
    _ id: EngineIdentifier, library: @autoclosure @escaping @Sendable () -> LibraryRequest? = nil,
    fileMark: FileMark? = nil, folderMark: FolderMark? = nil, declared: EngineCapabilities,
    make: @escaping @Sendable () throws(LibraryAbsence) -> any Engine
  ) {
    self.id = id
    request = library
    self.fileMark = fileMark
    self.folderMark = folderMark
    self.declared = declared
    self.make = make
  }

  /// The library and where it is searched for; nil for an engine that needs none. The search may list folders.
  package var library: LibraryRequest? { request() }

  /// Opens the library and returns the engine. Error where the library is not on this machine, or not usable.
  package func open() throws(LibraryAbsence) -> any Engine { try make() }

  /// The engine, or why it is not on this machine.
  package var availability: EngineAvailability {
    do throws(LibraryAbsence) {
      return .available(try open())
    } catch {
      return .unavailable(id: id.rawValue, reason: "\(error)")
    }
  }
}

/// Bytes that each file of an engine has at one offset.
package struct FileMark: Sendable {
  /// The kind of file with its article: `an LMDB file`.
  package let title: String
  package let offset: Int
  package let bytes: [UInt8]

  package init(_ title: String, at offset: Int, _ bytes: [UInt8]) {
    self.title = title
    self.offset = offset
    self.bytes = bytes
  }

  /// Whether a file that begins with these bytes carries the mark.
  package func matches(_ front: [UInt8]) -> Bool {
    front.count >= offset + bytes.count && front[offset...].starts(with: bytes)
  }
}
