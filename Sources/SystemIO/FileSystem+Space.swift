// The space that files take and that is left. All by path: nothing is opened, so files under POSIX locks are safe.
import CPlatform

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The two sizes of a file, or of several together.
package struct FileSize: Sendable, Equatable {
  /// The length (`st_size`), in bytes.
  package var bytes: Int
  /// The bytes that the file system has allocated for the file (512 × `st_blocks`).
  package var allocatedBytes: Int

  package init(bytes: Int = 0, allocatedBytes: Int = 0) {
    self.bytes = bytes
    self.allocatedBytes = allocatedBytes
  }

  package static func + (left: FileSize, right: FileSize) -> FileSize {
    FileSize(
      bytes: left.bytes + right.bytes,
      allocatedBytes: left.allocatedBytes + right.allocatedBytes)
  }
}

extension FileSystem {
  /// Returns the sizes of a file, or the sum of those of the files in a folder: some engines' databases are folders.
  package static func size(of path: FilePath) throws(SystemError) -> FileSize {
    let facts = try FileFacts(of: path)
    guard facts.isFolder else { return facts.size }
    // A file that is deleted after its folder was listed counts as empty.
    return try size(of: list(path).map { path.appending($0) })
  }

  /// Returns the sum of the sizes of several files; one that does not exist (a log not yet created) counts as empty.
  package static func size(of paths: [FilePath]) throws(SystemError) -> FileSize {
    var total = FileSize()
    for path in paths {
      do throws(SystemError) {
        total = total + (try size(of: path))
      } catch  where error.isNotFound {
        continue
      }
    }
    return total
  }

  /// Returns the ordinary files at these paths, and in a folder's place those in the folder. Other paths are left out.
  package static func dataFiles(at paths: [FilePath]) -> [FilePath] {
    paths.flatMap { path -> [FilePath] in
      guard isFolder(path) else { return isFile(path) ? [path] : [] }
      return dataFiles(at: ((try? list(path)) ?? []).map { path.appending($0) })
    }
  }

  /// Returns the bytes that an unprivileged user may still write on the file system of this path.
  package static func freeBytes(at path: FilePath) throws(SystemError) -> Int {
    var facts = statvfs()
    guard statvfs(path.string, &facts) == 0 else { throw .last("statvfs", path) }
    return Int(facts.f_bavail) * Int(facts.f_frsize)
  }

  /// Returns the name of the file system that holds this path, such as `ext4`; its number as `0x…` if it has no name here.
  package static func typeName(at path: FilePath) throws(SystemError) -> String {
    var number: UInt32 = 0
    let (result, name) = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { name in
      let result = cplatform_file_system(path.string, &number, name.baseAddress!)
      let isNamed = result == 0 && name[0] != 0
      return (result, isNamed ? String(cString: name.baseAddress!) : nil)
    }
    guard result == 0 else { throw SystemError(code: result, call: "statfs", path: path.string) }
    return name ?? linuxNames[number] ?? "0x" + String(number, radix: 16)
  }

  /// The names of file systems by their magic numbers in statfs(2).
  private static let linuxNames: [UInt32: String] = [
    0xef53: "ext4", 0x0102_1994: "tmpfs", 0x9123_683e: "btrfs", 0x5846_5342: "xfs",
    0x2fc1_2fc1: "zfs", 0x794c_7630: "overlay", 0x6969: "nfs", 0x6573_5546: "fuse",
    0xf2f5_2010: "f2fs", 0x4d44: "vfat", 0x2011_bab0: "exfat", 0x0102_1997: "9p", 0x517b: "smb",
    0xff53_4d42: "cifs", 0xfe53_4d42: "smb2", 0x5346_414f: "afs", 0x00c3_6400: "ceph",
    0x8584_58f6: "ramfs",
  ]
}
