// Which file system a folder lies on, and the options that it is mounted with, by the kernel's table of mounts.
#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

package struct MountTable: Sendable, Equatable {
  package struct Mount: Sendable, Equatable {
    /// Where it is mounted.
    package let folder: String
    /// `ext4`.
    package let type: String
    /// Those of the mount, then those of the file system: `["rw", "relatime"]`.
    package let options: [String]

    /// `ext4 (rw,relatime)`
    package var text: String { "\(type) (\(options.joined(separator: ",")))" }
  }

  /// In the order of the table: later mounts hide earlier ones.
  package let mounts: [Mount]

  /// The mounts that this process sees; nil where the system has no such table.
  package static func current() -> MountTable? {
    #if os(Linux)
      (try? FileSystem.readText(FilePath("/proc/self/mountinfo"))).map { MountTable(parsing: $0) }
    #else
      nil
    #endif
  }

  /// Reads lines such as `36 35 98:0 /root /mnt rw,noatime master:1 - ext4 /dev/sda rw,discard`; others are left out.
  package init(parsing text: String) {
    mounts = text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ").map(String.init)
      guard words.count >= 10, let dash = words[6...].firstIndex(of: "-"), dash + 3 < words.count
      else { return nil }
      let own = words[5].split(separator: ",").map(String.init)
      let others = words[dash + 3].split(separator: ",").map(String.init)
      return Mount(
        folder: Self.unescaped(words[4]), type: words[dash + 1],
        options: own + others.filter { !own.contains($0) })
    }
  }

  /// Returns the mount that a path lies on, symbolic links followed.
  package func mount(of path: FilePath) -> Mount? {
    guard let resolved = realpath(path.string, nil) else { return nil }
    defer { free(resolved) }
    return mount(ofResolved: String(cString: resolved))
  }

  /// Returns the mount of an absolute path without symbolic links.
  package func mount(ofResolved path: String) -> Mount? {
    var found: Mount?
    for mount in mounts {
      let isAbove =
        mount.folder == "/" || path == mount.folder || path.hasPrefix(mount.folder + "/")
      if isAbove, mount.folder.utf8.count >= found?.folder.utf8.count ?? 0 { found = mount }
    }
    return found
  }

  /// Replaces escapes of three octal digits, with which the kernel writes blanks and backslashes.
  private static func unescaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\\"), rest.count >= 3,
        let code = UInt8(String(decoding: rest.prefix(3), as: UTF8.self), radix: 8)
      {
        bytes.append(code)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
