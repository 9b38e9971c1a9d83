// The mappings of files into memory, which the shared openings of a file in this process have in common. With one for each, a
// page that one session has touched would cost every other a fault, resident memory would count it once for each, and under a
// limit of the process (`ulimit -v`) a few sessions would reserve all addresses.

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A mapping of a file. It covers far more addresses than the file has bytes, so that growth never moves it.
final class FileMapping: @unchecked Sendable {
  /// Identifies a mapping that openings share. One for reading is read-only: a bug that writes through a stray pointer meets
  /// a read-only page, not the database.
  fileprivate struct Key: Hashable {
    let file: FileIdentity
    let isWritable: Bool
  }

  let start: UnsafeMutableRawPointer
  /// nil for the mapping of an opening that shares the file with no other.
  fileprivate let key: Key?
  // Used under the mutex of the mappings only.
  fileprivate var capacity: Int
  fileprivate var openings = 1

  fileprivate init(_ start: UnsafeMutableRawPointer, _ capacity: Int, _ key: Key?) {
    (self.start, self.capacity, self.key) = (start, capacity, key)
  }

  /// Addresses to reserve: 64 GiB cost nothing until touched, and few files outgrow them. A file of more than half of
  /// that may double.
  private static let maxReservation = 1 << 36
  /// The least room beyond the file's end that makes a mapping worth having.
  private static let minGrowth = 1 << 20

  /// Returns a mapping for reading a file of `size` bytes, and its capacity: the one of the other openings of `shared`, if
  /// the file may double in it, or a new one.
  static func acquire(
    ofFile descriptor: Int32, size: Int, _ path: FilePath, shared: FileIdentity?
  ) throws(SystemError) -> (FileMapping, capacity: Int) {
    let least = (size + minGrowth) & ~0xffff
    let key = shared.map { Key(file: $0, isWritable: false) }
    return try FileMappings.shared.acquire(key, atLeast: max(least, 2 * size)) {
      () throws(SystemError) in try map(descriptor, size: size, least: least, path)
    }
  }

  /// Returns a mapping of `capacity` bytes at least through which a file is stored to. nil if the system has no addresses
  /// for it.
  static func acquireForStores(
    ofFile descriptor: Int32, capacity: Int, _ path: FilePath, shared: FileIdentity?
  ) -> FileMapping? {
    let key = shared.map { Key(file: $0, isWritable: true) }
    return try? FileMappings.shared.acquire(key, atLeast: capacity) { () throws(SystemError) in
      let start = try map(descriptor, capacity, PROT_READ | PROT_WRITE, path)
      // Pages that are read ahead of a store would be written with it.
      madvise(start, capacity, MADV_RANDOM)
      return (start, capacity)
    }.mapping
  }

  /// Releases the mapping for one opening. With the last it is removed.
  func release() { FileMappings.shared.release(self) }

  /// Removes what lies behind `length`, unless another opening uses the mapping too.
  func limit(to length: Int) { FileMappings.shared.limit(self, to: length) }

  private static func map(
    _ descriptor: Int32, _ length: Int, _ access: Int32, _ path: FilePath
  ) throws(SystemError) -> UnsafeMutableRawPointer {
    let flags = MAP_SHARED | MAP_NORESERVE
    guard let start = mmap(nil, length, access, flags, descriptor, 0),
      start != MAP_FAILED
    else { throw .last("mmap of \(length) bytes", path) }
    return start
  }

  private static func map(
    _ descriptor: Int32, size: Int, least: Int, _ path: FilePath
  ) throws(SystemError) -> (UnsafeMutableRawPointer, Int) {
    var length = max(maxReservation, (2 * size) & ~0xffff, least)
    var isLimited = false
    while true {
      do throws(SystemError) {
        let start = try map(descriptor, length, PROT_READ, path)
        let quarter = max(least, length / 4 & ~0xffff)
        guard isLimited, quarter < length else { return (start, length) }
        // The largest that fits may be all that a limit leaves: most of it is for the program, and for the copy that a
        // compaction maps beside this file.
        munmap(start + quarter, length - quarter)
        return (start, quarter)
      } catch {
        guard length > least else { throw error }
        isLimited = true
        length = max(length / 2 & ~0xffff, least)
      }
    }
  }
}

/// The mappings of this process that openings share, and how many openings use each.
private final class FileMappings: @unchecked Sendable {
  static let shared = FileMappings()

  private let mutex = ThreadMutex()
  private var mappings: [FileMapping.Key: FileMapping] = [:]

  /// Returns the mapping with this key, or, if there is none or if it is shorter than `length`, what `map` maps.
  func acquire(
    _ key: FileMapping.Key?, atLeast length: Int,
    _ map: () throws(SystemError) -> (UnsafeMutableRawPointer, Int)
  ) throws(SystemError) -> (mapping: FileMapping, capacity: Int) {
    try mutex.withLock { () throws(SystemError) in
      if let key, let mapping = mappings[key], mapping.capacity >= length {
        mapping.openings += 1
        return (mapping, mapping.capacity)
      }
      let (start, capacity) = try map()
      let mapping = FileMapping(start, capacity, key)
      if let key { mappings[key] = mapping }
      return (mapping, capacity)
    }
  }

  func release(_ mapping: FileMapping) {
    let unused: Int? = mutex.withLock {
      mapping.openings -= 1
      precondition(mapping.openings >= 0, "An opening releases its mapping once.")
      guard mapping.openings == 0 else { return nil }
      if let key = mapping.key, mappings[key] === mapping { mappings[key] = nil }
      return mapping.capacity
    }
    if let unused { munmap(mapping.start, unused) }
  }

  func limit(_ mapping: FileMapping, to length: Int) {
    mutex.withLock {
      guard mapping.openings == 1, length < mapping.capacity else { return }
      munmap(mapping.start + length, mapping.capacity - length)
      mapping.capacity = length
    }
  }
}
